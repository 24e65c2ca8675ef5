#!/usr/bin/env python3
"""Opens the page in a browser and compares what it shows with what the tool of this system prints.

    browse_page.py SPLITGEN SOURCE PAGE WORK CHROMEDRIVER CHROMIUM

PAGE is the folder that examples/playground/build_page.py made; screenshots go to WORK.
"""
import base64
import json
import pathlib
import shlex
import shutil
import socket
import subprocess
import sys
import zlib

from browser import Browser

MISTAKE = 'return split {\n  name = "qkv", dtype = "f32", shape = { 2, 12 }, axis = -1,\n  -- \u00fc\n  lengths = --[[\u00fc]] { 4, 4, 5 },\n}\n'


def varint(number):
    out = bytearray()
    while number >= 0x80:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes(out + bytes([number]))


def field(number, value):
    """A field of a protobuf message: of an integer, or of bytes."""
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    return varint(number << 3 | 2) + varint(len(value)) + value


def tensor_of(name, dims):
    shape = b"".join(field(1, field(1, dim)) for dim in dims)
    return field(1, name) + field(2, field(1, field(1, 1) + field(2, shape)))


def binary_model():
    """A model of one Split as .onnx, which no editor shows."""
    axis = field(5, field(1, b"axis") + field(3, 1) + field(20, 2))
    parts = field(5, field(1, b"num_outputs") + field(3, 3) + field(20, 2))
    node = field(1, b"x") + b"".join(field(2, name) for name in (b"q", b"k", b"v")) + field(3, b"/attn/Split") + field(4, b"Split")
    graph = field(1, node + axis + parts) + field(2, b"net") + field(11, tensor_of(b"x", [8, 96]))
    graph += b"".join(field(12, tensor_of(name, [8, 32])) for name in (b"q", b"k", b"v"))
    return field(1, 10) + field(7, graph) + field(8, field(2, 18))


class Page:
    def __init__(self, browser, tool, page, work):
        self.browser = browser
        self.tool = tool
        self.address = (page / "index.html").as_uri()
        self.inputs = work / "inputs"
        self.failures = 0

    def check(self, what, ok, detail=""):
        self.failures += not ok
        print(f"{'ok' if ok else 'FAILED'}: {what}{'' if ok else ': ' + str(detail)}", flush=True)

    def same(self, what, found, wanted):
        at = next((i for i, (a, b) in enumerate(zip(found, wanted)) if a != b), min(len(found), len(wanted)))
        self.check(what, found == wanted, f"at {at}: {found[at:at + 80]!r} but {wanted[at:at + 80]!r}")

    def open(self, letters=""):
        self.browser.open(self.address + letters)
        self.settle()

    def settle(self):
        return self.browser.until("return document.body.dataset.state !== 'busy' && document.body.dataset.state")

    def text(self, selector):
        return self.browser.run(f"return [...document.querySelectorAll({js(selector)})].map((one) => one.textContent).join('')")

    def native(self, *more):
        """What the tool prints for the command that the page shows."""
        words = shlex.split(self.text("#command"))
        return subprocess.run([self.tool, *words[1:], *more], cwd=self.inputs, capture_output=True, text=True, check=False)

    def folds(self, panel):
        """Titles and texts of a panel's folds, in the order of the file."""
        return self.browser.run(f"""return [...document.querySelectorAll('#{panel} details')].sort((a, b) => a.dataset.at - b.dataset.at)
            .map((one) => [one.querySelector('.title').textContent, one.querySelector('code').textContent])""")

    def all_code(self, panel):
        """The file of a panel: what the folds of all kernels have, one kernel shown after the other."""
        names = self.browser.run("return [...document.getElementById('kernel').options].map((one) => one.value)")
        first, own, last = "", "", ""
        for name in names:
            self.choose(name)
            folds = dict(self.folds(panel))
            first = folds.pop("Includes and checks, for all kernels", folds.pop("Guard and includes", ""))
            last = folds.pop("Registry", "")
            own += "".join(folds.values())
        return first + own + last

    def choose(self, name):
        """Shows a kernel."""
        self.browser.run(f"const list = document.getElementById('kernel'); list.value = {js(name)}; list.dispatchEvent(new Event('change'))")
        self.browser.until(f"return document.querySelector('#views caption').textContent === {js(name)} && "
                           f"document.getElementById('signature').textContent.includes({js(name)})")

    def compare(self, what):
        """Everything that the page shows, with what the tool prints."""
        state = self.settle()
        self.check(f"{what}: compiles", state == "done", self.text("#status"))
        self.same(f"{what}: C", self.all_code("panel-c"), self.native().stdout)
        self.same(f"{what}: header", self.all_code("panel-h"), self.native("--emit=h").stdout)
        self.same(f"{what}: plan", self.text("#panel-json code"), self.native("--emit=json").stdout)
        self.same(f"{what}: explained", self.text("#panel-explain code"), self.native("--explain").stdout)
        drawn, listed = self.browser.run("""return [document.querySelectorAll('.card').length, document.querySelectorAll('#views tbody tr').length]""")
        self.check(f"{what}: the picture has each part", 0 < drawn == listed, (drawn, listed))

    def keep(self):
        """The text of the page as the file that its command names."""
        (self.inputs / shlex.split(self.text("#command"))[-1]).write_text(self.browser.run("return document.getElementById('text').value"))

    def example(self, at):
        """Chooses one of the examples behind the button "?"."""
        self.browser.run("document.getElementById('help').click()")
        self.browser.run(f"document.querySelectorAll('#examples button')[{at}].click()")

    def set_text(self, text):
        self.browser.run("const box = document.getElementById('text'); box.value = %s; box.dispatchEvent(new Event('input'))"
                         % js(text))


