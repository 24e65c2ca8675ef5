"""Checks the guide, and builds it as a site.

    build_guide.py SPLITGEN SOURCE_DIR BUILD_DIR [MKDOCS]
    build_guide.py SPLITGEN SOURCE_DIR --update

The pages in this folder are complete as they are: what the tool prints about options and fields of specs is in them,
and pictures of the ops in blocks marked `ops NAME.txt` are beside them. The first form compares these parts with what
the tool prints now, --update writes them.

It then makes BUILD_DIR/site. BUILD_DIR/pages, which mkdocs reads, mirrors the source tree: the pages, every file that
a page links to, and every file that those pages link to. So a link works on the site as it does in the source tree.
Only the manual is added. MKDOCS is the program, by default the one in the path. With the theme mkdocs-material
(material.yml) the site has a search, a dark theme and buttons that copy; without it (plain.yml) it has no scripts.

Ends with 1 if a part is stale, if a link or its anchor leads nowhere, as files or on the site, if an example is of no
option, or if the site fetches anything. Prints SKIPPED where mkdocs or mandoc is not installed; files are checked
before."""

import html.parser
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import urllib.parse

FENCE = re.compile(r"^```(\S*) *(.*)$")
HEADING = re.compile(r"^#+ (.*?) *$")
LINK = re.compile(r"(?<=\]\()([^)#\s]*)(#[^)\s]*)?(?=\))")
THEMES = ("material.yml", "plain.yml")  # the first that is installed
MANUALS = {"splitgen.1": "man", "splitgen-runtime.3": "man-runtime"}
EXAMPLE = "<!-- example -->\n"
FIELDS = re.compile("(?<=<!-- fields -->\n\n).*(?=\n<!-- end of fields -->)", re.DOTALL)


class Wrong(Exception):
    pass


def require(condition, message):
    if not condition:
        raise Wrong(message)


def lines_of(text):
    """Each line of a page, whether it is in a block, and the words after the fence that opens a block there."""
    inside = False
    for line in text.splitlines():
        fence = FENCE.match(line)
        opens = fence.groups() if fence and not inside else None
        inside = inside != bool(fence)
        yield line, inside or bool(fence), opens


def anchors(text):
    """The anchor of each heading of a page, as code hosts make them: `### `--open`` is #--open."""
    found = {}
    for line, is_code, _ in lines_of(text):
        heading = None if is_code else HEADING.match(line)
        if heading:
            words = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading[1]).lower()
            base = re.sub(r"[^\w\- ]", "", words).replace(" ", "-")
            anchor = base
            for number in range(1, len(found) + 1):
                if anchor not in found:
                    break
                anchor = f"{base}-{number}"
            found[anchor] = line
    return list(found)


