// Makes what the page shows out of what the tool wrote: in the worker, so that the page answers meanwhile, and within
// LIMITS.
"use strict";

const WORDS = ["static", "inline", "const", "void", "for", "if", "else", "return", "while", "switch", "case", "break", "extern",
               "struct", "sizeof", "size_t", "u?int\\d+_t", "float", "double", "char", "unsigned", "bool"];
// Comments, directives, words of C, numbers, strings, elements of arrays of pointers, and names.
const TOKENS = new RegExp([/(\/\*[\s\S]*?\*\/)/, /(^#\s*\w+)/, new RegExp(`\\b(${WORDS.join("|")})\\b`), /\b(\d[\w.]*)\b/,
    /"(?:[^"\\\n]|\\.)*"/, /(?:at->)?\b(?:in|input|inputs|out|output|outputs)\[\d+\]/, /[A-Za-z_]\w*/]
    .map(({ source }) => source).join("|"), "gm");
const CLASSES = ["comment", "directive", "word", "number"];
const CONSTANT = /_(?:BYTE_OFFSET|ROW_STRIDE|ELEMENTS|BYTES|VIEW|OFFSET|STRIDES|ALIGN)$/;

const lineCount = (text) => text.split("\n").length - 1;
const partsOf = (kernel) => kernel.outputs ?? kernel.inputs ?? [];
const grouped = (number) => (typeof number === "number" ? number.toLocaleString("en") : String(number ?? "none"));
const listed = (value) => (Array.isArray(value) ? `[${value.join(", ")}]` : String(value ?? "none"));

// A function from a word of a kernel's C to the number of the part that it is about, or undefined.
function partFinder(kernel) {
    const found = new Map();
    const arrays = kernel.op === "concat" ? ["in", "input", "inputs", "at->in"]
        : ["out", "output", "outputs", "at->out"];
    partsOf(kernel).forEach(({ name, symbol }, part) => {
        const constants = [name, symbol].map((one) => `${kernel.name}_${one}`.toUpperCase());
        [symbol, `"${name}"`, ...constants].forEach((word) => found.set(word, part));
    });
    for (const { place, parts } of kernel.parameters ?? []) {
        if (place !== null && parts.length === 1) {
            arrays.forEach((name) => found.set(`${name}[${place}]`, parts[0]));
        }
    }
    return (word) => found.get(word) ?? (CONSTANT.test(word) ? found.get(word.replace(CONSTANT, "")) : undefined);
}

// As much of a text as the budget has letters for, and for each word with a colour its first letter, the letter after its
// last one, and its class or the number of its part, in one array.
function coloured(text, budget, partOf) {
    const shown = text.slice(0, budget.letters);
    const marks = [];
    budget.letters -= shown.length;
    for (const match of shown.matchAll(TOKENS)) {
        if (budget.spans <= 0) {
            break;
        }
        const kind = CLASSES.find((name, at) => match[at + 1] !== undefined) ?? partOf(match[0]);
        if (kind !== undefined) {
            marks.push(match.index, match.index + match[0].length, kind);
            --budget.spans;
        }
    }
    return { text: shown, marks, cut: shown.length < text.length };
}

// A fold for each group. One is open: the first version of the function, or what there is instead.
function foldsOf(groups, budget, partOf) {
    const first = groups.find(({ title }) => isVersion(title)) ?? groups.find(({ title }) => title === ENTRY || title === PROTOTYPE);
    return groups.filter(({ text }) => text !== "").map((group) => ({
        title: group.title, lines: lineCount(group.text), isVersion: isVersion(group.title), open: group === first,
        ...coloured(group.text, budget, partOf),
    }));
}

// The prototype without its comment, a parameter on each line.
function signatureOf(sections, partOf) {
    const prototype = withoutComments(sections[0] ?? "").split(";")[0].trim().replace(/\s+/g, " ");
    const text = prototype.replace("(", "(\n    ").replaceAll(", ", ",\n    ");
    return coloured(text === "" ? "" : `${text};`, { ...LIMITS }, partOf);
}

// Where a part lies in a row of the tensor, from 0 to 1.
function spanOf(part, kernel) {
    const tensor = kernel.input ?? kernel.output;
    const total = kernel.lengths.reduce((sum, one) => sum + one, 0);
    const filled = tensor.strides // of a row; the rest is padding
        ? total * tensor.strides[kernel.axis] / tensor.row_stride
        : tensor.bytes / kernel.row_bytes - (kernel.rows - 1);
    return [part.start, part.start + part.length].map((at) => (at / total) * (filled || 1)); // an empty tensor has no row
}

