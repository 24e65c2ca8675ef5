"""Builds the guide as static pages.

    build_guide.py SPLITGEN SOURCE_DIR BUILD_DIR

Makes BUILD_DIR/site from the Markdown pages in this folder. BUILD_DIR/pages, which mkdocs reads, mirrors the source
tree: the pages, every file that a page links to, and every file that those pages link to. So a link works on the site
as it does in the source tree. Added to the pages are the manual, what the tool prints about options and fields of
specs, and pictures of the ops in blocks marked `ops NAME.txt`.

Ends with 1 if a link leads nowhere, if an example is of no option, or if the site fetches anything. Prints SKIPPED
where mkdocs or mandoc is not installed; links to files and the options are checked before."""

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
LINK = re.compile(r"(?<=\]\()([^)#\s]+)(?=[)#])")
MANUALS = {"splitgen.1": "man", "splitgen-runtime.3": "man-runtime"}


class Wrong(Exception):
    pass


def require(condition, message):
    if not condition:
        raise Wrong(message)


class Guide:
    def __init__(self, splitgen, source, build):
        self.splitgen = splitgen
        self.source = source
        self.docs = source / "generator/docs"
        self.build = build
        self.pages = build / "pages"
        self.staged = set()
        self.waiting = []

    def run_tool(self, *arguments):
        return subprocess.run([self.splitgen, *arguments], check=True, stdout=subprocess.PIPE, text=True).stdout

    # --- From the source tree to what mkdocs reads ---

    def stage(self):
        shutil.rmtree(self.build, ignore_errors=True)
        self.pages.mkdir(parents=True)
        shutil.copy(self.docs / "mkdocs.yml", self.build)
        (self.build / "theme").mkdir()
        shutil.copy(self.docs / "main.html", self.build / "theme")
        self.need(self.source / "README.md")
        menu = (self.docs / "mkdocs.yml").read_text()
        for page in sorted(self.docs.glob("*.md")):
            require(f"generator/docs/{page.name}\n" in menu, f"mkdocs.yml: the menu has no {page.name}")
            self.need(page)
        while self.waiting:
            self.add(self.waiting.pop(0))

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
            place.write_text(self.page(file, place))
        else:
            shutil.copy(file, place)

    def page(self, file, place):
        text = file.read_text()
        if file == self.docs / "options.md":
            text = self.with_options(text)
        if file == self.docs / "specs.md":
            text = text.replace("<!-- fields -->", self.fields())
        result = []
        block = None  # the info string of the fence; None between blocks
        for line in text.splitlines():
            fence = FENCE.match(line)
            if fence and block is None:
                block = fence.groups()
                name = f"`{block[1]}`:"
                if block[1] and block[0] != "sh" and name not in result[-2:]:  # a file that was not named before
                    result += [name, ""]
                result.append("```" + block[0])  # mkdocs only accepts a language there
                op = ""
                continue
            if fence:
                if block[0] == "ops":
                    picture = place.parent / (pathlib.Path(block[1]).stem + ".svg")
                    picture.write_text(self.run_tool("-e", op, "--emit=svg"))
                block = None
            elif block is not None:
                op += line + "\n"
            else:
                line = LINK.sub(lambda link: self.link(file, link[0]), line)
            result.append(line)
        return "\n".join(result) + "\n"

    def link(self, page, target):
        """The link that replaces a link of a page; a folder is its README."""
        if re.match(r"[a-z]+:", target):
            return target
        file = pathlib.Path(os.path.normpath(page.parent / target))
        if file.parent == self.docs and (file.suffix == ".svg" or file.stem in MANUALS):
            return target  # generated here; mkdocs checks it
        require(file.exists(), f"{page}: there is no {target}")
        if file.is_dir() and (file / "README.md").exists():
            file = file / "README.md"
        self.need(file)
        if file.is_dir():
            file = file / "index.md"
        return os.path.relpath(self.place(file), self.place(page).parent)

    # --- The tool's own descriptions ---

    def with_options(self, text):
        """The page of options: what the tool prints about each, and below it the page's example, if there is one."""
        introduction, *parts = re.split(r"^### `(-\S+)`\n", text, flags=re.MULTILINE)
        examples = dict(zip(parts[::2], parts[1::2]))
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
            result += f"{title}### `{name}`\n\n**`{name}{argument}`**: {option['help']}.\n\n{about}{words}\n"
            result += examples.pop(name, "\n")
        require(not examples, f"options.md has examples of what is no option: {', '.join(examples)}")
        return result

    def fields(self):
        """One table of all fields of the functions in specs."""
        text = self.run_tool("--print=lua-api")
        functions = dict(re.findall(r"---@param fields splitgen\.(\w+).*\n(?:---@.*\n)*function ([\w.]+)\(", text))
        functions.update({name: name for name in ("Output", "Input", "Tensor", "ModelOptions")})
        rows = {}
        for name, body in re.findall(r"---@class splitgen\.(\w+).*\n((?:---@field .*\n)*)", text):
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
        return "\n".join(lines)

    def manuals(self):
        for name, page in MANUALS.items():
            text = subprocess.run(["mandoc", "-T", "html", "-O", "fragment,man=%N.%S.html"],
                                  input=self.run_tool(f"--print={page}"), check=True, stdout=subprocess.PIPE,
                                  text=True).stdout
            title = re.sub(r"\.(\d)$", r"(\1)", name)
            (self.pages / "generator/docs" / f"{name}.md").write_text(f"# {title}\n\n<div>\n{text}</div>\n")

    # --- The site ---

    def make_site(self):
        environment = {**os.environ, "SOURCE_DATE_EPOCH": "0"}  # the same pages every time
        made = subprocess.run(["mkdocs", "build", "--strict", "-f", self.build / "mkdocs.yml"],
                              env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
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


def main(splitgen, source, build):
    guide = Guide(splitgen, pathlib.Path(source).resolve(), pathlib.Path(build).resolve())
    try:
        guide.stage()
        for program in ("mkdocs", "mandoc"):
            if not shutil.which(program):
                print(f"SKIPPED: sudo apt-get install {program}")
                return 0
        guide.manuals()
        pages = guide.make_site()
    except Wrong as wrong:
        print(f"guide: {wrong}", file=sys.stderr)
        return 1
    print(f"guide: {len(pages)} pages, {guide.build / 'site/generator/docs/index.html'}")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
