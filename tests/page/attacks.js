// node attacks.js PAGE SPLITGEN WORK: links and inputs that try to make the page empty, large or slow, without a browser.
"use strict";

const childProcess = require("child_process");
const fs = require("fs");
const path = require("path");
const zlib = require("zlib");
const { Page } = require("./document.js");

const [folder, tool, work] = process.argv.slice(2).map((name) => path.resolve(name));
const MEBIBYTE = 1 << 20;
const NOTATION = "u8[4,6] @1 -> a:2 b:*";
let failures = 0;

function check(what, ok, detail = "") {
    failures += !ok;
    console.log(`${ok ? "ok" : "FAILED"}: ${what}${ok || detail === "" ? "" : `: ${detail}`}`);
}

const open = (hash = "") => new Page({ folder, tool, work, hash });
const linkOf = (json) => `#${zlib.deflateRawSync(json).toString("base64url")}`;
const elements = (page) => [...page.document.all()].length;
const kernelsOf = (count) => Array.from({ length: count }, (none, at) => `k${at}: u8[4,${at + 8}] @1 -> a:2 b:*`).join("; ");

// The text of a panel's folds in the order of the file.
const inOrder = (page, id) => page.get(id).querySelectorAll("details").sort((a, b) => a.dataset.at - b.dataset.at)
    .map((one) => one.querySelector("code").textContent).join("");

// A link that is refused: the page says why and shows its first example.
async function refused(what, hash, words) {
    const page = open(hash);
    await page.ended();
    const notice = page.get("notice");
    check(`${what}: says why`, notice?.hidden === false && words.test(notice.textContent), notice?.textContent);
    check(`${what}: the first example is there`, page.body.dataset.state === "done" && page.get("text").value.startsWith("rgb: "),
        page.get("status").textContent);
}

async function attackKinds() {
    for (const kind of ["constructor", "__proto__", "toString", "other"]) {
        const json = JSON.stringify({ kind, text: NOTATION });
        await refused(`kind ${kind}`, linkOf(json), new RegExp(`kind of input.*'${kind}'`));
    }
    for (const fields of [{ options: 5 }, { machines: "avx2" }, { more: [] }, { name: "../spec.lua" }, { name: "-o" }, { text: null }]) {
        const json = JSON.stringify({ kind: "spec", text: NOTATION, ...fields });
        await refused(`fields ${JSON.stringify(fields)}`, linkOf(json), /damaged/);
    }
}

async function attackLinks() {
    const long = (bytes) => {
        const [start, end] = ['{"kind":"notation","text":"', '"}'];
        return linkOf(start + NOTATION.padEnd(bytes - start.length - end.length, " ") + end);
    };
    const large = long(50 * MEBIBYTE);
    check(`a link of 50 MiB has ${large.length} letters`, large.length < 100000);
    await refused("a link of 50 MiB", large, /more than 1 MiB/);
    await refused("a link of 1 MiB and a byte", long(MEBIBYTE + 1), /more than 1 MiB/);
    await refused("a link cut short", linkOf(JSON.stringify({ kind: "notation", text: NOTATION })).slice(0, -8), /damaged/);
    const page = open(long(MEBIBYTE));
    check("a link of 1 MiB opens", await page.ended() && page.get("text").value.trimEnd() === NOTATION);
    check("a link of 1 MiB: no notice", page.get("notice").hidden);
}

async function attackColours() {
    const page = open();
    await page.ended();
    check("4096 parts: compiles", await page.type("u8[99,16384] @1 -> /4096"), page.get("status").textContent);
    const spans = page.document.querySelectorAll("span").length;
    check("4096 parts: at most 2 × 20000 coloured words and few others", spans < 41000, spans);
    check("4096 parts: the page stays small", elements(page) < 60000, elements(page));
    const letters = page.get("panel-h").textContent.length;
    check("4096 parts: the header is cut", letters > 300000 && letters < 410000, letters);
    check("4096 parts: and says so", page.get("panel-h").textContent.includes("too long to show"));
    check("4096 parts: as does the table", page.get("views").textContent.includes("more parts of"));
}

