// As much of a browser as the page uses, for node: a document made from index.html that keeps elements and their
// properties, and workers that run in this process, with the tool of this system instead of the one in WebAssembly.
"use strict";

const childProcess = require("child_process");
const fs = require("fs");
const path = require("path");
const vm = require("vm");
const zlib = require("zlib");

// CompressionStream or DecompressionStream; node 18 lacks "deflate-raw", which is made from zlib there.
function streamOf(name, makeRaw) {
    return function (format) {
        try {
            return new globalThis[name](format);
        } catch (error) {
            if (format !== "deflate-raw") {
                throw error;
            }
            return require("stream").Duplex.toWeb(makeRaw());
        }
    };
}
const CompressionStream = streamOf("CompressionStream", zlib.createDeflateRaw);
const DecompressionStream = streamOf("DecompressionStream", zlib.createInflateRaw);

const VOID = ["meta", "link", "input", "br"];

class Element {
    focus() {}

    constructor(name) {
        Object.assign(this, { name, attributes: {}, dataset: {}, style: {}, childNodes: [], listeners: {}, parent: null, value: "" });
        this.classList = { add() {}, remove() {}, toggle() {} };
    }

    append(...nodes) {
        for (const node of nodes) {
            if (node instanceof Element) {
                node.parent = this;
            }
            this.childNodes.push(node instanceof Element ? node : String(node));
        }
    }

    replaceChildren(...nodes) {
        this.childNodes = [];
        this.append(...nodes);
    }

    get textContent() {
        return this.childNodes.map((node) => (node instanceof Element ? node.textContent : node)).join("");
    }

    set textContent(text) {
        this.childNodes = [String(text)];
    }

    setAttribute(name, value) {
        this.attributes[name] = value;
        if (name.startsWith("data-")) {
            this.dataset[name.slice(5)] = value;
        } else if (["id", "type", "value", "name", "hidden", "checked", "className"].includes(name)) {
            this[name === "name" ? "group" : name] = ["hidden", "checked"].includes(name) ? true : value;
        }
    }

    getAttribute(name) {
        return this.attributes[name] ?? null;
    }

    addEventListener(kind, listener) {
        (this.listeners[kind] ??= []).push(listener);
    }

    // What a user's action does.
    act(kind) {
        (this.listeners[kind] ?? []).forEach((listener) => listener({ target: this, preventDefault() {} }));
    }

    // Selectors of one element: a name, "#id", "[attribute=value]" and ":checked", one after the other.
    matches(selector) {
        return [...selector.matchAll(/^[\w-]+|#[\w-]+|\[[^\]]+\]|:checked/g)].every(([part]) => {
            const [, name, wanted] = /^\[([\w-]+)(?:=(.*))?\]$/.exec(part) ?? [];
            if (name !== undefined) {
                const found = name.startsWith("data-") ? this.dataset[name.slice(5)] : this.attributes[name];
                return wanted === undefined ? found !== undefined : found === wanted;
            }
            return part === ":checked" ? this.checked === true : part.startsWith("#") ? this.id === part.slice(1) : this.name === part;
        });
    }

    *all() {
        for (const node of this.childNodes) {
            if (node instanceof Element) {
                yield node;
                yield* node.all();
            }
        }
    }

    querySelectorAll(selector) {
        return [...this.all()].filter((element) => element.matches(selector));
    }

    querySelector(selector) {
        return this.querySelectorAll(selector)[0] ?? null;
    }
}

function parsed(html) {
    const root = new Element("document");
    let open = root;
    for (const [tag, close, name, attributes] of html.replace(/<!--[\s\S]*?-->/g, "").matchAll(/<(\/?)([a-z]\w*)([^>]*)>|[^<]+/g)) {
        if (name === undefined) {
            open.append(tag);
        } else if (close) {
            open = open.parent;
        } else {
            const element = new Element(name);
            for (const [, key, value] of attributes.matchAll(/([\w-]+)(?:="([^"]*)")?/g)) {
                element.setAttribute(key, value ?? "");
            }
            open.append(element);
            open = VOID.includes(name) ? open : element;
        }
    }
    return root;
}

