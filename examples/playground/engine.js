// Runs the tool. It works in a worker, so that the page answers while it does; the worker's program is a string of
// tool.js and starts from a blob, so that the page's own policy, which forbids every connection, holds for it.
"use strict";

const engine = (() => {
    let module = null; // a promise of the compiled tool
    let worker = null;
    let runs = 0; // a run that is not the latest does not start
    let requests = 0;
    const waiting = new Map(); // the promises of requests without an answer, by number

    async function unpack(text) {
        const packed = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
        const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
        return new Response(stream).arrayBuffer();
    }

    function compiled() {
        module ??= unpack(splitgenWasm).then((bytes) => WebAssembly.compile(bytes));
        return module;
    }

    function receive({ id, failure, answer }) {
        const promise = waiting.get(id);
        waiting.delete(id);
        if (failure) {
            promise?.reject(new Error(failure));
        } else {
            promise?.resolve(answer);
        }
    }

    // Ends the worker, whatever it is busy with.
    function stop(reason) {
        worker?.terminate();
        worker = null;
        for (const { reject } of waiting.values()) {
            reject(new Error(reason));
        }
        waiting.clear();
    }

    function start() {
        const address = URL.createObjectURL(new Blob([splitgenWorker], { type: "text/javascript" }));
        worker = new Worker(address);
        worker.onmessage = ({ data }) => receive(data);
        worker.onerror = (event) => stop(event.message);
        URL.revokeObjectURL(address);
    }

    function ask(request) {
        if (worker === null) {
            start();
        }
        return new Promise((resolve, reject) => {
            waiting.set(++requests, { resolve, reject });
            worker.postMessage({ ...request, id: requests });
        });
    }

    // Runs the command lines one after the other over the same files, which are File objects. It ends older runs. The
    // answers are about the kernel "wanted" if there is one of that name.
    async function run(inputs, commands, wanted) {
        const own = ++runs;
        if (worker === null) {
            start(); // it reads its program while the tool is compiled
        }
        const ready = await compiled();
        if (own !== runs) {
            throw new Error("another run began");
        }
        if (waiting.size > 0) {
            stop("another run began");
        }
        return ask({ module: ready, inputs, commands, wanted });
    }

    // What the page shows of one kernel of a run.
    function kernel(files, name) {
        return ask({ files, name });
    }

    // Ends the run. Another worker is there for the next.
    function cancel() {
        ++runs;
        stop("cancelled");
        start();
    }

    return { run, kernel, cancel };
})();
