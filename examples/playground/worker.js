// The end of the worker's program; build_page.py puts what emscripten made, createSplitgen, and the other scripts of the
// worker in front of it. A message has the compiled tool, files, the command lines to run and the kernel to show; the
// answer has what each of them printed and wrote. Or a message has what a run wrote and the name of a kernel; the answer
// has what to show of it.
"use strict";

function readOutput(FS) {
    const files = {};
    for (const name of FS.readdir("/out").filter((name) => !name.startsWith("."))) {
        files[name] = FS.readFile(`/out/${name}`, { encoding: "utf8" });
    }
    return files;
}

// Each run has an instance of its own, with empty memory and empty folders. The files of the input are not read into
// memory: the tool asks the browser for the bytes it wants.
async function run(module, inputs, words, wanted) {
    const printed = [];
    const complaints = [];
    const tool = await createSplitgen({
        instantiateWasm(imports, receive) {
            WebAssembly.instantiate(module, imports).then((instance) => receive(instance));
            return {};
        },
        preRun: [(own) => own.FS.init(() => null, (byte) => printed.push(byte & 255), (byte) => complaints.push(byte & 255))],
    });
    const { FS } = tool;
    FS.mkdir("/in");
    FS.mkdir("/out");
    FS.mount(FS.filesystems.WORKERFS, { files: inputs }, "/in");
    FS.chdir("/in");
    const start = performance.now();
    const code = tool.callMain(words);
    const milliseconds = performance.now() - start;
    const text = (bytes) => new TextDecoder().decode(new Uint8Array(bytes));
    const files = readOutput(FS);
    const shown = fileOf(files, ".c") === undefined ? null : prepared(files, wanted);
    return { code, milliseconds, output: text(printed), errors: text(complaints), files, shown };
}

async function runAll({ module, inputs, commands, wanted }) {
    const results = [];
    for (const words of commands) {
        results.push(await run(module, inputs, words, wanted));
    }
    return results;
}

function answerTo(data) {
    return "commands" in data ? runAll(data) : preparedKernel(data.files, data.name);
}

onmessage = async ({ data }) => {
    try {
        postMessage({ id: data.id, answer: await answerTo(data) });
    } catch (error) {
        postMessage({ id: data.id, failure: String(error) });
    }
};