def js(text):
    """A string of JavaScript."""
    return '"' + "".join(c if c.isalnum() and c.isascii() else f"\\u{ord(c):04x}" for c in text) + '"'


def test_examples(page):
    page.open()
    first = page.browser.run("return performance.getEntriesByName('code')[0].startTime")
    print(f"the first C is there {first:.0f} ms after the address was given", flush=True)
    titles = page.browser.run("return EXAMPLES.map((one) => one.title)")
    for at, title in enumerate(titles):
        page.example(at)
        page.settle()
        if page.browser.run(f"return EXAMPLES[{at}].kind") != "notation":
            page.keep()
        if title == "A mistake":
            page.check(f"{title}: is one", page.settle() == "error")
            continue
        page.compare(title)


def test_typing(page):
    page.open()
    page.browser.run("document.getElementById('text').select()")
    page.browser.type("#text", "typed: f32[4,12] @1 -> a:5 b:*; w: u4[4096,8] @1 -> low:2 high:*")
    page.browser.until("return document.body.dataset.state === 'done' && document.getElementById('command').textContent.includes('typed')")
    page.compare("typed notation")
    page.browser.click("#choices summary")
    page.browser.click("#options label:not([hidden]) input[value='--optimize=size']")
    page.browser.click("#machines input[value='neon']")
    page.browser.type("#more", "--prefix=my_ --views=omit")
    page.browser.until("return document.getElementById('command').textContent.includes('omit')")
    page.compare("options")


def test_files(page, source):
    """Models that are dropped, or chosen with the button."""
    page.open()
    case = source / "tests/exec/cases"
    model = page.inputs / "split.onnx"
    model.write_bytes(binary_model())
    for names in (["split.onnx"], ["fused.onnxtxt"], ["fused_packed.xml", "fused_packed.bin"]):
        for name in names:
            if not (page.inputs / name).exists():
                shutil.copyfile(case / name, page.inputs / name)
        files = [[name, base64.b64encode((page.inputs / name).read_bytes()).decode()] for name in names]
        page.browser.run("""document.body.dataset.state = 'busy';
            const data = new DataTransfer();
            for (const [name, text] of %s) {
                data.items.add(new File([Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))], name));
            }
            document.body.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }))"""
                         % str(files))
        page.browser.until("return document.getElementById('command').textContent.includes(%s)" % js(names[0]))
        page.compare(f"dropped {names[0]}")
    page.open()
    page.browser.type("#files", str(model))
    page.browser.until("return document.getElementById('command').textContent.includes('split.onnx')")
    page.compare("chosen split.onnx")


