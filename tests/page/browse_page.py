#!/usr/bin/env python3
"""Opens the page in a browser and compares what it shows with what the tool of this system prints.

    browse_page.py SPLITGEN SOURCE PAGE WORK CHROMEDRIVER CHROMIUM

PAGE is the folder that examples/playground/build_page.py made; screenshots go to WORK.
"""
import base64
import json
import os
import pathlib
import shlex
import shutil
import socket
import subprocess
import sys
import time
import zlib

from browser import Browser

SLOWEST = 100  # milliseconds for an example, the best of some runs on a machine that has nothing else to do
FROZEN = 1000  # milliseconds without an answer that a page seems frozen after, on such a machine
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


def business(tool):
    """How many times as long as it works a program takes here: 1 on a machine that has nothing else to do."""
    before, start = os.times(), time.monotonic()
    for _ in range(10):
        subprocess.run([tool, "-e", "u8[1080,1920,3] @2 -> /3"], stdout=subprocess.DEVNULL, check=True)
    after = os.times()
    worked = after.children_user + after.children_system - before.children_user - before.children_system
    return max(1.0, (time.monotonic() - start) / max(worked, 0.01))


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

    def compare(self, what):
        """Everything that the page shows, with what the tool prints."""
        state = self.settle()
        self.check(f"{what}: compiles", state == "done", self.text("#status"))
        self.same(f"{what}: C", self.text("#panel-c code"), self.native().stdout)
        self.same(f"{what}: header", self.text("#panel-h code"), self.native("--emit=h").stdout)
        self.same(f"{what}: plan", self.text("#panel-json code"), self.native("--emit=json").stdout)
        self.same(f"{what}: explained", self.text("#panel-explain code"), self.native("--explain").stdout)
        width = self.browser.until("const image = document.querySelector('#picture img'); return image.complete && image.naturalWidth")
        self.check(f"{what}: picture", width > 100, width)

    def keep(self):
        """The text of the page as the file that its command names."""
        (self.inputs / shlex.split(self.text("#command"))[-1]).write_text(self.browser.run("return document.getElementById('text').value"))

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
        page.browser.run(f"const box = document.getElementById('example'); box.value = '{at}'; box.dispatchEvent(new Event('change'))")
        page.settle()
        if page.browser.run(f"return EXAMPLES[{at}].kind") != "notation":
            page.keep()
        if title == "A mistake":
            page.check(f"{title}: is one", page.settle() == "error")
            continue
        page.compare(title)
        took = min(page.browser.run("""await new Promise((done) => setTimeout(done, 20));
            const box = document.getElementById('options'); document.body.dataset.state = 'busy'; box.dispatchEvent(new Event('change'));
            while (document.body.dataset.state === 'busy') { await new Promise((done) => setTimeout(done, 10)); }
            return Number(document.body.dataset.milliseconds)""") for _ in range(8))
        limit = SLOWEST * business(page.tool)
        page.check(f"{title}: {took:.1f} ms, less than {limit:.0f}", took < limit)


def test_typing(page):
    page.open()
    page.browser.run("document.getElementById('text').select()")
    page.browser.type("#text", "typed: f32[4,12] @1 -> a:5 b:*; w: u4[4096,8] @1 -> low:2 high:*")
    page.browser.until("return document.body.dataset.state === 'done' && document.getElementById('command').textContent.includes('typed')")
    page.compare("typed notation")
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


def longest_silence(page, text):
    """Types a text; how long the page does not answer, at most, in milliseconds, until all of its results are drawn."""
    return page.browser.run("""let last = performance.now(), longest = 0;
        const tick = () => { longest = Math.max(longest, performance.now() - last); last = performance.now(); };
        const timer = setInterval(tick, 10);
        const box = document.getElementById('text');
        document.getElementById('tab-c').click();
        box.value = %s;
        box.dispatchEvent(new Event('input'));
        while (document.body.dataset.state === 'busy') { await new Promise((done) => setTimeout(done, 20)); }
        await new Promise((done) => requestAnimationFrame(() => setTimeout(done, 50)));
        tick();
        clearInterval(timer);
        return longest""" % js(text))


def test_large_results(page):
    page.open()
    limit = FROZEN * business(page.tool)
    for what, text in (("4096 parts", "u8[99,16384] @1 -> /4096"),
                       ("300 kernels", "; ".join(f"k{at}: u8[4,{at + 8}] @1 -> a:2 b:*" for at in range(300)))):
        silence = longest_silence(page, text)
        page.check(f"{what}: done", page.settle() == "done", page.text("#status"))
        page.check(f"{what}: the page always answers within {silence:.0f} ms", silence < limit, f"more than {limit:.0f}")
    page.browser.run("const box = document.getElementById('other'); box.value = 'k250'; box.dispatchEvent(new Event('change'))")
    page.check("300 kernels: another one is shown", page.browser.until(
        "return document.getElementById('panel-c').textContent.includes('void k250(')"))


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
    page.browser.run("document.getElementById('tab-picture').focus()")
    page.browser.type("#tab-picture", "\ue014")  # the right arrow
    page.check("keyboard: an arrow shows the next tab", page.browser.run(
        "return !document.getElementById('panel-c').hidden && document.getElementById('panel-picture').hidden && "
        "document.activeElement.id === 'tab-c'"))
    nameless = page.browser.run("""return [...document.querySelectorAll('input, select, textarea, button, summary, img')]
        .filter((one) => !(one.labels?.length || one.textContent.trim() || one.getAttribute('aria-label') || one.alt)).map((one) => one.outerHTML)""")
    page.check("keyboard: everything has a name", nameless == [], nameless)


def test_looks(page, work):
    for name, width, height, scheme in (("light", 1400, 1100, "light"), ("dark", 1400, 1100, "dark"), ("narrow", 360, 1600, "light")):
        page.browser.resize(width, height)
        page.browser.colours(scheme)
        page.open()
        beyond = page.browser.run("return document.documentElement.scrollWidth - document.documentElement.clientWidth")
        page.check(f"looks: {name} needs no scrolling sideways", beyond <= 0, f"{beyond} pixels")
        page.browser.picture(work / f"{name}.png")
        page.browser.click("#tab-c")
        page.browser.picture(work / f"{name}_c.png")
    page.browser.resize(1400, 1100)
    page.browser.colours("light")
    page.browser.click("[name=kind][value=spec]")
    page.settle()
    page.set_text(MISTAKE)
    page.settle()
    page.browser.picture(work / "mistake.png")


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
