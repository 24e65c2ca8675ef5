// Shows what the timing of a kernel found: a table with a bar for each way to copy. It knows nothing else of the page.
"use strict";

const bars = (() => {
    const SVG = "http://www.w3.org/2000/svg";
    const WAYS = { kernel: "splitgen", loop: "Plain loop", copies: "memory.copy" };
    const TITLES = { Code: "", Time: "figure", Speed: "figure", "Longer is faster": "bars" }; // and their classes
    const UNITS = [["s", 1e9], ["ms", 1e6], ["µs", 1e3], ["ns", 1]];

    function set(element, attributes) {
        Object.entries(attributes).forEach(([key, value]) => element.setAttribute(key, value));
    }

    function made(name, children, attributes = {}) {
        const element = document.createElement(name);
        set(element, attributes);
        element.append(...children);
        return element;
    }

    // Three digits, as "0.713" or "12.5".
    function digits(number) {
        return (number < 1000 ? Number(number.toPrecision(3)) : Math.round(number)).toLocaleString("en");
    }

    function timeText(nanoseconds) {
        const [unit, size] = UNITS.find(([, one]) => nanoseconds >= one) ?? UNITS.at(-1);
        return `${digits(nanoseconds / size)} ${unit}`;
    }

    // A bar by attributes, as the page's policy allows no styles in elements. The numbers beside it say the same.
    function bar(way, share) {
        const svg = document.createElementNS(SVG, "svg");
        const rect = document.createElementNS(SVG, "rect");
        set(svg, { class: `speed ${way}`, width: "100%", height: "16", "aria-hidden": "true" });
        set(rect, { width: `${Math.max(0.5, 100 * share)}%`, height: "16", rx: "2", fill: "currentColor" });
        svg.append(rect);
        return svg;
    }

    function table(name, result) {
        const fastest = Math.min(...Object.keys(WAYS).map((way) => result[way]));
        const rows = Object.entries(WAYS).map(([way, title]) => made("tr", [
            made("th", [title], { scope: "row" }),
            made("td", [timeText(result[way])], { class: "figure" }),
            made("td", [`${digits(result.bytes / result[way])} GB/s`], { class: "figure" }),
            made("td", [bar(way, fastest / result[way])], { class: "bars" }),
        ]));
        const head = Object.entries(TITLES).map(([text, name]) => made("th", [text], { scope: "col", class: name }));
        const caption = made("caption", [`${name} as WebAssembly, in this browser`]);
        return made("table", [caption, made("thead", [made("tr", head)]), made("tbody", rows)]);
    }

    // "5.32 times as fast as", or where the kernel is slower that it is. Less than 5 percent are noise.
    function ratio(kernel, other) {
        return Math.max(kernel / other, other / kernel) < 1.05 ? "as fast as"
            : other >= kernel ? `${digits(other / kernel)} times as fast as`
            : `${digits(kernel / other)} times as slow as`;
    }

    function sentences(result) {
        const code = result.vectors ? "its WebAssembly code, with vectors of 16 bytes"
            : "its portable code, as it has none for WebAssembly";
        return [
            `The kernel is ${ratio(result.kernel, result.loop)} a loop over elements`,
            `and ${ratio(result.kernel, result.copies)} memory.copy for each row and part.`,
            result.equal ? `All ${result.bytes.toLocaleString("en")} bytes equal those that a plain loop copies.`
                : "Error: the bytes differ from those that a plain loop copies.",
            `What ran is ${code}. To time the C on your target, use `,
        ].join(" ");
    }

    // Replaces what is in `element` by the result of timing.timeKernel() for the kernel `name`.
    function show(element, name, result) {
        if (result.why !== undefined) {
            element.replaceChildren(made("p", [`${name} is not timed here. ${result.why}`]));
        } else {
            const text = [sentences(result), made("code", ["--emit=bench"]), "."];
            element.replaceChildren(table(name, result), made("p", text, { class: result.equal ? "hint" : "error" }));
        }
    }

    return { show };
})();
