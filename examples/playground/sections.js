// Cuts generated C into sections, which the page folds. Together they are the text, byte for byte.
"use strict";

// A section begins behind an empty line, with a line that is not indented.
function sectionsOf(text) {
    return text.split(/(?<=\n\n)(?=[^\s}])/);
}

// The first sentence of the comment that a section begins with; "" without one.
function sentenceOf(section) {
    const comment = /^(?:#if[^\n]*\n)?\/\*([\s\S]*?)\*\//.exec(section);
    const words = comment === null ? "" : comment[1].replace(/\n \*/g, " ").replace(/\s+/g, " ").trim();
    return words.split(/(?<=\.)\s/)[0].replace(/\.$/, "");
}

// What a section defines: the first name in front of a parenthesis, a bracket or "=" in a line that is not indented.
function symbolOf(section) {
    const code = section.replace(/\/\*[\s\S]*?\*\//g, "");
    const found = /^(?:static|extern|const|void|[A-Za-z_])[^\n#(]*?(\w+)(?:\(|\[| =)/m.exec(code);
    return found === null ? "" : found[1];
}

function titleOf(section) {
    const symbol = symbolOf(section);
    const sentence = sentenceOf(section);
    return [symbol, sentence].filter((word) => word !== "").join(": ") || section.split("\n", 1)[0];
}

// Groups of sections: one for all kernels in front, whose kernel is null, then one for each kernel, whose first section
// says what it is.
function groupsOf(text, kernels) {
    const names = new Set(kernels);
    const groups = [{ kernel: null, title: "For all kernels", sections: [] }];
    for (const section of sectionsOf(text)) {
        const kernel = /^\/\* (\w+): /.exec(section);
        if (kernel !== null && names.has(kernel[1])) {
            const heading = /^\/\* ([^\n]*)/.exec(section)[1].replace(/[.\s*/]+$/, "");
            groups.push({ kernel: kernel[1], title: heading, sections: [] });
        }
        groups.at(-1).sections.push(section);
    }
    return groups;
}
