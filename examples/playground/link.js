// A link holds the input: as JSON, deflated, in the letters of base64url, behind the "#" that browsers send to nobody.
// Anybody can write a link, so that whatever it holds is checked here, but for the kind, which the page knows.
"use strict";

const link = (() => {
    const LONGEST = 8000; // letters; longer addresses are cut by what people paste them into
    const UNPACKED = 1 << 20; // bytes of the JSON; a deflated byte can become 1032
    const PIECE = 512; // bytes that are inflated at once, to at most half of UNPACKED

    // The text behind "#"; "" when the input is too long for one.
    async function write(input) {
        const stream = new Blob([JSON.stringify(input)]).stream().pipeThrough(new CompressionStream("deflate-raw"));
        const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
        const letters = btoa(String.fromCharCode(...bytes.subarray(0, LONGEST)));
        const text = letters.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
        return bytes.length >= LONGEST || text.length > LONGEST ? "" : text;
    }

    // Hands out bytes in pieces, the next when it is asked for.
    function pieces(bytes) {
        let at = 0;
        return new ReadableStream({
            pull(controller) {
                if (at < bytes.length) {
                    controller.enqueue(bytes.slice(at, at += PIECE));
                } else {
                    controller.close();
                }
            },
        }, { highWaterMark: 0 });
    }

    // The JSON in deflated bytes; null if it is longer than UNPACKED.
    async function inflate(packed) {
        const reader = pieces(packed).pipeThrough(new DecompressionStream("deflate-raw")).getReader();
        const chunks = [];
        let size = 0;
        for (let next = await reader.read(); !next.done; next = await reader.read()) {
            size += next.value.length;
            if (size > UNPACKED) {
                reader.cancel().catch(() => {});
                return null;
            }
            chunks.push(next.value);
        }
        return new Blob(chunks).text();
    }

    const isText = (value) => typeof value === "string";
    const isList = (value) => Array.isArray(value) && value.every(isText);

    // The fields of an input, if each is what "write" was given: the name of a file is one, and no path or option.
    function checked({ kind, name = null, text, options, machines, more }) {
        const isName = name === null || (isText(name) && /^[^-/][^/]*$/.test(name));
        const isRest = [options, machines].every((list) => list === undefined || isList(list)) && (more === undefined || isText(more));
        if (!isText(kind) || !isText(text) || !isName || !isRest) {
            throw new TypeError("not an input");
        }
        return { kind, name, text, options, machines, more };
    }

    // The input that a link holds, or { problem } with words for the user.
    async function read(text) {
        try {
            const letters = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
            const json = await inflate(Uint8Array.from(letters, (letter) => letter.charCodeAt(0)));
            return json === null ? { problem: "The link holds more than 1 MiB, so that it is not opened." } : checked(JSON.parse(json));
        } catch {
            return { problem: "The link is damaged or incomplete. Copy all of it." };
        }
    }

    // --- Compiler Explorer, which reads what it opens after the "#", in a notation of its own ---

    const quoted = (text) => `'${text.replace(/[!']/g, "!$&")}'`;

    // The address that opens C there, with the code that gcc makes of it. A word of one letter has "___" before it.
    function explorer(source) {
        const part = (name, fields) => `(type:component,componentName:${name},componentState:(${fields}))`;
        const parts = [part("codeEditor", `id:1,lang:___c,source:${quoted(source)}`),
            part("compiler", `source:1,lang:___c,compiler:cg132,options:'-O2'`)];
        const state = `content:!((type:row,content:!(${parts.join(",")}))),version:4`;
        return `https://godbolt.org/#${encodeURIComponent(state)}`;
    }

    return { read, write, explorer };
})();