// A function from a kernel and the number of a part to the part's hue: a tensor has the same in all kernels, and parts of
// one kernel have different ones while there are enough. The first choice is the part's number.
function hueFinder(kernels) {
    const keyOf = (kernel, part) => partsOf(kernel)[part].tensor ?? `${kernel.name} ${part}`;
    const numbers = (kernel) => [...partsOf(kernel).keys()];
    const taken = new Map(); // a tensor's sets of hues: one of each kernel that it is a part of
    for (const kernel of kernels) {
        const own = new Set();
        numbers(kernel).map((part) => keyOf(kernel, part)).forEach((key) => taken.set(key, [...taken.get(key) ?? [], own]));
    }
    const found = new Map();
    for (const kernel of kernels) {
        for (const part of numbers(kernel)) {
            const key = keyOf(kernel, part);
            const order = Array.from({ length: HUES }, (none, i) => (part + i) % HUES);
            const free = (hue) => !taken.get(key).some((own) => own.has(hue));
            const hue = found.get(key) ?? order.find(free) ?? order[0];
            found.set(key, hue);
            taken.get(key).forEach((own) => own.add(hue));
        }
    }
    return (kernel, part) => found.get(keyOf(kernel, part));
}

// What the picture and the table show.
function drawingOf(kernel, hueOf) {
    const all = partsOf(kernel);
    const tensor = kernel.input ?? kernel.output;
    const parts = all.slice(0, LIMITS.rows).map((part, at) => ({
        name: part.name, tensor: part.tensor, hue: hueOf(kernel, at), span: spanOf(part, kernel), shape: listed(part.shape),
        bytes: grouped(part.bytes),
        view: part.view, why: part.view_why ?? "", strides: listed(part.strides),
        offset: Array.isArray(part.byte_offset) ? listed(part.byte_offset) : grouped(part.byte_offset),
    }));
    return {
        name: kernel.name, op: kernel.op, parts, left: all.length - parts.length, rows: kernel.rows,
        rowBytes: kernel.row_bytes, bytes: grouped(tensor.bytes), open: (kernel.open ?? []).map(({ name }) => name),
        tensor: `${tensor.tensor ?? tensor.name}: ${kernel.dtype}${listed(tensor.shape)}`,
    };
}

const fileOf = (files, end) => files[Object.keys(files).find((name) => name.endsWith(end))];

const PROTOTYPE = "Prototype and constants";

function kernelOf(files, plan, name) {
    const kernel = plan.kernels.find((one) => one.name === name);
    const names = new Set(plan.kernels.map((one) => one.name));
    const partOf = partFinder(kernel);
    const c = sectionsOfC(fileOf(files, ".c"), names);
    const h = sectionsOfHeader(fileOf(files, ".h"), names);
    const [budget, other] = [{ ...LIMITS }, { ...LIMITS }];
    const own = h.get(name) ?? [];
    return {
        drawing: drawingOf(kernel, hueFinder(plan.kernels)), signature: signatureOf(own, partOf),
        c: foldsOf([{ title: "Includes and checks, for all kernels", text: c.get("").join("") },
                    ...groupsOf(c.get(name) ?? [], name)], budget, partOf),
        h: foldsOf([{ title: "Guard and includes", text: h.get("").join("") },
                    { title: PROTOTYPE, text: own.join("") },
                    { title: "Registry", text: (h.get(END) ?? []).join("") }], other, partOf),
    };
}

function summaryOf(kernel) {
    const parts = partsOf(kernel).slice(0, 6).map(({ name }) => name ?? "_");
    const more = partsOf(kernel).length > parts.length ? ", …" : "";
    const { shape } = kernel.input ?? kernel.output;
    const arrow = kernel.op === "concat" ? "←" : "→";
    return `${kernel.name}  ${kernel.dtype}[${shape.join(",")}] ${arrow} ${parts.join(", ")}${more}`;
}

// The names of the kernels, and one of them: the one that is wanted, else the first. null if the files have no kernels.
function prepared(files, wanted) {
    const plan = JSON.parse(fileOf(files, ".json"));
    if (plan.kernels === undefined) {
        return null;
    }
    const list = plan.kernels.slice(0, LIMITS.names).map((kernel) => ({ name: kernel.name, text: summaryOf(kernel) }));
    const name = list.some((one) => one.name === wanted) ? wanted : list[0].name;
    return { count: plan.kernels.length, list, toCopy: plan.bytes_to_copy, free: plan.bytes_without_copy,
             kernel: kernelOf(files, plan, name) };
}

function preparedKernel(files, name) {
    return kernelOf(files, JSON.parse(fileOf(files, ".json")), name);
}
