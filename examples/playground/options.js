// The options one can tick, the words of a command line, and what a shell makes of them.
"use strict";

// "for" names the kind of input that an option has a meaning for.
const OPTIONS = [
    { words: "--open", for: "model", text: "Leave dimensions without a number open: they are said at each call" },
    { words: "--ops=all", for: "model", text: "Take Concats, and Slices, Gathers and sequences that cut one tensor" },
    { words: "--only-read", for: "model", text: "Leave out outputs that nothing in the model reads" },
    { words: "--fuse", for: "model", text: "Make one kernel of Splits that feed each other" },
    { words: "--views=omit", text: "No code for outputs that lie in one piece: constants say where" },
    { words: "--optimize=size", text: "Small code instead of fast code" },
    { words: "--unroll=none", text: "Keep loops: write no copies out" },
    { words: "--no-memcpy", text: "Copy element by element, without the C library" },
    { words: "--dispatch=static", text: "Choose the instruction set when the C is compiled" },
];

const MACHINES = [
    { word: "avx512", text: "AVX-512" },
    { word: "avx2", text: "AVX2" },
    { word: "neon", text: "NEON" },
    { word: "wasm", text: "WebAssembly" },
];

// --isa for the machines that are ticked; none for all of them, which is what the tool does by itself.
function isaWords(ticked) {
    if (ticked.length === MACHINES.length) {
        return [];
    }
    return [`--isa=${ticked.length > 0 ? ticked.join(",") : "portable"}`];
}

// The words of a line as a shell reads it, as far as blanks, quotes and backslashes go.
function wordsOf(line) {
    const words = [];
    for (const [word] of line.matchAll(/(?:[^\s'"\\]|\\.|'[^']*'?|"(?:[^"\\]|\\.)*"?)+/g)) {
        words.push(word.replace(/\\(.)|'([^']*)'?|"((?:[^"\\]|\\.)*)"?/g, (all, escaped, single, double) =>
            escaped ?? single ?? double.replace(/\\(.)/g, "$1")));
    }
    return words;
}

// A command line that can be pasted into a shell.
function lineOf(words) {
    return words.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`)).join(" ");
}
