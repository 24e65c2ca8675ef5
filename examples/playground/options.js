// The options one can tick, the words of a command line, and what a shell makes of them.
"use strict";

// "for" names the kind of input that an option has a meaning for.
const OPTIONS = [
    { words: "--open", for: "model", text: "Leave unknown dimensions dynamic: pass them on every call" },
    { words: "--ops=all", for: "model", text: "Also compile Concats and slice groups" },
    { words: "--only-read", for: "model", text: "Leave out outputs that nothing in the model reads" },
    { words: "--fuse", for: "model", text: "Make one kernel of Splits that feed each other" },
    { words: "--views=omit", text: "Offsets only for contiguous outputs" },
    { words: "--optimize=size", text: "Optimise for size" },
    { words: "--unroll=none", text: "Keep loops, do not unroll" },
    { words: "--no-memcpy", text: "Copy element by element, without the C library" },
    { words: "--dispatch=static", text: "Select the instruction set at compile time" },
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
