// node timing.js PAGE SPLITGEN WORK: kernels as the page makes WebAssembly of them, compared with plain loops. The
// page's scripts run in node, with the tool of this system in place of the one in WebAssembly.
"use strict";

const childProcess = require("child_process");
const path = require("path");
const vm = require("vm");
const { Page } = require("./document.js");

const [folder, tool, work] = process.argv.slice(2).map((name) => path.resolve(name));
const TEMPLATES = path.join(__dirname, "../../examples/playground");
const DTYPES = { 1: "u8", 2: "u16", 4: "f32", 8: "f64" };
const RANDOM_OPS = 200;
const WAYS = ["kernel", "loop", "copies"];
const QUICK = { milliseconds: 2, rounds: 2 };
let failures = 0;

function check(what, ok, detail = "") {
    failures += !ok;
    console.log(`${ok ? "ok" : "FAILED"}: ${what}${ok || detail === "" ? "" : `: ${detail}`}`);
}

// What the worker of a page knows.
const page = new Page({ folder, tool, work });
const context = vm.createContext({ WebAssembly, performance, TextEncoder });
vm.runInContext(page.evaluate("splitgenWorker"), context);
const timing = vm.runInContext("timing", context);

function plansOf(notation, ...options) {
    const words = ["-e", notation, "--emit=json", `--template-dir=${TEMPLATES}`, ...options];
    return JSON.parse(childProcess.execFileSync(tool, words, { encoding: "utf8", maxBuffer: 1 << 28 })).kernels;
}

// --- random ops, and what they do by a plain loop ---

let state = 1;
function below(count) {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    return Math.floor(state / 2 ** 32 * count);
}

// Rows are dense, have gaps between them, or lie in groups with gaps between these.
function randomOp(number) {
    const element = 2 ** below(4);
    const lengths = Array.from({ length: 2 + below(4) }, () => 1 + below(below(4) === 0 ? 40 : 32 / element));
    const row = lengths.reduce((sum, length) => sum + length);
    const kind = ["dense", "dense", "gaps", "groups"][below(4)];
    const op = { name: `op${number}`, element, lengths, row, kind, joins: below(2) === 1, rows: 1 + below(300) };
    const parts = lengths.map((length, i) => `p${i}:${length}`);
    op.stride = row;
    op.partStrides = lengths;
    let shape = `[${op.rows},${row}]`;
    if (op.kind === "gaps") {
        op.stride += 1 + below(9);
        op.partStrides = lengths.map((length) => length + below(3));
        shape += `/${op.stride}`;
        op.partStrides.forEach((stride, i) => { parts[i] += stride === lengths[i] ? "" : `/${stride}`; });
    } else if (op.kind === "groups") {
        const [outer, inner] = [1 + below(3), 2 + below(4)];
        op.group = 1 + below(60);
        op.groupStride = op.group * row + 1 + below(50);
        op.inner = inner;
        op.outerStride = inner * op.groupStride + below(50);
        op.rows = outer * inner * op.group;
        shape = `[${outer}/${op.outerStride},${inner}/${op.groupStride},${op.group},${row}]`;
    }
    op.text = `${op.name}: ${DTYPES[element]}${shape} @-1 ${op.joins ? "<-" : "->"} ${parts.join(" ")}`;
    return op;
}

// Elements in front of a row of the full tensor.
function placeOf(op, row) {
    if (op.kind !== "groups") {
        return row * op.stride;
    }
    const group = Math.floor(row / op.group);
    return Math.floor(group / op.inner) * op.outerStride + group % op.inner * op.groupStride + row % op.group * op.row;
}

// Bytes of the memory after the op, whose tensors begin at these addresses: first the full tensor, then its parts.
function expectedOf(op, before, addresses) {
    const after = before.slice();
    for (let row = 0; row < op.rows; ++row) {
        let full = addresses[0] + op.element * placeOf(op, row);
        op.lengths.forEach((length, i) => {
            const part = addresses[i + 1] + op.element * row * op.partStrides[i];
            const [to, from] = op.joins ? [full, part] : [part, full];
            after.set(before.subarray(from, from + length * op.element), to);
            full += length * op.element;
        });
    }
    return after;
}

