// A small assembler: makes a module of WebAssembly from a kernel's description, which plan.json.tmpl prints. The module
// has three functions, each of which takes how often it is to run: "kernel" has the kernel's own instructions, "loop"
// copies element by element, "copies" calls memory.copy for each row and part. Nothing here measures or reads memory.
"use strict";

const kernelWasm = (() => {
    const I32 = 0x7f;
    const V128 = 0x7b;
    const EMPTY = 0x40; // the type of a block without a result
    const NO_FLAGS = 0x00;
    const OP = {
        loop: [0x03, EMPTY], if: [0x04, EMPTY], end: [0x0b], br: [0x0c], br_if: [0x0d], call: [0x10],
        get: [0x20], set: [0x21], i32: [0x41], eqz: [0x45], less: [0x49], gt: [0x4a], add: [0x6a],
        copy: [0xfc, 0x0a, 0x00, 0x00],
        v128: [0xfd, 0x0c], shuffle: [0xfd, 0x0d], swizzle: [0xfd, 0x0e], or: [0xfd, 0x50], bitselect: [0xfd, 0x52],
        load64_zero: [0xfd, 0x5d], load64_lane: [0xfd, 0x57], store64_lane: [0xfd, 0x5b],
    };
    // The instructions that move so many bytes; 1, 2 and 4 by a number of 32 bits, 8 by one of 64.
    const LOAD = { 1: [0x2d], 2: [0x2f], 4: [0x28], 8: [0x29], 16: [0xfd, 0x00] };
    const STORE = { 1: [0x3a], 2: [0x3b], 4: [0x36], 8: [0x37], 16: [0xfd, 0x0b] };
    const INLINE = 128; // bytes up to which compilers replace a memcpy of a known size by loads and stores

    // --- encoding ---

    function unsigned(number) {
        const bytes = [];
        for (; number >= 0x80; number = Math.floor(number / 0x80)) {
            bytes.push(number % 0x80 + 0x80);
        }
        return [...bytes, number];
    }

    function signed(number) {
        const bytes = [];
        for (; number < -0x40 || number >= 0x40; number >>= 7) {
            bytes.push(number & 0x7f | 0x80);
        }
        return [...bytes, number & 0x7f];
    }

    const vector = (items) => [...unsigned(items.length), ...items.flat()];
    const section = (id, bytes) => [id, ...unsigned(bytes.length), ...bytes];
    const name = (text) => vector([...new TextEncoder().encode(text)]);

    // --- a function ---

    // The code of a function; its first locals are its parameters, numbers of 32 bits.
    class Code {
        constructor(parameters) {
            this.parameters = parameters;
            this.locals = [];
            this.bytes = [];
        }

        local(type) {
            this.locals.push(type);
            return this.parameters + this.locals.length - 1;
        }

        put(op, ...numbers) {
            this.bytes.push(...OP[op], ...numbers.flatMap(unsigned));
        }

        constant(number) {
            this.bytes.push(...OP.i32, ...signed(number | 0));
        }

        lanes(op, lanes) {
            this.bytes.push(...OP[op], ...lanes);
        }

        // A load or a store, for any alignment.
        access(op, offset, ...more) {
            this.bytes.push(...op, NO_FLAGS, ...unsigned(offset), ...more);
        }

        add(local, number) {
            if (number !== 0) {
                this.put("get", local);
                this.constant(number);
                this.put("add");
                this.put("set", local);
            }
        }

        // Runs what body() emits so many times.
        repeat(times, body) {
            if (times === 1) {
                body();
            } else if (times > 1) {
                const left = this.local(I32);
                this.constant(times);
                this.put("set", left);
                this.put("loop");
                body();
                this.add(left, -1);
                this.put("get", left);
                this.put("br_if", 0);
                this.put("end");
            }
        }

        get body() {
            const bytes = [...vector(this.locals.map((type) => [1, type])), ...this.bytes, ...OP.end];
            return [...unsigned(bytes.length), ...bytes];
        }
    }

    // --- moves ---

    // A place in memory is a local with a pointer, and an offset.
    function moveOne(code, bytes, to, from) {
        code.put("get", to.pointer);
        code.put("get", from.pointer);
        code.access(LOAD[bytes], from.offset);
        code.access(STORE[bytes], to.offset);
    }

    function copy(code, bytes, to, from) {
        for (const place of [to, from]) {
            code.put("get", place.pointer);
            code.constant(place.offset);
            code.put("add");
        }
        code.constant(bytes);
        code.put("copy");
    }

    // A memcpy of a known size as compilers print it. The last access may overlap the one before.
    function moveInline(code, bytes, to, from) {
        const widest = [16, 8, 4, 2, 1].find((width) => width <= bytes);
        const at = (place, offset) => ({ pointer: place.pointer, offset: place.offset + offset });
        let done = 0;
        for (; done + widest <= bytes; done += widest) {
            moveOne(code, widest, at(to, done), at(from, done));
        }
        if (done < bytes) {
            const width = [1, 2, 4, 8, 16].find((one) => one >= bytes - done);
            moveOne(code, width, at(to, bytes - width), at(from, bytes - width));
        }
    }

    // A loop that copies word by word; a word has `width` bytes.
    function copyWords(code, width, bytes, to, from) {
        if (bytes === width) {
            moveOne(code, width, to, from);
            return;
        }
        const i = code.local(I32);
        code.constant(0);
        code.put("set", i);
        code.put("loop");
        for (const place of [to, from]) {
            code.put("get", place.pointer);
            code.put("get", i);
            code.put("add");
        }
        code.access(LOAD[width], from.offset);
        code.access(STORE[width], to.offset);
        code.add(i, width);
        code.put("get", i);
        code.constant(bytes);
        code.put("less");
        code.put("br_if", 0);
        code.put("end");
    }

    // --- instructions of a kernel ---

    // The halves of the index of two swizzles, which together pick from two registers: splitgen_pick2() in
    // splitgen/vector.h.
    const ofFirst = (lane) => (lane > 15 ? 0xff : lane);
    const ofSecond = (lane) => lane - 16 & 0xff;

    function pickTwo(code, { a, b, lanes }, registers) {
        for (const [register, half] of [[a, ofFirst], [b, ofSecond]]) {
            code.put("get", registers(register));
            code.lanes("v128", lanes.map(half));
            code.put("swizzle");
        }
        code.put("or");
    }

    // What a register becomes, on the stack.
    const VALUES = {
        load(code, insn, registers, place) {
            const from = place(insn.from, insn.src);
            if (insn.step === undefined) {
                code.put("get", from.pointer);
                code.access(LOAD[16], from.offset);
            } else { // two pieces of 8 bytes
                code.put("get", from.pointer);
                code.put("get", from.pointer);
                code.access(OP.load64_zero, from.offset);
                code.access(OP.load64_lane, from.offset + insn.step, 1);
            }
        },
        shuffle(code, { a, b, lanes }, registers) {
            code.put("get", registers(a));
            code.put("get", registers(b));
            code.lanes("shuffle", lanes);
        },
        permute(code, { a, lanes }, registers) {
            code.put("get", registers(a));
            code.lanes("v128", lanes);
            code.put("swizzle");
        },
        permute2: pickTwo,
        blend(code, { a, b, lanes }, registers) { // the lanes of the mask are 0 or 255
            code.put("get", registers(b));
            code.put("get", registers(a));
            code.lanes("v128", lanes);
            code.put("bitselect");
        },
    };

    // What writes memory.
    const STATEMENTS = {
        store(code, insn, registers, to) {
            const put = (op, offset, ...lane) => {
                code.put("get", to.pointer);
                code.put("get", registers(insn.a));
                code.access(op, offset, ...lane);
            };
            if (insn.step === undefined) {
                put(STORE[16], to.offset);
            } else { // two pieces of 8 bytes
                put(OP.store64_lane, to.offset, 0);
                put(OP.store64_lane, to.offset + insn.step, 1);
            }
        },
        move: (code, { bytes }, registers, to, from) => moveInline(code, bytes, to, from),
        byte: (code, { bytes }, registers, to, from) => moveInline(code, bytes, to, from),
        copy: (code, { bytes }, registers, to, from) => (bytes <= INLINE ? moveInline : copy)(code, bytes, to, from),
        call: (code, { bytes }, registers, to, from) => copy(code, bytes, to, from),
        words: (code, { bytes, word }, registers, to, from) => copyWords(code, word, bytes, to, from),
    };

    // One instruction; place(tensor, offset) is where it works.
    function instruction(code, insn, registers, place) {
        if (insn.op in VALUES) {
            VALUES[insn.op](code, insn, registers, place);
            code.put("set", registers(insn.result));
        } else if (insn.op in STATEMENTS) {
            const from = insn.from === undefined ? null : place(insn.from, insn.src);
            STATEMENTS[insn.op](code, insn, registers, place(insn.to, insn.dst), from);
        } else {
            throw new Error(`there is no instruction '${insn.op}' of WebAssembly`);
        }
    }

    // Instructions in order. Neighbours of one fold are executed in turn, so many times.
    function instructions(code, insns, place) {
        const locals = new Map();
        function registers(number) {
            if (!locals.has(number)) {
                locals.set(number, code.local(V128));
            }
            return locals.get(number);
        }
        for (let at = 0, end; at < insns.length; at = end) {
            const { fold, times } = insns[at];
            for (end = at + 1; fold > 0 && insns[end]?.fold === fold; ++end);
            for (let i = 0; i < times; ++i) {
                for (const insn of insns.slice(at, end)) {
                    const moved = { dst: insn.dst + i * insn.dst_step, src: insn.src + i * insn.src_step };
                    instruction(code, { ...insn, ...moved }, registers, place);
                }
            }
        }
    }

    // --- loops over rows; the parameters of their functions are pointers to the tensors ---

    function advance(code, steps, rows) {
        steps.forEach((step, tensor) => code.add(tensor, step * rows));
    }

    const pointers = (steps, row) => (tensor, offset) => ({ pointer: tensor, offset: offset + row * steps[tensor] });

    // Rows by portable code: iterations, then what is left row by row.
    function portableRows(code, kernel, rows) {
        const steps = kernel.row_steps;
        const copied = (insns, atOnce) => () => {
            instructions(code, insns, pointers(steps, 0));
            advance(code, steps, atOnce);
        };
        code.repeat(Math.floor(rows / kernel.iteration_rows), copied(kernel.iteration, kernel.iteration_rows));
        code.repeat(rows % kernel.iteration_rows, copied(kernel.row, 1));
    }

    // splitgen_tiles() and its variants in splitgen/loops.h: what is left is moved by an iteration that overlaps the
    // one before, or if it is at most `most` rows by portable code.
    function tiledRows(code, kernel, rows) {
        const iteration = kernel.tile_rows * kernel.tiles;
        const rest = rows % iteration;
        const steps = kernel.row_steps;
        const left = code.local(I32);
        code.constant(Math.floor(rows / iteration));
        code.put("set", left);
        code.put("loop");
        for (let tile = 0; tile < kernel.tiles; ++tile) {
            instructions(code, kernel.tile, pointers(steps, tile * kernel.tile_rows));
        }
        code.add(left, -1);
        code.put("get", left);
        code.constant(0);
        code.put("gt");
        code.put("if");
        advance(code, steps, iteration);
        code.put("br", 1);
        code.put("end");
        if (rest > kernel.most) {
            code.put("get", left);
            code.put("eqz");
            code.put("if");
            advance(code, steps, rest);
            code.put("br", 1);
            code.put("end");
        }
        code.put("end");
        if (rest > 0 && rest <= kernel.most) {
            advance(code, steps, iteration);
            portableRows(code, kernel, rest);
        }
    }

    function kernelRows(code, kernel, rows) {
        (kernel.tile ? tiledRows : portableRows)(code, kernel, rows);
    }

    // Runs move(to, from, bytes) for each part of each row.
    function eachPart(code, kernel, rows, move) {
        code.repeat(rows, () => {
            kernel.columns.forEach(({ at, bytes }, column) => {
                const full = { pointer: 0, offset: at };
                const part = { pointer: column + 1, offset: 0 };
                move(...(kernel.joins ? [full, part] : [part, full]), bytes);
            });
            advance(code, kernel.row_steps, 1);
        });
    }

    function loopRows(code, kernel, rows) {
        const width = Math.min(kernel.element, 8); // there are no numbers of 16 bytes
        eachPart(code, kernel, rows, (to, from, bytes) => copyWords(code, width, bytes, to, from));
    }

    function copyRows(code, kernel, rows) {
        eachPart(code, kernel, rows, (to, from, bytes) => copy(code, bytes, to, from));
    }

    // --- a module ---

    // The function `rows` for every innermost group of rows; groups[0] are the outermost.
    function eachGroup(code, kernel, all, callee, groups = kernel.groups) {
        if (groups.length === 0) {
            kernel.row_steps.forEach((step, tensor) => code.put("get", tensor));
            code.put("call", callee);
            return;
        }
        const [{ rows, steps }, ...inner] = groups;
        code.repeat(all / rows, () => {
            eachGroup(code, kernel, rows, callee, inner);
            advance(code, steps, 1);
        });
        advance(code, steps, -all / rows);
    }

    // A function that calls another one with all tensors as often as its parameter says.
    function repeated(callee, addresses) {
        const code = new Code(1);
        code.put("loop");
        addresses.forEach((address) => code.constant(address));
        code.put("call", callee);
        code.add(0, -1);
        code.put("get", 0);
        code.put("br_if", 0);
        code.put("end");
        return code;
    }

    const WAYS = { kernel: kernelRows, loop: loopRows, copies: copyRows };

    // The bytes of the module for a description and the addresses of its tensors in the memory that it imports.
    function moduleOf(kernel, addresses) {
        const codes = [];
        const places = [];
        for (const rowsOf of Object.values(WAYS)) {
            const atOnce = kernel.groups.at(-1)?.rows ?? kernel.rows;
            const [inner, all] = [new Code(addresses.length), new Code(addresses.length)];
            rowsOf(inner, kernel, atOnce);
            eachGroup(all, kernel, kernel.rows, codes.length);
            codes.push(inner, all, repeated(codes.length + 1, addresses));
            places.push(codes.length - 1);
        }
        const types = [1, addresses.length].map((count) => [0x60, ...vector(new Array(count).fill(I32)), 0]);
        const exported = Object.keys(WAYS).map((way, i) => [...name(way), 0x00, ...unsigned(places[i])]);
        return new Uint8Array([
            0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0, // "\0asm", version 1
            ...section(1, vector(types)),
            ...section(2, vector([[...name("page"), ...name("memory"), 0x02, 0x00, 1]])),
            ...section(3, vector(codes.map((code) => [code.parameters === 1 ? 0 : 1]))),
            ...section(7, vector(exported)),
            ...section(10, vector(codes.map((code) => code.body))),
        ]);
    }

    return moduleOf;
})();
