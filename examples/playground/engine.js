// Runs the tool. It works in a worker, so that the page answers while it does; the worker's program is a string of
// tool.js and starts from a blob, so that it stands under the page's own policy, which forbids every connection.
"use strict";

const engine = (() => {
    let module = null; // a promise of the compiled tool
    let worker = null;
    let busy = false;

    async function unpack(text) {
        const packed = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
        const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
        return new Response(stream).arrayBuffer();
    }

    function compiled() {
        module ??= unpack(splitgenWasm).then((bytes) => WebAssembly.compile(bytes));
        return module;
    }

    function start() {
        const address = URL.createObjectURL(new Blob([splitgenWorker], { type: "text/javascript" }));
        worker = new Worker(address);
        URL.revokeObjectURL(address);
    }

    // Ends what an older input is still busy with.
    function stop() {
        if (busy) {
            worker.terminate();
            worker = null;
            busy = false;
        }
    }

    // Runs the command lines one after the other over the same files, which are File objects.
    async function run(inputs, commands) {
        const ready = await compiled();
        stop();
        if (worker === null) {
            start();
        }
        busy = true;
        return new Promise((resolve, reject) => {
            worker.onmessage = ({ data }) => {
                busy = false;
                if (data.failure) {
                    reject(new Error(data.failure));
                } else {
                    resolve(data.results);
                }
            };
            worker.onerror = (event) => {
                busy = false;
                worker = null;
                reject(new Error(event.message));
            };
            worker.postMessage({ module: ready, inputs, commands });
        });
    }

    return { compiled, run, stop };
})();