def test_text_alone(page):
    """Options that make the tool print text instead of files."""
    page.open()
    page.browser.click("#choices summary")
    page.browser.type("#more", "--list")
    page.browser.until("return document.getElementById('command').textContent.includes('--list')")
    page.settle()
    page.same("--list: the tool's text", page.text("#rendered"), page.native().stdout)


def test_mistake(page):
    page.open()
    page.browser.click("[name=kind][value=spec]")
    page.settle()
    page.set_text(MISTAKE)
    page.check("mistake: is one", page.settle() == "error")
    page.keep()
    native = page.native()
    page.same("mistake: the tool's own text", page.text("#rendered"), native.stderr)
    page.same("mistake: what is underlined", page.text("mark.error"), "{ 4, 4, 5 }")
    page.same("mistake: the note", page.text("mark.note"), "{ 2, 12 }")
    page.same("mistake: what is behind the text", page.text("#marks"), MISTAKE + "\n")
    page.check("mistake: announced", page.browser.run("return document.getElementById('status').role === 'status' && "
               "document.getElementById('text').getAttribute('aria-invalid') === 'true'"))
    page.browser.click("#places button")
    chosen = page.browser.run("const box = document.getElementById('text'); return box.value.slice(box.selectionStart, box.selectionEnd)")
    page.same("mistake: the cursor goes there", chosen, "{ 4, 4, 5 }")


def test_link(page):
    page.open()
    page.browser.click("[name=kind][value=spec]")
    page.settle()
    page.set_text(MISTAKE.replace("5", "-1"))
    page.browser.until("return document.getElementById('marks').textContent !== '' && document.body.dataset.state === 'done'")
    address = page.browser.until("return location.hash.length > 20 && location.hash")
    command = page.text("#command")
    page.open(address)
    page.same("link: the same command", page.text("#command"), command)
    page.keep()
    page.compare("link")


def link_of(kind, text):
    """The fragment of a link, as anybody can write it."""
    deflate = zlib.compressobj(9, wbits=-15)
    packed = deflate.compress(json.dumps({"kind": kind, "text": text}).encode()) + deflate.flush()
    return "#" + base64.urlsafe_b64encode(packed).decode().rstrip("=")


def test_hostile_links(page):
    for what, letters in (("constructor", link_of("constructor", "")), ("__proto__", link_of("__proto__", "")),
                          ("50 MiB", link_of("notation", " " * (50 << 20)))):
        page.open(letters)
        page.check(f"link, {what}: a message", page.browser.run("return !document.getElementById('notice').hidden"))
        page.compare(f"link, {what}: the first example")


def test_large_results(page):
    page.open()
    for what, text in (("4096 parts", "u8[99,16384] @1 -> /4096"),
                       ("300 kernels", "; ".join(f"k{at}: u8[4,{at + 8}] @1 -> a:2 b:*" for at in range(300)))):
        page.set_text(text)
        page.check(f"{what}: done", page.settle() == "done", page.text("#status"))
    elements = page.browser.run("return document.querySelectorAll('*').length")
    page.check(f"300 kernels: {elements} elements", elements < 3000)
    page.choose("k250")
    page.check("300 kernels: another one is shown", "void k250(" in page.text("#panel-c"))


def test_cancel(page):
    page.open()
    page.set_text("u8[99,16384] @1 -> /16384")
    page.browser.until("return getComputedStyle(document.getElementById('cancel')).visibility === 'visible'")
    page.browser.click("#cancel")
    page.check("cancel: the run ends", page.settle() == "cancelled", page.text("#status"))
    page.set_text("after: u8[4,6] @1 -> a:2 b:*")
    page.browser.until("return document.getElementById('command').textContent.includes('after')")
    page.compare("cancel: the next run")