function randomBytes(length) {
    const bytes = new Uint8Array(length);
    let number = below(2 ** 31);
    for (let i = 0; i < length; ++i) {
        number = Math.imul(number, 1103515245) + 12345 | 0;
        bytes[i] = number >> 16;
    }
    return bytes;
}

// Whether each way to copy does what the op says and nothing else, and what the page says of it.
function isRight(op, plan) {
    const { bytes, tensors, functions, equal } = timing.prepare(plan);
    bytes.set(randomBytes(bytes.length));
    const before = bytes.slice();
    const after = Buffer.from(expectedOf(op, before, tensors.map(({ address }) => address)));
    return WAYS.every((way) => {
        bytes.set(before);
        functions[way](1);
        return equal[way] && after.equals(bytes);
    });
}

function checkRandomOps() {
    const ops = Array.from({ length: RANDOM_OPS }, (none, number) => randomOp(number));
    const plans = plansOf(ops.map((op) => op.text).join("; "));
    check("all ops are timed", plans.length === RANDOM_OPS && plans.every((plan) => plan.why === ""));
    const wrong = ops.filter((op, i) => !isRight(op, plans[i]));
    const texts = wrong.slice(0, 5).map((op) => op.text).join("; ");
    check(`${RANDOM_OPS} random ops: every byte is right`, wrong.length === 0, texts);
    // They are of all kinds.
    const tiled = ops.filter((op, i) => plans[i].tile);
    const iteration = (plan) => plan.tile_rows * plan.tiles;
    const rest = ops.filter((op, i) => plans[i].tile && (op.group ?? op.rows) % iteration(plans[i]) !== 0);
    const all = (what, list, most, values) => check(`${most} of the ops or more ${what}`,
        list.length >= most && values.every((is) => list.some(is)), list.length);
    const sides = [(op) => op.joins, (op) => !op.joins];
    const kinds = (...words) => words.map((kind) => (op) => op.kind === kind);
    const sizes = Object.keys(DTYPES).map((bytes) => (op) => op.element === Number(bytes));
    all("have vectors", tiled, 60, [...sides, ...sizes, ...kinds("dense", "groups")]);
    all("end within an iteration", rest, 40, [...sides, ...sizes]);
    const portable = ops.filter((op, i) => !plans[i].tile);
    all("have portable code only", portable, 20, [...sides, ...kinds("dense", "gaps", "groups")]);
    return plans;
}

// --- wrong code is found ---

// The kernel with one instruction changed: what change(instruction) gives besides.
function changed(plan, at, change) {
    return { ...plan, tile: plan.tile.map((insn, i) => (i === at ? { ...insn, ...change(insn) } : insn)) };
}

const nextLane = ({ lanes: [first, ...others] }) => ({ lanes: [first === 0 ? 1 : first - 1, ...others] });

function checkChanges(plans) {
    const [rgb] = plansOf("rgb: u8[37,3] @1 -> r:1 g:1 b:1");
    const found = (plan) => !timing.prepare(plan).equal.kernel;
    const shuffles = rgb.tile.flatMap((insn, at) => (insn.lanes ? [at] : []));
    const missed = shuffles.filter((at) => !found(changed(rgb, at, nextLane)));
    check("a changed lane of any shuffle is found", shuffles.length === 6 && missed.length === 0, missed);
    const storeOf = (plan) => plan.tile.findIndex((insn) => insn.op === "store");
    const moved = ({ dst }) => ({ dst: dst + 1 });
    const deaf = plans.filter((plan) => plan.tile && !found(changed(plan, storeOf(plan), moved)));
    check("a store at another place is found", deaf.length === 0, deaf.map((plan) => plan.name));
    const { equal } = timing.timeKernel(changed(rgb, shuffles[0], nextLane), QUICK);
    check("and then the result is not equal", equal === false);
}

// --- times, and what the page shows ---

