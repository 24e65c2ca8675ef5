// The options one can tick, the words of a command line, and what a shell makes of them.
"use strict";

// "for" names the kind of input that an option has a meaning for.
const OPTIONS = [
    { words: "--open", for: "model", text: "Leave unknown dimensions dynamic: pass them on every call" },
    { words: "--ops=all", for: "model", text: "Also compile Concats and slice groups" },
    { words: "--skip=unread", for: "model", text: "Leave out outputs that nothing in the model reads" },
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

// --- what a text is ---

const COMMENTS = /^(?:\s*--[^\n]*\n)*\s*/; // of Lua
const LUA = /^(?:(?:return|local|function|for|if|while|repeat|do)\b|[A-Za-z_][\w.]*(?:\s*,\s*[A-Za-z_]\w*)*\s*(?:=|\(|\{))/;
const MODEL = /^\s*<(?:[?!]|\s*[a-z])/i; // ONNX's text begins with <ir_version ...>
const OP = /^\s*(?:\w+\s*:\s*)?[\w.]+\s*\[[^\]]*\](?:\/[\d/]+)?\s*(?:@\s*-?\d+\s*)?(?:->|<-|→|←)/;

// The kind of input that a text is without doubt, else the chosen one.
function kindOf(text, chosen) {
    if (MODEL.test(text)) {
        return "model";
    }
    if (chosen !== "notation" && OP.test(text)) {
        return "notation";
    }
    return chosen === "notation" && LUA.test(text.replace(COMMENTS, "")) ? "spec" : chosen;
}

// A command line, or its options only, as a text: { whole, notation, options }, without what says where files go; null for
// other texts.
function commandIn(text) {
    const words = wordsOf(text.replace(/^\s*\$\s+/, ""));
    if (words[0] !== "splitgen" && !/^--?[A-Za-z][\w-]*(?:[=\s]|$)/.test(text.trim())) {
        return null;
    }
    const notation = [];
    const options = [];
    for (let at = words[0] === "splitgen" ? 1 : 0; at < words.length; ++at) {
        if (["-e", "-o", "--output", "--header", "--emit"].includes(words[at])) {
            notation.push(...(words[at++] === "-e" ? [words[at] ?? ""] : []));
        } else if (!/^--(?:emit|output|header)=/.test(words[at])) {
            options.push(words[at]);
        }
    }
    return { whole: words[0] === "splitgen", notation: notation.join("; "), options: lineOf(options) };
}

// --- sizes: -D NAME=VALUE in a line of options, NAME=64? in the notation ---

// The sizes that a line of options gives, by name.
function sizesOf(line) {
    const words = wordsOf(line);
    const given = words.flatMap((word, at) => {
        const size = word === "-D" ? words[at + 1] : word.startsWith("-D") ? word.slice(2) : "";
        const [, name, value] = /^([^=]*)=(.*)$/s.exec(size) ?? [];
        return name === undefined ? [] : [[name, value]];
    });
    return new Map(given);
}

// The line with another size of that name; with none if the value is "".
function withSize(line, name, value) {
    const words = wordsOf(line);
    const isSize = (word) => word !== undefined && word.startsWith(`${name}=`);
    const kept = words.filter((word, at) => !(word.startsWith("-D") && isSize(word.slice(2)))
        && !(word === "-D" && isSize(words[at + 1])) && !(words[at - 1] === "-D" && isSize(word)));
    return lineOf(value === "" ? kept : [...kept, "-D", `${name}=${value}`]);
}

const DYNAMIC = /\b([A-Za-z_]\w*)(?:=(\d+))?\?/g; // n? or n=64?

// The dynamic dimensions of a text in the notation, with the sizes that are expected.
const dynamicIn = (text) => new Map([...text.matchAll(DYNAMIC)].map(([, name, value]) => [name, value ?? ""]));

function withExpected(text, name, value) {
    return text.replace(DYNAMIC, (all, found) => (found === name ? `${name}${value === "" ? "" : `=${value}`}?` : all));
}

// --- what messages propose ---

const EXCEPT = "--except (?:'[^']*'|[^\\s,]+)";
const PROPOSAL = new RegExp(["(?<![\\w'-])(?:--(?:ops|shape|value)[=\\s][^\\s;:'()]*[^\\s;:'(),]",
    "--(?:open\\b(?!=)|skip=un\\w+)", `${EXCEPT}(?: ${EXCEPT})*)`].join("|"), "g");
const HOLE = /[A-Z]{3,}|\?/; // DIMS, INTS, TYPE: what the user has to write
const isGiven = (words, command) => words.every((word) => command.includes(word));

// The options that messages propose and the command does not have: { words, hole }, hole being true if the user has to
// write a value.
function proposalsOf(messages, command) {
    const found = new Map();
    for (const [text] of messages.flatMap((message) => [...message.matchAll(PROPOSAL)])) {
        const words = wordsOf(text);
        if (!isGiven(words, command)) {
            found.set(text, { words, hole: /^--(shape|value)/.test(text) && HOLE.test(text.slice(text.indexOf("=") + 1)) });
        }
    }
    return [...found.values()].slice(0, 8);
}

// The sizes that messages ask for, as -D NAME=VALUE or -D NAME=...
const SIZE_ASKED = /-D '?([^\s=']+)=(?:VALUE|\.\.\.)/g;
const sizesAsked = (messages) => messages.flatMap((message) => [...message.matchAll(SIZE_ASKED)].map(([, name]) => name));
