// Runs a kernel as WebAssembly, compares each of its bytes with what a plain loop copies, and times it: in the worker. A
// description is a kernel of the document that templates/plan.json.tmpl prints.
"use strict";

const timing = (() => {
    const WAYS = ["kernel", "loop", "copies"];
    const PAGE = 65536; // bytes of a page of WebAssembly's memory
    const MOST = 1 << 30; // bytes of all tensors
    const UNTOUCHED = 0xa5; // what every byte of the result is before a run
    const MILLISECONDS = 50; // of one measurement
    const ROUNDS = 5; // the fastest one counts

    // The first byte of each row, of the full tensor and of each part.
    function* rowsOf({ rows, row_steps: steps, groups }) {
        const levels = [...groups, { rows: 1, steps }];
        for (let row = 0; row < rows; ++row) {
            yield steps.map((step, tensor) => {
                let left = row;
                let place = 0;
                for (const level of levels) {
                    place += Math.floor(left / level.rows) * level.steps[tensor];
                    left %= level.rows;
                }
                return place;
            });
        }
    }

    // Bytes from the first to the last one of each tensor.
    function spansOf(kernel) {
        let last = [];
        for (last of rowsOf({ ...kernel, rows: kernel.rows })); // strides only grow
        const ends = kernel.columns.map(({ at, bytes }) => at + bytes);
        return last.map((place, tensor) => place + (tensor === 0 ? Math.max(...ends) : kernel.columns[tensor - 1].bytes));
    }

    // Where the tensors lie: at multiples of 64 bytes, apart from each other.
    function layOut(kernel) {
        let end = 0;
        return spansOf(kernel).map((bytes) => {
            const address = Math.ceil(end / 64) * 64;
            end = address + bytes;
            return { address, bytes, written: false };
        });
    }

    // Bytes that look random, the same in every run.
    function fill(bytes) {
        let state = 1;
        for (let i = 0; i < bytes.length; ++i) {
            state = Math.imul(state, 1664525) + 1013904223;
            bytes[i] = state >>> 24;
        }
    }

    // What a plain loop makes of the memory.
    function expectedOf(kernel, memory, tensors) {
        const expected = memory.slice();
        for (const row of rowsOf(kernel)) {
            kernel.columns.forEach(({ at, bytes }, column) => {
                const full = tensors[0].address + row[0] + at;
                const part = tensors[column + 1].address + row[column + 1];
                const [to, from] = kernel.joins ? [full, part] : [part, full];
                for (let i = 0; i < bytes; ++i) {
                    expected[to + i] = memory[from + i];
                }
            });
        }
        return expected;
    }

    // The memory with all tensors, its functions, and whether each of them copied what a plain loop does and no other byte.
    function prepare(kernel) {
        const tensors = layOut(kernel);
        const end = tensors.at(-1).address + tensors.at(-1).bytes;
        if (end > MOST) {
            throw new Error(`Its tensors have ${end} bytes together; ${MOST} are the most that are timed here.`);
        }
        const memory = new WebAssembly.Memory({ initial: Math.ceil(end / PAGE) });
        const bytes = new Uint8Array(memory.buffer);
        const program = new WebAssembly.Module(kernelWasm(kernel, tensors.map(({ address }) => address)));
        const functions = new WebAssembly.Instance(program, { page: { memory } }).exports;
        const written = kernel.joins ? tensors.slice(0, 1) : tensors.slice(1);
        const clear = () => written.forEach((one) => bytes.fill(UNTOUCHED, one.address, one.address + one.bytes));
        fill(bytes);
        clear();
        const expected = expectedOf(kernel, bytes, tensors);
        const equal = {};
        for (const way of WAYS) {
            clear();
            functions[way](1);
            equal[way] = bytes.every((byte, i) => byte === expected[i]);
        }
        return { functions, equal };
    }

    function millisecondsOf(run, times) {
        const start = performance.now();
        run(times);
        return performance.now() - start;
    }

    // How often a function runs in the time of a measurement. The engine compiles it well meanwhile.
    function timesOf(run, least) {
        let times = 1;
        for (let taken = 0; (taken = millisecondsOf(run, times)) < least;) {
            times = Math.max(2 * times, Math.ceil(1.2 * times * least / Math.max(taken, least / 100)));
        }
        return times;
    }

    // {kernel, loop, copies} in nanoseconds for all of the tensor, the bytes that are moved, and whether all bytes are right.
    // Or {why}, a sentence, if the kernel is not timed.
    function timeKernel(kernel, { milliseconds = MILLISECONDS, rounds = ROUNDS } = {}) {
        if (kernel.why !== "") {
            return { why: kernel.why };
        }
        const { functions, equal } = prepare(kernel);
        const times = {};
        const best = {};
        for (const way of WAYS) {
            times[way] = timesOf(functions[way], milliseconds);
            best[way] = Infinity;
        }
        for (let round = 0; round < rounds; ++round) {
            for (const way of WAYS) {
                best[way] = Math.min(best[way], millisecondsOf(functions[way], times[way]) * 1e6 / times[way]);
            }
        }
        const bytes = kernel.rows * kernel.columns.reduce((sum, column) => sum + column.bytes, 0);
        return { ...best, bytes, equal: WAYS.every((way) => equal[way]) };
    }

    return { timeKernel, prepare };
})();