function checkTimes() {
    const [rgb, qkv, joined] = plansOf("rgb: u8[64,80,3] @2 -> r:1 g:1 b:1; qkv: f32[16,384] @1 -> q:128 k:128 v:*; "
        + "joined: u8[64,80,3] @2 <- r:1 g:1 b:1");
    for (const [plan, bytes, vectors] of [[rgb, 15360, true], [qkv, 24576, false], [joined, 15360, true]]) {
        const result = timing.timeKernel(plan, QUICK);
        const timed = WAYS.every((way) => result[way] > 0 && result[way] < 1e9);
        check(`${plan.name} is timed`, timed && result.bytes === bytes && result.equal && result.vectors === vectors,
            JSON.stringify(result));
    }
    const refused = plansOf("bits: u1[3,5] @1 -> a:1 b:4; many: u8[100,64] @1 -> /64; none: u8[0,4] @1 -> a:1 b:3; "
        + "wide: u8[4,3,n=5?] @1 -> a:1 b:2");
    const reasons = refused.map((plan) => timing.timeKernel(plan).why);
    const sentences = reasons.filter((why) => /^(It|The) .*\.$/.test(why));
    check("what is not timed has a reason", new Set(sentences).size === 4, reasons);
    const [large] = plansOf("u8[100000,2000] @1 -> a:1 b:*");
    const { why } = timing.timeKernel(large);
    check("what is too large too", /at most 134217728/.test(why), why);
    const [open] = plansOf("u8[n=200?,3] @1 -> r:1 g:1 b:1");
    check("an open dimension has the length that is expected", timing.timeKernel(open, QUICK).bytes === 600);
    const [portable] = plansOf("u8[200,3] @1 -> r:1 g:1 b:1", "--isa=portable");
    const [words] = plansOf("f32[200,9] @1 -> a:4 b:*", "--no-memcpy");
    const loops = words.iteration.every(({ op, word }) => op === "words" && word === 4);
    check("--no-memcpy copies by words", loops && timing.timeKernel(words, QUICK).equal, JSON.stringify(words.iteration));
    check("without WebAssembly the portable code runs", timing.timeKernel(portable, QUICK).vectors === false);
}

async function checkPage() {
    await page.ended();
    const place = page.get("body") ?? page.body;
    const result = await page.evaluate("engine").time([], ["-e", "rgb: u8[64,80,3] @2 -> r:1 g:1 b:1"], "rgb");
    check("the page times a kernel in its worker", result.equal && result.bytes === 15360, JSON.stringify(result));
    const show = (name, given) => page.evaluate("bars").show(place, name, given);
    show("rgb", { kernel: 500, loop: 2000, copies: 1e6, bytes: 3000, equal: true, vectors: true });
    const widths = place.querySelectorAll("rect").map((rect) => rect.getAttribute("width"));
    check("bars are as long as the ways are fast", widths.join() === "100%,25%,0.5%", widths);
    const text = place.textContent;
    const numbers = ["500 ns", "6 GB/s", "2 µs", "1 ms", "4 times as fast", "2,000 times as fast"];
    check("and their numbers are there", numbers.every((one) => text.includes(one)), text);
    check("nothing has a style of its own", [...place.all()].every((one) => one.getAttribute("style") === null));
    show("rgb", { kernel: 2000, loop: 500, copies: 500, bytes: 3000, equal: false, vectors: false });
    const said = /4 times as slow.*Error: the bytes differ.*portable/;
    check("the text says what is wrong or slow", said.test(place.textContent), place.textContent);
    show("rgb", { kernel: 1000, loop: 1040, copies: 970, bytes: 3000, equal: true, vectors: true });
    check("noise is no difference", !place.textContent.includes(" times "), place.textContent);
    show("bits", { why: "It moves single bits." });
    const why = "bits is not timed here. It moves single bits.";
    check("as is why there is no timing", place.textContent === why, place.textContent);
}

async function main() {
    checkChanges(checkRandomOps());
    checkTimes();
    await checkPage();
    process.exit(failures > 0 ? 1 : 0);
}

main();