async function attackKernels() {
    const page = open();
    await page.ended();
    check("300 kernels: compile", await page.type(kernelsOf(300)), page.get("status").textContent);
    check("300 kernels: the status counts all", page.get("status").textContent.startsWith("300 kernels"), page.get("status").textContent);
    const captions = () => page.document.querySelectorAll("caption").map((one) => one.textContent).join();
    check("300 kernels: the first one is shown, and no other", captions() === "k0" && page.get("panel-c").textContent.includes("void k0(")
        && !page.get("panel-c").textContent.includes("void k1("), captions());
    check("300 kernels: the page stays small", elements(page) < 3000, elements(page));
    const options = page.get("kernel").querySelectorAll("option").map((one) => one.value);
    check("300 kernels: all are in the list", options.length === 300 && options[0] === "k0" && options[299] === "k299", options.length);
    page.get("kernel").value = "k250";
    page.get("kernel").act("change");
    check("300 kernels: k250 is shown when chosen", await page.until(() => page.get("panel-c").textContent.includes("void k250("), 10));
    check("300 kernels: so is its table, and no other", captions() === "k250", captions());
    check("300 kernels: so is its signature", page.get("signature").textContent.startsWith("void k250("), page.get("signature").textContent);
    await page.type(kernelsOf(251));
    check("300 kernels: another run shows the same kernel", captions() === "k250" && page.get("kernel").value === "k250", captions());
    await page.type(NOTATION);
    check("one kernel: no list", page.get("kernels").hidden === true);
    check("one kernel: all of its C", inOrder(page, "panel-c") === childProcess.execFileSync(tool, ["-e", NOTATION], { encoding: "utf8" }));
    check("one kernel: all of its header", inOrder(page, "panel-h") === childProcess.execFileSync(tool, ["-e", NOTATION, "--emit=h"], { encoding: "utf8" }));
}

// Nothing that a message says becomes an option without a button, and what a button adds is a word of the command.
async function attackProposals() {
    const page = open();
    await page.ended();
    const proposed = (message, command = []) => page.evaluate(`proposalsOf(${JSON.stringify([message])}, ${JSON.stringify(command)})`)
        .map(({ words, hole }) => `${words.join(" ")}${hole ? " …" : ""}`).join("; ");
    const cases = [
        ["--ops=split,concat would generate: Concat nodes (1)", [], "--ops=split,concat"],
        ["leave open what has no number with --open, or give -D n=VALUE, or leave them out with --except /a/S --except 'b c'", [],
            "--open; --except /a/S --except b c"],
        ["leave open what has no number with --open", ["--open"], ""],
        ["give --shape x=DIMS, or --value y=INTS", [], "--shape x=DIMS …; --value y=INTS …"],
        ["'--open' is about models, and no input is one", [], ""],
        ["-o /etc/passwd and --template-dir=/x and --emit=py", [], ""],
    ];
    for (const [message, command, wanted] of cases) {
        check(`proposals: ${message}`, proposed(message, command) === wanted, proposed(message, command));
    }
    const sized = (line, name, value) => page.evaluate(`withSize(${JSON.stringify(line)}, ${JSON.stringify(name)}, ${JSON.stringify(value)})`);
    check("sizes: are added", sized("--open", "n", "8") === "--open -D n=8");
    const replaced = sized("-D n=1 -Dn=2 -D nn=3", "n", "8");
    check("sizes: are replaced, however they are written", replaced === "-D nn=3 -D n=8", replaced);
    check("sizes: are removed", sized("-D n=1 --fuse", "n", "") === "--fuse");
    check("sizes: quotes stay", sized("-D 'a b=1'", "n", "2") === "-D 'a b=1' -D n=2", sized("-D 'a b=1'", "n", "2"));
    await page.type("k: f32[n?,12] @1 -> a:4 b:*");
    const field = page.get("size-fields").querySelector("input");
    field.value = "64";
    field.act("input");
    check("sizes: a field changes the notation", await page.ended()
        && page.get("text").value === "k: f32[n=64?,12] @1 -> a:4 b:*", page.get("text").value);
}

// The picture and the colours hold for what the plan holds: padding, parts that nobody wants, names that are alike.
async function attackColoursOfParts() {
    const page = open();
    await page.ended();
    const partsIn = (id) => page.get(id).querySelectorAll("span").filter((one) => one.dataset.part !== undefined)
        .map((one) => `${one.textContent}=${one.dataset.part}`);
    await page.type("a: u8[8,6]/8 @1 <- a:1 _:2 b:3; b: u8[4,6] @1 -> b:2 a:*");
    check("parts: the input", partsIn("marks").join() === "a=0,b=1", partsIn("marks"));
    check("parts: the signature", partsIn("signature").join() === "a_=0,b=1", partsIn("signature"));
    check("parts: constants of the header", partsIn("panel-h").includes("A_B_BYTE_OFFSET=1"), partsIn("panel-h"));
    const drawn = page.get("picture").querySelectorAll("span").filter((one) => one.className.startsWith("segment none")).length;
    check("parts: padding and what is left out are drawn in each row", drawn === 2 * 3, drawn);
    page.get("kernel").value = "b";
    page.get("kernel").act("change");
    check("parts: another kernel has its own", await page.until(() => partsIn("marks").join() === "b=0,a=1", 10), partsIn("marks"));
}

