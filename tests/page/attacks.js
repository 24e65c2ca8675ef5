// node attacks.js PAGE SPLITGEN WORK: links and inputs that try to make the page empty, large or slow, without a browser.
"use strict";

const childProcess = require("child_process");
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

// A link that is refused: the page says why and shows its first example.
async function refused(what, hash, words) {
    const page = open(hash);
    await page.ended(10);
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
    check("4096 parts: and says so", page.get("panel-h").textContent.includes("too long to be shown"));
    check("4096 parts: as does the table", page.get("views").textContent.includes("more parts of"));
}

async function attackKernels() {
    const page = open();
    await page.ended();
    check("300 kernels: compile", await page.type(kernelsOf(300)), page.get("status").textContent);
    check("300 kernels: the status counts all", page.get("status").textContent.startsWith("300 kernels"), page.get("status").textContent);
    const captions = () => page.document.querySelectorAll("caption").map((one) => one.textContent);
    check("300 kernels: 20 tables", captions().join() === Array.from({ length: 20 }, (none, at) => `k${at}`).join(), captions());
    check("300 kernels: the page stays small", elements(page) < 30000, elements(page));
    const options = page.get("other")?.querySelectorAll("option").map((one) => one.value) ?? [];
    check("300 kernels: the others are in a list", options.length === 281 && options[1] === "k20" && options[280] === "k299", options.length);
    check("300 kernels: k250 is not shown at first", !page.get("panel-c").textContent.includes("void k250("));
    if (options.length > 0) {
        page.get("other").value = "k250";
        page.get("other").act("change");
        check("300 kernels: k250 is shown when chosen", await page.until(() => page.get("panel-c").textContent.includes("void k250("), 10));
        check("300 kernels: so is its table, and no other", captions().includes("k250") && captions().length === 21, captions());
    }
    await page.type(NOTATION);
    check("one kernel: no list", page.get("others")?.hidden === true && captions().length === 1);
    check("one kernel: all of its C", page.get("panel-c").querySelectorAll("code").map((one) => one.textContent).join("")
        === childProcess.execFileSync(tool, ["-e", NOTATION], { encoding: "utf8" }));
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
    check("a run without end: is told about", page.get("status").textContent.startsWith("Cancelled"), page.get("status").textContent);
    check("a run without end: the next one ends", page.get("cancel") !== null && await page.type(NOTATION)
        && page.get("status").textContent.startsWith("1 kernel in"), page.get("status").textContent);
}

async function main() {
    for (const attack of [attackKinds, attackLinks, attackColours, attackKernels, attackTime]) {
        await attack().catch((error) => check(attack.name, false, error.stack));
    }
    process.exit(failures > 0 ? 1 : 0);
}

process.on("unhandledRejection", (error) => check("no promise is left alone", false, error.message));
main();
