// Makes what the page shows out of what the tool wrote: in the worker, so that the page answers meanwhile, and within
// LIMITS.
"use strict";

// Comments, lines of the preprocessor, words of C and numbers, each in a span.
const TOKENS = /(\/\*[\s\S]*?\*\/)|(^#[^\n]*)|\b(static|inline|const|void|for|if|else|return|while|switch|case|break|extern|struct|sizeof|size_t|u?int\d+_t|float|double|char|unsigned|bool)\b|\b(\d[\w.]*)\b/gm;
const CLASSES = ["comment", "directive", "word", "number"];

const lineCount = (text) => text.split("\n").length - 1;

// As much of a text as the budget has letters for, and for each word with a colour its first letter, the letter after its
// last one, and its class, in one array.
function coloured(text, budget) {
    const shown = text.slice(0, budget.letters);
    const marks = [];
    budget.letters -= shown.length;
    const words = shown.matchAll(TOKENS);
    for (; budget.spans > 0; --budget.spans) {
        const { done, value: match } = words.next();
        if (done) {
            break;
        }
        marks.push(match.index, match.index + match[0].length, CLASSES.find((name, at) => match[at + 1] !== undefined));
    }
    return { text: shown, marks, cut: shown.length < text.length };
}

// A kernel's first section is its description, which has no title; the others are folded, unless there are few.
function preparedGroup(group, budget) {
    const all = group.sections.join("");
    const parts = [];
    for (const section of group.sections) {
        if (budget.sections === 0 || budget.letters === 0) {
            break;
        }
        --budget.sections;
        const described = group.kernel !== null && parts.length === 0;
        parts.push({ title: described ? null : titleOf(section), lines: lineCount(section), ...coloured(section, budget) });
    }
    return { title: group.title, lines: lineCount(all), open: group.kernel !== null, small: all.length < 4000, parts,
             cut: parts.length < group.sections.length || parts.some((part) => part.cut) };
}

function rowOf(part) {
    const list = (value) => (Array.isArray(value) ? `[${value.join(", ")}]` : String(value ?? "none"));
    return [part.name ?? "not wanted", list(part.shape), list(part.bytes), list(part.byte_offset), list(part.strides),
            `${part.view ?? "none"}${part.view_why ? `: ${part.view_why}` : ""}`];
}

function preparedTables(kernels) {
    let left = LIMITS.rows;
    return kernels.map((kernel) => {
        const parts = kernel.outputs ?? kernel.inputs ?? [];
        const shown = parts.slice(0, left);
        left -= shown.length;
        return { name: kernel.name, rows: shown.map(rowOf), left: parts.length - shown.length };
    });
}

const fileOf = (files, end) => files[Object.keys(files).find((name) => name.endsWith(end))];

// The first kernels, with the header and the names of the others.
function prepared(files) {
    const { kernels } = JSON.parse(fileOf(files, ".json"));
    const names = kernels.map((kernel) => kernel.name);
    const first = names.slice(0, LIMITS.kernels);
    const budget = { ...LIMITS };
    const groups = groupsOf(fileOf(files, ".c"), names).filter(({ kernel }) => kernel === null || first.includes(kernel));
    return {
        count: names.length, first, others: names.slice(first.length, first.length + LIMITS.names),
        groups: groups.map((group) => preparedGroup(group, budget)),
        header: coloured(fileOf(files, ".h"), { ...LIMITS }),
        tables: preparedTables(kernels.slice(0, first.length)),
    };
}

// One of the others.
function preparedKernel(files, name) {
    const { kernels } = JSON.parse(fileOf(files, ".json"));
    const budget = { ...LIMITS };
    const groups = groupsOf(fileOf(files, ".c"), kernels.map((kernel) => kernel.name)).filter(({ kernel }) => kernel === name);
    return { groups: groups.map((group) => preparedGroup(group, budget)),
             tables: preparedTables(kernels.filter((kernel) => kernel.name === name)) };
}