class Guide:
    def __init__(self, splitgen, source, build):
        self.splitgen = splitgen
        self.source = source
        self.docs = source / "generator/docs"
        self.build = build
        self.pages = build / "pages"
        self.staged = set()
        self.waiting = []
        self.faults = []

    def run_tool(self, *arguments):
        return subprocess.run([self.splitgen, *arguments], check=True, stdout=subprocess.PIPE, text=True).stdout

    # --- Parts of the pages that the tool writes ---

    def written(self):
        """Files in the folder of the guide, and the text they should have."""
        options, specs = self.docs / "options.md", self.docs / "specs.md"
        files = {options: self.with_options(options.read_text()), specs: self.with_fields(specs.read_text())}
        for page in self.docs.glob("*.md"):
            op, name = "", None
            for line, is_code, opens in lines_of(page.read_text()):
                if opens and opens[0] == "ops":
                    op, name = "", pathlib.Path(opens[1]).with_suffix(".svg")
                elif is_code and line != "```":
                    op += line + "\n"
                elif name:
                    files[self.docs / name], name = self.run_tool("-e", op, "--emit=svg"), None
        return files

    def update(self):
        for file, text in self.written().items():
            file.write_text(text)

    def check_written(self):
        files = self.written()
        stale = [file for file, text in files.items() if not file.exists() or file.read_text() != text]
        stale += set(self.docs.glob("*.svg")) - set(files)
        names = ", ".join(sorted(str(file.relative_to(self.source)) for file in stale))
        require(not stale, f"not what splitgen prints now: {names}; the target readme-update writes them")

    # --- From the source tree to what mkdocs reads ---

    def stage(self):
        shutil.rmtree(self.build, ignore_errors=True)
        self.pages.mkdir(parents=True)
        for name in ("mkdocs.yml", *THEMES):
            shutil.copy(self.docs / name, self.build)
        (self.build / "theme").mkdir()
        shutil.copy(self.docs / "main.html", self.build / "theme")
        self.need(self.source / "README.md")
        menu = (self.docs / "mkdocs.yml").read_text()
        for page in sorted(self.docs.glob("*.md")):
            require(f"generator/docs/{page.name}\n" in menu, f"mkdocs.yml: the menu has no {page.name}")
            self.need(page)
        while self.waiting:
            self.add(self.waiting.pop(0))
        require(not self.faults, "\n".join(self.faults))

    def need(self, file):
        if file not in self.staged:
            self.staged.add(file)
            self.waiting.append(file)

    def place(self, file):
        """The path of a source file among the pages; mkdocs ignores a folder `templates`."""
        return self.pages / re.sub("^templates", "c_templates", str(file.relative_to(self.source)))

    def add(self, file):
        place = self.place(file)
        place.parent.mkdir(parents=True, exist_ok=True)
        if file.is_dir():  # a folder without a README
            names = sorted(entry.name for entry in file.iterdir() if entry.is_file())
            for name in names:
                self.need(file / name)
            place.mkdir(exist_ok=True)
            (place / "index.md").write_text(f"# {file.name}\n\n" + "".join(f"- [{name}]({name})\n" for name in names))
        elif file.suffix == ".md":
            place.write_text(self.page(file))
        else:
            shutil.copy(file, place)

    def page(self, file):
        text = file.read_text()
        names = iter(anchors(text))
        result = []
        for line, is_code, opens in lines_of(text):
            if opens:
                name = f"`{opens[1]}`:"
                if opens[1] and opens[0] != "sh" and name not in result[-2:]:  # a file that was not named before
                    result += [name, ""]
                line = "```" + opens[0]  # mkdocs only accepts a language there
            elif not is_code:
                line = LINK.sub(lambda link: self.link(file, link[1], link[2] or ""), line)
                if HEADING.match(line):
                    line += f" {{: #{next(names)} }}"
            result.append(line)
        return "\n".join(result) + "\n"

    def link(self, page, target, anchor):
        """The link that replaces a link of a page; a folder is its README."""
        if re.match(r"[a-z]+:", target):
            return target + anchor
        file = pathlib.Path(os.path.normpath(page.parent / target)) if target else page
        if file.parent == self.source / "generator/man" and file.stem in MANUALS:
            return os.path.relpath(self.place(self.docs / f"{file.stem}.md"), self.place(page).parent) + anchor
        if file.is_dir() and (file / "README.md").exists():
            file = file / "README.md"
        where = page.relative_to(self.source)
        if not file.exists():
            self.faults.append(f"{where}: there is no {target}")
            return target
        if anchor and not (file.suffix == ".md" and anchor[1:] in anchors(file.read_text())):
            self.faults.append(f"{where}: {target}{anchor} is no heading")
        self.need(file)
        if file.is_dir():
            file = file / "index.md"
        return os.path.relpath(self.place(file), self.place(page).parent) + anchor if target else anchor

    # --- The tool's own descriptions ---

    def with_options(self, text):
        """The page of options: what the tool prints about each, and then the page's example, if there is one."""
        introduction, *parts = re.split(r"^(?:## .*\n\n)?### `(-\S+)`\n", text, flags=re.MULTILINE)
        # A new section has its example only; --update writes the rest.
        examples = {name: (part if not part.startswith(f"\n**`{name}") else part.partition(EXAMPLE)[2]).strip("\n")
                    for name, part in zip(parts[::2], parts[1::2])}
        examples = {name: example for name, example in examples.items() if example}
        result, group = introduction, ""
        for option in json.loads(self.run_tool("--help=json"))["options"]:
            name = "--" + option["long"] if option["long"] else "-" + option["short"]
            argument = ("=" if option["long"] else " ") + option["argument"] if option["argument"] else ""
            if option["optional"]:
                argument = f"[{argument}]"
            words = ", ".join(f"`{word}`" for word in option["choices"])
            words = f" Values: {words}." if words else ""
            title = "" if option["group"] == group else f"## {option['group']}\n\n"
            group = option["group"]
            about = option["text"].replace("*", "\\*")
            result += f"{title}### `{name}`\n\n**`{name}{argument}`**: {option['help']}.\n\n{about}{words}\n\n"
            if name in examples:
                result += f"{EXAMPLE}\n{examples.pop(name)}\n\n"
        require(not examples, f"options.md has examples of what is no option: {', '.join(examples)}")
        return result.rstrip("\n") + "\n"

    def with_fields(self, text):
        """The page of specs, with one table of all fields of the functions in specs."""
        api = self.run_tool("--print=lua-api")
        functions = dict(re.findall(r"---@param fields splitgen\.(\w+).*\n(?:---@.*\n)*function ([\w.]+)\(", api))
        functions.update({name: name for name in ("Output", "Input", "Tensor", "ModelOptions")})
        rows = {}
        for name, body in re.findall(r"---@class splitgen\.(\w+).*\n((?:---@field .*\n)*)", api):
            for field, optional, kind, meaning in re.findall(r"---@field (\w+)(\??) ((?:\S|(?<=,) )+) ?(.*)\n", body):
                if name in functions:
                    row = rows.setdefault(field, {"kind": [], "meaning": [], "of": []})
                    row["of"].append(f"`{functions[name]}`" + ("" if optional else " (required)"))
                    for what, value in (("kind", kind.replace("splitgen.", "")), ("meaning", meaning)):
                        if value and not any(other.startswith(value) for other in row[what]):
                            row[what].append(value)
        require(rows, "--print=lua-api shows no fields")
        lines = ["| field | type | of | meaning |", "| --- | --- | --- | --- |"]
        for field, row in rows.items():
            kinds = " or ".join(f"`{kind}`" for kind in row["kind"]).replace("|", "\\|")
            lines.append(f"| `{field}` | {kinds} | {', '.join(row['of'])} | {'; '.join(row['meaning'])} |")
        require(FIELDS.search(text), "specs.md has no place for the table of fields")
        return FIELDS.sub(lambda _: "\n".join(lines) + "\n", text)

    def manuals(self):
        for name, page in MANUALS.items():
            text = subprocess.run(["mandoc", "-T", "html", "-O", "fragment,man=%N.%S.html"],
                                  input=self.run_tool(f"--print={page}"), check=True, stdout=subprocess.PIPE,
                                  text=True).stdout
            title = re.sub(r"\.(\d)$", r"(\1)", name)
            (self.pages / "generator/docs" / f"{name}.md").write_text(f"# {title}\n\n<div>\n{text}</div>\n")

    # --- The site ---

    def make_site(self, mkdocs):
        for configuration in THEMES:
            environment = {**os.environ, "SOURCE_DATE_EPOCH": "0"}  # the same pages every time
            made = subprocess.run([mkdocs, "build", "--strict", "-f", self.build / configuration],
                                  env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            if "nrecognised theme" not in made.stdout:
                break
        require(made.returncode == 0, made.stdout)
        site = self.build / "site"
        pages = {}
        for file in sorted(site.rglob("*.html")):
            pages[file] = Page(file.read_text())
        faults = []
        for file, page in pages.items():
            if file.name == "404.html":  # mkdocs gives it absolute links of a server
                continue
            where = file.relative_to(site)
            faults += [f"{where}: fetches {target}" for target in page.fetched if re.match(r"(\w+:)?//", target)]
            faults += [f"{where}: {target} leads nowhere" for target in page.links if not leads(pages, file, target)]
        require(not faults, "\n".join(faults))
        return pages


def leads(pages, file, target):
    """Whether a link of the page `file` leads to an existing file and heading. Links to other sites are not checked."""
    parts = urllib.parse.urlsplit(target)
    if parts.scheme or parts.netloc:
        return True
    path = file.parent / urllib.parse.unquote(parts.path) if parts.path else file
    path = pathlib.Path(os.path.normpath(path))
    if path.is_dir():
        path = path / "index.html"
    return path.exists() and (path not in pages or urllib.parse.unquote(parts.fragment) in pages[path].ids)


class Page(html.parser.HTMLParser):
    """The links of a page, what it fetches, and its link targets."""

    def __init__(self, text):
        super().__init__()
        self.links = []
        self.fetched = []
        self.ids = {""}
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.ids.add(attributes.get("id"))
        target = attributes.get("href") or attributes.get("src")
        if target:
            self.links.append(target)
            if tag in ("link", "script", "img", "iframe") and attributes.get("rel") != "canonical":
                self.fetched.append(target)


def main(splitgen, source, build, mkdocs="mkdocs"):
    guide = Guide(splitgen, pathlib.Path(source).resolve(), pathlib.Path(build).resolve())
    try:
        if build == "--update":
            guide.update()
            return 0
        guide.check_written()
        guide.stage()
        for program in (mkdocs, "mandoc"):
            if not shutil.which(program):
                print(f"SKIPPED: sudo apt-get install {program}")
                return 0
        guide.manuals()
        pages = guide.make_site(mkdocs)
    except Wrong as wrong:
        print(f"guide: {wrong}", file=sys.stderr)
        return 1
    print(f"guide: {len(pages)} pages, {guide.build / 'site/generator/docs/index.html'}")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