def test_connections(page):
    """Neither the page nor a worker of it can connect to anything, even if it tries."""
    page.open()
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(2)
        address = f"http://127.0.0.1:{server.getsockname()[1]}/"
        attempts = """const attempt = () => fetch('%s', { signal: AbortSignal.timeout(2000) }).then(() => 'connected', () => 'refused');
            const body = `onmessage = () => fetch('%s', { signal: AbortSignal.timeout(2000) }).then(() => postMessage('connected'), () => postMessage('refused'))`;
            const worker = new Worker(URL.createObjectURL(new Blob([body])));
            const theirs = new Promise((done) => { worker.onmessage = ({ data }) => done(data); });
            worker.postMessage(0);
            new Image().src = '%s';
            return [await attempt(), await theirs]""" % (address, address, address)
        page.check("connections: both fail", page.browser.run(attempts) == ["refused", "refused"])
        try:
            server.accept()
            page.check("connections: none arrives", False)
        except TimeoutError:
            page.check("connections: none arrives", True)


def test_keyboard(page):
    page.open()
    page.browser.run("document.getElementById('tab-c').focus()")
    page.browser.type("#tab-c", "\ue014")  # the right arrow
    page.check("keyboard: an arrow shows the next tab", page.browser.run(
        "return !document.getElementById('panel-h').hidden && document.getElementById('panel-c').hidden && "
        "document.activeElement.id === 'tab-h'"))
    nameless = page.browser.run("""return [...document.querySelectorAll('input, select, textarea, button, summary, img')]
        .filter((one) => !(one.labels?.length || one.textContent.trim() || one.getAttribute('aria-label') || one.alt)).map((one) => one.outerHTML)""")
    page.check("keyboard: everything has a name", nameless == [], nameless)
    page.set_text("k0: u8[4,6] @1 -> a:2 b:*; k1: u8[4,6] @1 -> c:2 d:*")
    page.browser.until("return document.body.dataset.state === 'done' && !document.getElementById('kernels').hidden")
    page.browser.type("#kernel", "\ue015")  # the down arrow
    page.check("keyboard: an arrow shows the next kernel", page.browser.until(
        "return document.getElementById('signature').textContent.startsWith('void k1(')"))
    page.browser.run("document.getElementById('help').focus()")
    order = ["help"]
    while order[-1] != "panel-h" and len(order) < 60:
        page.browser.press("\ue004")  # the tabulator
        order.append(page.browser.run("return document.activeElement.id || document.activeElement.classList[0] || ''"))
    wanted = ["help", "files", "copy-link", "text", "command", "copy-command", "card", "kernel", "tab-h", "panel-h"]
    page.check("keyboard: the focus goes from the input over the picture to the C", [one for one in dict.fromkeys(order) if one in wanted] == wanted, order)


LIT = """return [...document.querySelectorAll('.lit')].map((one) => `${one.closest('[id]').id} ${one.dataset.part}`)"""


def test_parts(page):
    """A part is lit in the text, the picture and the C at once: under the pointer, with the focus, and at the cursor."""
    page.open()
    places = {"marks", "picture", "signature", "panel-c", "views"}

    def check(what, part):
        lit = page.browser.run(LIT)
        page.check(f"parts: {what}", {one.split()[0] for one in lit} >= places and {one.split()[1] for one in lit} == {part}, lit)

    page.browser.run("document.querySelectorAll('.card')[1].focus()")
    check("with the focus of its card", "1")
    page.browser.run("document.getElementById('tab-c').focus()")
    page.check("parts: without it nothing is lit", page.browser.run(LIT) == [])
    page.browser.point(page.browser.find("#signature [data-part='2']"))
    check("under the pointer in the signature", "2")
    page.browser.point(page.browser.find("#marks [data-part='0']"))
    check("under the pointer in the text", "0")
    page.browser.run("const box = document.getElementById('text'); box.focus(); box.setSelectionRange(...Array(2).fill(box.value.indexOf('g:')))")
    page.browser.until(LIT.replace("return ", "const lit = ") + "; return lit.length > 0 && lit[0].endsWith('1')")
    check("at the cursor", "1")
    colours = page.browser.run("""return ['#marks', '#picture .card', '#signature', '#panel-c'].map((from) =>
        getComputedStyle(document.querySelector(`${from}[data-part='1'], ${from} [data-part='1']`)).getPropertyValue('--hue').trim())""")
    page.check("parts: one colour everywhere", len(set(colours)) == 1 and colours[0] != "", colours)
    titles = [title for title, _ in page.folds("panel-c")]
    page.check("parts: the versions have names", [one for one in titles if one in ("Portable C", "AVX-512", "AVX2", "NEON", "WebAssembly")]
               == ["Portable C", "AVX-512", "AVX2", "NEON", "WebAssembly"], titles)
    opened = page.browser.run("return [...document.querySelectorAll('#panel-c details[open] .title')].map((one) => one.textContent)")
    page.check("parts: one of them is open", opened == ["Portable C"], opened)