// A tensor has one colour in all kernels, and the parts of a kernel have different ones.
async function attackColoursOfTensors() {
    const page = open();
    await page.ended();
    const kernel = (name, ...tensors) => ({ name, inputs: tensors.map((tensor) => ({ tensor })) });
    const kernels = [kernel("k0", "a", "b", "c"), kernel("k1", "d", "c", "a", "b"), kernel("k2", "e", null),
                     kernel("k3", "e", "a", "a", "f"), kernel("k4", ..."ghijklmnop")];
    const hueOf = page.workers.at(-1).context.hueFinder(kernels);
    const hues = kernels.map((one) => one.inputs.map((part, at) => hueOf(one, at)).join("")).join(" ");
    check("tensors: one colour in all kernels", hues === "012 3201 12 1003 0123456701", hues);
}

async function attackTime() {
    const page = open();
    await page.ended();
    page.stuck = true;
    page.evaluate("engine").cancel?.(); // the next worker is stuck
    page.get("text").value = NOTATION;
    page.get("text").act("input");
    check("a run without end: is busy", !await page.ended(1));
    const { length } = page.workers;
    page.stuck = false;
    page.get("cancel")?.act("click");
    check("a run without end: ends by the button", page.body.dataset.state === "cancelled" && page.workers.at(-2).dead);
    check("a run without end: another worker is there", page.workers.length === length + 1 && !page.workers.at(-1).dead);
    check("a run without end: the page says so", page.get("status").textContent.startsWith("Cancelled"), page.get("status").textContent);
    check("a run without end: the next one ends", page.get("cancel") !== null && await page.type(NOTATION)
        && page.get("status").textContent.startsWith("1 kernel in"), page.get("status").textContent);
}

const SPEC = 'return split { name = "s", dtype = "u8", shape = { 4, 6 }, axis = 1, lengths = { 2, 4 } }';
const TEXT_MODEL = '<ir_version: 10, opset_import: ["" : 18]>\nnet (float[2, 6] x) => (a, b)\n{\n  a, b = Split <axis = 1, num_outputs = 2> (x)\n}\n';

// What somebody types who does not know the page: nothing, another kind of text, an option, a command line.
async function attackTexts() {
    const page = open();
    await page.ended();
    const label = () => page.get("text-label").textContent;
    const is = (what, state, words) => check(what, page.body.dataset.state === state && page.get("status").textContent.includes(words),
        `${page.body.dataset.state}: ${page.get("status").textContent}`);
    for (const text of ["", " \n\t"]) {
        await page.type(text);
        is(`no text ${JSON.stringify(text)}: a hint`, "hint", "Write an op, such as");
        check("no text: no mistake", page.get("diagnostics").hidden && page.get("text").attributes["aria-invalid"] === "false");
    }
    for (const [text, name] of [[SPEC, "spec"], [`-- planes\nlocal n = 4\n${SPEC}`, "spec"], ["split { dtype = 'u8' }", "spec"],
        ["n = 2\n", "spec"], [TEXT_MODEL, "model"], ['<?xml version="1.0"?><net/>', "model"], ["u8[4,6] @1 -> a:2 b:*", "notation"],
        ["rgb: u8[4/8,6]->/2", "notation"], ["name: u8[4", "notation"], ["k: f32[n?] <- a:1 b:2", "notation"]]) {
        const found = page.evaluate("kindOf")(text, name === "notation" ? "spec" : "notation");
        check(`${name}: ${text}`, found === (text === "name: u8[4" ? "spec" : name), found);
    }
    for (const text of ["a[1] = 5", "-- u8[4] -> /2", "return split { shape = { 4 } }"]) {
        check(`spec: stays ${text}`, page.evaluate("kindOf")(text, "spec") === "spec");
    }
    for (const [text, name] of [[SPEC, "spec"], [NOTATION, "notation"], [TEXT_MODEL, "model"], [NOTATION, "notation"]]) {
        await page.type(text);
        is(`a ${name} where another kind is expected`, "done", "1 kernel in");
        check(`a ${name}: is taken as one`, label().includes(name) && page.get("opened").textContent === `Taken as: ${label()}.`, label());
    }
    await page.type("--help=types");
    is("an option: a hint", "hint", "This is an option.");
    page.get("proposals").querySelector("button").act("click");
    check("an option: its button moves it", await page.until(() => page.get("rendered").textContent.includes("f8e4m3"), 10)
        && page.get("more").value === "--help=types" && page.get("text").value === "", page.get("rendered").textContent.slice(0, 80));
    is("an option: the text follows", "done", "prints text");
    await page.type("$ splitgen -e 'u8[4,6] @1 -> /3' --optimize=size -o k.c --header k.h --emit=c");
    is("a command line: a hint", "hint", "command line");
    page.get("proposals").querySelector("button").act("click");
    await page.until(() => page.body.dataset.state === "done", 10);
    check("a command line: its button runs it", page.get("text").value === "u8[4,6] @1 -> /3" && page.get("more").value === "--optimize=size"
        && page.get("status").textContent.startsWith("1 kernel"), `${page.get("text").value} ${page.get("more").value}`);
}

