// Cuts generated C into sections, and these into groups with a title, which the page folds. Together they are the text,
// byte for byte.
"use strict";

// A section begins after an empty line, with a line that is not indented.
function sectionsOf(text) {
    return text.split(/(?<=\n\n)(?=[^\s}])/);
}

const withoutComments = (text) => text.replace(/\/\*[\s\S]*?\*\//g, "");

// What a section defines: the first name in front of a parenthesis, a bracket or "=" in a line that is not indented.
function symbolOf(section) {
    const found = /^(?:static|extern|const|void|[A-Za-z_])[^\n#(]*?(\w+)(?:\(|\[| =)/m.exec(withoutComments(section));
    return found === null ? "" : found[1];
}

const END = "/end"; // what no kernel is called

// The sections of each kernel by its name, those in front of the first kernel by "", and those after the last one by
// END. startOf returns which of these begins with a section, or null.
function sectionsByKernel(text, startOf) {
    const found = new Map([["", []]]);
    let current = "";
    for (const section of sectionsOf(text)) {
        current = startOf(section) ?? current;
        found.set(current, [...found.get(current) ?? [], section]);
    }
    return found;
}

// In a C file each kernel begins with a comment that says what it does.
function sectionsOfC(text, names) {
    return sectionsByKernel(text, (section) => {
        const [, name] = /^\/\* (\w+): /.exec(section) ?? [];
        return names.has(name) ? name : null;
    });
}

// In a header each kernel begins with its prototype; the registry follows the last one.
function sectionsOfHeader(text, names) {
    return sectionsByKernel(text, (section) => {
        const name = symbolOf(section);
        return names.has(name) ? name : withoutComments(section).includes("splitgen_registry") ? END : null;
    });
}

const VERSIONS = { avx512: "AVX-512", avx2: "AVX2", neon: "NEON", wasm: "WebAssembly" };
const PORTABLE = "Portable C";
const ENTRY = "Entry point";
const isVersion = (title) => title === PORTABLE || Object.values(VERSIONS).includes(title);

// The group of the section that defines a symbol; "before" is the group of the section before it.
function titleOf(symbol, kernel, before) {
    const own = symbol.startsWith(`${kernel}_`) ? symbol.slice(kernel.length + 1) : "";
    const version = Object.keys(VERSIONS).find((word) => own === word || own.startsWith(`${word}_`));
    if (version !== undefined) {
        return VERSIONS[version];
    }
    if (own === "any") {
        return "Dispatch: selects a version at run time";
    }
    if (symbol === kernel) {
        return ENTRY;
    }
    return before === ENTRY ? "Descriptor" : before;
}

// The sections of a kernel in groups of { title, text }, in the order of the file: its description, its versions, and
// what calls and describes them.
function groupsOf(sections, kernel) {
    const groups = [];
    let title = PORTABLE;
    sections.forEach((section, at) => {
        title = at === 0 ? title : titleOf(symbolOf(section), kernel, title);
        const name = at === 0 ? "Description and prototype" : title;
        if (groups.at(-1)?.title === name) {
            groups.at(-1).text += section;
        } else {
            groups.push({ title: name, text: section });
        }
    });
    return groups;
}