REORDERED = """<ir_version: 9, opset_import: ["" : 18]>
net (float[2, 6] x, float[2, 2] d) => (y)
{
  a, b, c = Split <axis = 1, num_outputs = 3> (x)
  y = Concat <axis = 1> (d, c, a, a)
}
"""


def test_tensors(page):
    """A tensor has one colour in the pictures of all kernels."""
    page.open(link_of("model", REORDERED))
    page.browser.run("document.querySelector('#options [value=\"--ops=all\"]').click()")
    page.settle()
    hues = []
    for name in ("a", "y"):
        page.choose(name)
        hues += page.browser.run("return [...document.querySelectorAll('.card')].map((one) => Number(/hue(\\d)/.exec(one.className)[1]))")
    page.check("tensors: one colour in all kernels", hues == [0, 1, 2, 1, 2, 0, 0], hues)


def test_model(page):
    """Sizes of dynamic dimensions, options that messages propose, and how much a model copies."""
    page.open()
    at = page.browser.run("return EXAMPLES.findIndex((one) => one.title.startsWith('A detector'))")
    page.example(at)
    page.settle()
    page.keep()
    names = page.browser.run("return [...document.querySelectorAll('#size-fields input')].map((one) => one.dataset.size)")
    page.check("model: a field for each dynamic dimension", names == ["batch", "height", "width"], names)
    for name, size in (("batch", "1"), ("height", "64"), ("width", "64")):
        page.browser.type(f"[data-size={name}]", size)
    page.browser.until("return document.getElementById('command').textContent.includes('width=64')")
    page.compare("model: with sizes")
    page.browser.click("#proposals button")
    page.browser.until("return document.getElementById('command').textContent.includes('--ops=split,concat')")
    page.compare("model: with what a message proposes")
    plan = json.loads(page.native("--emit=placement").stdout)["graphs"]
    moved, copied = (sum(graph[field] for graph in plan) for field in ("bytes_moved", "bytes_copied"))
    words = page.text("#memory p")
    page.check("model: how much it copies", f"{moved:,} bytes" in words and f"{moved - copied:,} of these need no copy" in words, words)
    page.browser.run("document.querySelector('#memory details').open = true")
    page.check("model: the placement is drawn", page.browser.until("return document.querySelector('#memory img')?.naturalWidth"))
    page.browser.run("document.querySelector('#options [value=\"--open\"]').click()")
    page.browser.run("const box = document.getElementById('more'); box.value = ''; box.dispatchEvent(new Event('input'))")
    page.browser.until("return !document.getElementById('command').textContent.includes('-D')")
    page.settle()
    page.check("model: without sizes there is a message", "need -D batch=VALUE" in page.text("#status"), page.text("#status"))
    page.browser.run("[...document.querySelectorAll('#proposals button')].find((one) => one.textContent === 'Run with --open').click()")
    page.browser.until("return document.getElementById('command').textContent.includes('--open')")
    page.check("model: with the option of the message it compiles", page.settle() == "done", page.text("#status"))


