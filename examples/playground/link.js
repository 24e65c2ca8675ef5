// A link holds the input: as JSON, deflated, in the letters of base64url, behind the "#" that browsers send to nobody.
"use strict";

const link = (() => {
    const LONGEST = 8000; // letters; longer addresses are cut by what people paste them into

    async function through(bytes, stream) {
        return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());
    }

    // The text behind "#"; "" when the input is too long for one.
    async function write(input) {
        const bytes = await through(new TextEncoder().encode(JSON.stringify(input)), new CompressionStream("deflate-raw"));
        const letters = btoa(String.fromCharCode(...bytes.subarray(0, LONGEST)));
        const text = letters.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
        return bytes.length >= LONGEST || text.length > LONGEST ? "" : text;
    }

    // The input that a link holds; null when it holds none that can be read.
    async function read(text) {
        try {
            const letters = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
            const packed = Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
            const input = JSON.parse(new TextDecoder().decode(await through(packed, new DecompressionStream("deflate-raw"))));
            return typeof input.text === "string" && typeof input.kind === "string" ? input : null;
        } catch {
            return null;
        }
    }

    return { read, write };
})();