// What emscripten makes: a function that makes instances of the tool. This one runs the tool of this system in a folder.
function makerOf(tool, folder) {
    return async ({ preRun }) => {
        let sinks = [];
        preRun[0]({ FS: { init: (...given) => { sinks = given; } } });
        const inside = (name) => path.join(folder, name);
        fs.rmSync(folder, { recursive: true, force: true });
        return {
            FS: {
                filesystems: {}, mkdir: (name) => fs.mkdirSync(inside(name), { recursive: true }), chdir() {},
                mount: (kind, { files }) => files.forEach(({ name, bytes }) => fs.writeFileSync(inside(path.join("in", name)), bytes)),
                readdir: (name) => fs.readdirSync(inside(name)), readFile: (name) => fs.readFileSync(inside(name), "utf8"),
            },
            callMain(words) {
                const given = words.map((word) => (word === "/out/" ? `${inside("out")}/` : word));
                const run = childProcess.spawnSync(tool, given, { cwd: inside("in"), maxBuffer: 1 << 28 });
                run.stdout.forEach(sinks[1]);
                run.stderr.forEach(sinks[2]);
                return run.status;
            },
        };
    };
}

const SHARED = { atob, btoa, Blob, File: globalThis.File ?? require("buffer").File, TextEncoder, TextDecoder, Response, performance, console,
                 ReadableStream, CompressionStream, DecompressionStream, URL, clearTimeout, setTimeout, Uint8Array,
                 WebAssembly: { compile: async () => ({}), instantiate: async () => ({}) } };

// A page in "folder", opened with "hash". "stuck" is true while the tool of a new worker never ends.
class Page {
    constructor({ folder, tool, work, hash = "" }) {
        this.document = parsed(fs.readFileSync(path.join(folder, "index.html"), "utf8"));
        this.workers = [];
        this.stuck = false;
        this.body = this.document.querySelector("body");
        const document = {
            body: this.body, addEventListener() {},
            createElement: (name) => new Element(name),
            getElementById: (id) => this.document.querySelector(`#${id}`),
            querySelector: (selector) => this.document.querySelector(selector),
            querySelectorAll: (selector) => this.document.querySelectorAll(selector),
        };
        const blobs = [];
        const page = this;
        class Worker {
            constructor() {
                page.workers.push(this);
                this.dead = false;
                const context = vm.createContext({ ...SHARED, createSplitgen: page.stuck ? () => new Promise(() => {}) : makerOf(tool, path.join(work, "tool")),
                                                   postMessage: (data) => setImmediate(() => this.dead || this.onmessage({ data: structuredClone(data) })) });
                blobs.at(-1).text().then((script) => {
                    vm.runInContext(script, context);
                    this.context = context;
                    this.early?.forEach((message) => context.onmessage(message));
                });
            }

            // Files are read before, because the tool of this system asks for no bytes.
            async postMessage(data) {
                const read = async (file) => ({ name: file.name, bytes: Buffer.from(await file.arrayBuffer()) });
                const message = { data: { ...data, ...(data.inputs && { inputs: await Promise.all(data.inputs.map(read)) }) } };
                if (this.context) {
                    this.context.onmessage(message);
                } else {
                    (this.early ??= []).push(message);
                }
            }

            terminate() {
                this.dead = true;
            }
        }
        const context = vm.createContext({
            ...SHARED, document, Worker, location: { hash }, history: { replaceState() {} }, matchMedia: () => ({ matches: true }),
            navigator: { clipboard: {} }, URL: { createObjectURL: (blob) => blobs.push(blob) && "blob:", revokeObjectURL() {} },
        });
        context.window = { addEventListener() {} };
        this.context = context;
        for (const script of this.document.querySelectorAll("script")) {
            vm.runInContext(fs.readFileSync(path.join(folder, script.getAttribute("src")), "utf8"), context);
        }
    }

    // What an expression gives in the page.
    evaluate(expression) {
        return vm.runInContext(expression, this.context);
    }

    get(id) {
        return this.document.querySelector(`#${id}`);
    }

    // Waits until something is so; false if it is not after some seconds, by default only if it hangs.
    async until(condition, seconds = 1200) {
        for (const end = Date.now() + 1000 * seconds; Date.now() < end; ) {
            if (condition()) {
                return true;
            }
            await new Promise((done) => { setTimeout(done, 10); });
        }
        return false;
    }

    ended(seconds) {
        return this.until(() => ["done", "error", "hint"].includes(this.body.dataset.state), seconds);
    }

    // Types a text and waits for what comes of it.
    async type(text) {
        this.get("text").value = text;
        this.get("text").act("input");
        return this.ended();
    }
}

module.exports = { Page };