// Each message is there once, besides the fold with all that the tool prints.
async function attackMessages() {
    const page = open();
    await page.ended();
    const all = () => ["status", "places", "proposals", "notice"].map((id) => page.get(id).textContent).join("\n");
    for (const [text, messages] of [["k: u8[4,12] @1 -> a:4 b:9", ["lengths sum to 13"]],
        ["k: u8[4,12] @1 -> a:4 b:9; l: u8[4,12] @1 -> a:4 b:7", ["lengths sum to 13", "lengths sum to 11", "2 errors"]],
        ["u8[480,640,3] -> /3", ["1 kernel in"]]]) {
        await page.type(text);
        await page.until(() => page.body.dataset.state !== "busy");
        for (const message of messages) {
            check(`${text}: '${message}' once`, all().split(message).length === 2, all());
        }
        check(`${text}: what the tool prints is folded`, page.get("printed").open === false && page.get("rendered").textContent !== "");
    }
    await page.type(NOTATION);
    page.get("more").value = "--no-such-option";
    page.get("more").act("input");
    await page.ended();
    check("an unknown option: said once", all().split("--no-such-option").length === 2, all());
    check("an unknown option: no link to C", page.get("explorer").hidden);
}

// What the page leads to: examples, Compiler Explorer, the guide and the source.
async function attackLinksOut() {
    const page = open();
    await page.ended();
    const [, rison] = /^https:\/\/godbolt\.org\/#(.*)$/.exec(page.get("explorer").href) ?? [];
    const source = /source:'((?:[^!']|![!'])*)'/.exec(decodeURIComponent(rison ?? ""))?.[1].replace(/!(.)/g, "$1");
    const text = page.get("text").value;
    check("Compiler Explorer: gets the standalone C", source === childProcess.execFileSync(tool, ["-e", text, "--standalone"], { encoding: "utf8" }),
        source?.slice(0, 200));
    check("Compiler Explorer: nothing else is quoted badly", decodeURIComponent(rison).endsWith("options:'-O2'))))),version:4"), rison?.slice(-80));
    const examples = page.get("examples").querySelectorAll("button");
    check("examples: ten", examples.length === 10 && page.get("examples").hidden);
    page.get("help").act("click");
    check("examples: the button shows them", page.get("examples").hidden === false && page.get("help").attributes["aria-expanded"] === "true");
    for (const one of examples) {
        one.act("click");
        await page.ended();
        const wanted = one.textContent.startsWith("A mistake") ? "error" : "done";
        check(`example: ${one.textContent}`, page.body.dataset.state === wanted && page.get("text").value !== "" && page.get("examples").hidden,
            page.get("status").textContent);
    }
    const links = page.document.querySelector("nav").querySelectorAll("a").map((one) => one.getAttribute("href"));
    check("links: the guide and the source are there", links.length === 2 && links.every((one) => fs.existsSync(path.join(folder, one))), links);
}

async function main() {
    for (const attack of [attackTexts, attackMessages, attackLinksOut, attackKinds, attackLinks, attackColours, attackKernels, attackProposals, attackColoursOfParts,
                          attackColoursOfTensors, attackTime]) {
        await attack().catch((error) => check(attack.name, false, error.stack));
    }
    process.exit(failures > 0 ? 1 : 0);
}

process.on("unhandledRejection", (error) => check("no promise is left alone", false, error.message));
main();
