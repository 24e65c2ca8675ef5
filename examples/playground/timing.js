// Runs a kernel as WebAssembly, compares each of its bytes with what a plain loop copies, and times it: in the worker.
// A description is a kernel of the document that plan.json.tmpl prints.
"use strict";

const timing = (() => {
    const WAYS = ["kernel", "loop", "copies"];
    const PAGE = 65536; // bytes of a page of WebAssembly's memory
    const MOST = 1 << 27; // bytes of all tensors
    const UNTOUCHED = 0xa5; // what every byte of the result is before a run
    const MILLISECONDS = 20; // of one measurement
    const ROUNDS = 8; // the fastest one counts
    const ENOUGH = 200; // milliseconds after which a function that is slow is measured no more

    // The place of a row in a tensor; number 0 is the full tensor. Rows may lie in groups with gaps between them.
    function placeOf({ row_steps: steps, groups }, tensor, row) {
        if (groups.length === 0) { // the loop below would do, but takes longer
            return row * steps[tensor];
        }
        let place = 0;
        let left = row;
        for (const group of groups) {
            place += Math.floor(left / group.rows) * group.steps[tensor];
            left %= group.rows;
        }
        return place + left * steps[tensor];
    }

    // Bytes of each tensor from its first to its last.
    function spansOf(kernel) {
        const ends = kernel.columns.map(({ at, bytes }) => at + bytes);
        const widths = [Math.max(...ends), ...kernel.columns.map(({ bytes }) => bytes)];
        return widths.map((width, tensor) => placeOf(kernel, tensor, kernel.rows - 1) + width);
    }

    // Where the tensors lie: at multiples of 64 bytes, apart from each other.
    function layOut(kernel) {
        let end = 0;
        return spansOf(kernel).map((bytes) => {
            const address = Math.ceil(end / 64) * 64;
            end = address + bytes;
            return { address, bytes };
        });
    }

    const endOf = (tensors) => tensors.at(-1).address + tensors.at(-1).bytes;

    // A sentence that says why a kernel is not timed, or "".
    function obstacle(kernel) {
        const bytes = kernel.why === "" ? endOf(layOut(kernel)) : 0;
        return bytes > MOST ? `Its tensors have ${bytes} bytes; at most ${MOST} are timed here.` : kernel.why;
    }

    // Bytes that look random, the same in every run.
    function fill(bytes) {
        let state = 1;
        for (let i = 0; i < bytes.length; ++i) {
            state = Math.imul(state, 1664525) + 1013904223 | 0;
            bytes[i] = state >>> 24;
        }
    }

    // What a plain loop makes of the memory.
    function expectedOf(kernel, memory, tensors) {
        const expected = memory.slice();
        kernel.columns.forEach(({ at, bytes }, column) => {
            for (let row = 0; row < kernel.rows; ++row) {
                const full = tensors[0].address + placeOf(kernel, 0, row) + at;
                const part = tensors[column + 1].address + placeOf(kernel, column + 1, row);
                const [to, from] = kernel.joins ? [full, part] : [part, full];
                for (let i = 0; i < bytes; ++i) {
                    expected[to + i] = memory[from + i];
                }
            }
        });
        return expected;
    }

    // Whether the memory of both is equal, which has whole pages.
    function same(one, other) {
        const [a, b] = [new Int32Array(one.buffer), new Int32Array(other.buffer)];
        let i = 0;
        while (i < a.length && a[i] === b[i]) {
            ++i;
        }
        return i === a.length;
    }

    // The memory with all tensors, the functions that copy them, and whether each of these copied what a plain loop
    // does and wrote no other byte.
    function prepare(kernel) {
        const tensors = layOut(kernel);
        const memory = new WebAssembly.Memory({ initial: Math.ceil(endOf(tensors) / PAGE) });
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
            equal[way] = same(bytes, expected);
        }
        return { bytes, tensors, functions, equal };
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

    // {kernel, loop, copies} in nanoseconds for all rows; `bytes` that are moved; `equal`: all of them are right;
    // `vectors`: the kernel's code for WebAssembly was run, else its portable code. Or {why}, a sentence, if the kernel
    // is not timed.
    function timeKernel(kernel, { milliseconds = MILLISECONDS, rounds = ROUNDS } = {}) {
        const why = obstacle(kernel);
        if (why !== "") {
            return { why };
        }
        const { functions, equal } = prepare(kernel);
        const [times, best, spent] = [{}, {}, {}];
        for (let warm = 0; warm < 2; ++warm) { // engines compile what runs often again, and better
            for (const way of WAYS) {
                times[way] = timesOf(functions[way], milliseconds);
                best[way] = Infinity;
                spent[way] = 0;
            }
        }
        for (let round = 0; round < rounds; ++round) {
            for (const way of WAYS.filter((one) => spent[one] < ENOUGH)) {
                const taken = millisecondsOf(functions[way], times[way]);
                spent[way] += taken;
                best[way] = Math.min(best[way], taken * 1e6 / times[way]);
            }
        }
        const bytes = kernel.rows * kernel.columns.reduce((sum, column) => sum + column.bytes, 0);
        return { ...best, bytes, equal: WAYS.every((way) => equal[way]), vectors: kernel.tile !== undefined };
    }

    return { timeKernel, prepare };
})();