# With the brightest part lit: the texts with less contrast than 4.5 to 1 to what is behind them.
CONTRAST = """const parse = (text) => { const [r, g, b, a = 1] = text.match(/[\\d.]+/g).map(Number); return [r, g, b, a]; };
    const over = ([r, g, b, a], below) => [r, g, b].map((one, at) => one * a + below[at] * (1 - a));
    const backOf = (one) => one === null ? parse(getComputedStyle(document.body).backgroundColor).slice(0, 3)
        : over(parse(getComputedStyle(one).backgroundColor), backOf(one.parentElement));
    const light = (colour) => colour.map((one) => one / 255).map((one) => one <= 0.03928 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4)
        .reduce((sum, one, at) => sum + one * [0.2126, 0.7152, 0.0722][at], 0);
    document.querySelectorAll('.card')[4].focus();
    return [...document.querySelectorAll('body *:not(#marks, #marks *, script)')].filter((one) => one.checkVisibility()
        && [...one.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim() !== '')).map((one) => {
            const back = backOf(one);
            const [a, b] = [light(over(parse(getComputedStyle(one).color), back)), light(back)].sort((x, y) => y - x);
            return [(a + 0.05) / (b + 0.05), one.tagName, one.className, one.textContent.slice(0, 20)];
        }).filter(([ratio]) => ratio < 4.5)"""


def test_looks(page, work):
    for width, height in ((1280, 1000), (400, 2000), (360, 2000)):
        page.browser.resize(width, height)
        for scheme in ("light", "dark"):
            page.browser.colours(scheme)
            page.open()
            name = f"{scheme}_{width}"
            page.browser.picture(work / f"{name}.png")
            beyond = page.browser.run("return document.documentElement.scrollWidth - document.documentElement.clientWidth")
            page.check(f"looks: {name} needs no scrolling sideways", beyond <= 0, f"{beyond} pixels")
            page.set_text("hues: u8[9,16] @1 -> " + " ".join(f"{name}:2" for name in "abcdefgh"))
            page.browser.until("return document.body.dataset.state === 'done' && document.querySelectorAll('.card').length === 8")
            page.check(f"looks: {name}: every text can be read", (dull := page.browser.run(CONTRAST)) == [], dull)
    for width, height, scheme in ((1280, 1000, "light"), (400, 2600, "dark")):
        page.browser.resize(width, height)
        page.browser.colours(scheme)
        page.open()
        at = page.browser.run("return EXAMPLES.findIndex((one) => one.kind === 'model')")
        page.example(at)
        page.settle()
        page.browser.picture(work / f"model_{scheme}_{width}.png")
    page.browser.resize(1280, 1000)
    page.browser.colours("light")
    page.browser.click("[name=kind][value=spec]")
    page.settle()
    page.set_text(MISTAKE)
    page.settle()
    page.browser.picture(work / "mistake.png")
    for width, height, scheme in ((1280, 1000, "dark"), (400, 1600, "light")):
        page.browser.resize(width, height)
        page.browser.colours(scheme)
        page.open()
        page.set_text("--help=types")
        page.browser.until("return document.body.dataset.state === 'hint'")
        page.browser.run("document.getElementById('help').click()")
        page.browser.picture(work / f"examples_{scheme}_{width}.png")


def main():
    tool, source, folder, work, driver, chromium = sys.argv[1:]
    source, folder, work = pathlib.Path(source), pathlib.Path(folder), pathlib.Path(work)
    shutil.rmtree(work, ignore_errors=True)
    (work / "inputs").mkdir(parents=True)
    browser = Browser(driver, chromium, work / "profile")
    try:
        page = Page(browser, tool, folder, work)
        test_examples(page)
        test_typing(page)
        test_files(page, source)
        test_text_alone(page)
        test_mistake(page)
        test_parts(page)
        test_model(page)
        test_tensors(page)
        test_link(page)
        test_hostile_links(page)
        test_large_results(page)
        test_cancel(page)
        test_connections(page)
        test_keyboard(page)
        test_looks(page, work)
    finally:
        browser.close()
    print(f"screenshots: {work}")
    sys.exit(page.failures > 0)


if __name__ == "__main__":
    main()
