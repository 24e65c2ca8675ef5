// Puts results into the page. All text goes in as text, never as HTML.
"use strict";

function element(name, properties = {}, ...children) {
    const made = Object.assign(document.createElement(name), properties);
    made.append(...children);
    return made;
}

const show = (() => {
    const byId = (id) => document.getElementById(id);
    const number = (n) => n.toLocaleString("en");
    const count = (n, word) => `${number(n)} ${word}${n === 1 ? "" : "s"}`;
    const TOO_LONG = "The rest is too long to show. Save the file to read it.";

    // --- code ---

    function coloured({ text, marks, cut }) {
        const code = element("code");
        let end = 0;
        for (let at = 0; at < marks.length; at += 3) {
            const [first, last, kind] = marks.slice(at, at + 3);
            const word = element("span", {}, text.slice(first, last));
            if (typeof kind === "number") {
                ofPart(word, kind);
            } else {
                word.className = kind;
            }
            code.append(text.slice(end, first), word);
            end = last;
        }
        const blank = /\n*$/.exec(text)[0]; // what follows the last line is there, but takes no room
        code.append(text.slice(end, text.length - blank.length), element("span", { hidden: true }, blank));
        return [element("pre", { className: "code" }, code), ...hint(cut, TOO_LONG)];
    }

    function hint(wanted, text) {
        return wanted ? [element("p", { className: "hint" }, text)] : [];
    }

    function button(title, act) {
        const made = element("button", { type: "button" }, title);
        made.addEventListener("click", () => act(made));
        return made;
    }

    function save(name, text) {
        return button(`Save ${name}`, () => {
            const address = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
            element("a", { href: address, download: name }).click();
            URL.revokeObjectURL(address);
        });
    }

    function copy(text) {
        return button("Copy", async (made) => {
            await navigator.clipboard.writeText(text);
            made.textContent = "Copied";
        });
    }

    // Folds of a panel that the user has opened or closed stay so for the next kernel.
    const folded = new Map();

    function fold(title, lines, open, ...children) {
        const summary = element("summary", {}, element("span", { className: "title" }, title),
            element("span", { className: "lines" }, count(lines, "line")));
        const made = element("details", { open: folded.get(title) ?? open }, summary, ...children);
        made.addEventListener("toggle", () => folded.set(title, made.open));
        return made;
    }

    const row = (...children) => element("div", { className: "row" }, ...children);

    function foldAll(panel, title, open) {
        return button(title, () => panel.querySelectorAll("details").forEach((one) => { one.open = open; }));
    }

    // The versions of the kernel's function come first. data-at has the place of each fold in the file.
    function showCode(id, name, text, groups) {
        const panel = byId(id);
        const folds = groups.map((group, at) => {
            const made = fold(group.title, group.lines, group.open, ...coloured(group));
            made.dataset.at = at;
            return made;
        });
        const versions = folds.filter((made, at) => groups[at].isVersion);
        const only = (wanted) => versions.forEach((one) => { one.open = one === wanted; });
        const choices = versions.map((made) => button(groups[made.dataset.at].title, () => only(made)));
        panel.replaceChildren(
            row(save(name, text), copy(text), foldAll(panel, "Unfold all", true), foldAll(panel, "Fold all", false)),
            ...(versions.length > 1 ? [element("div", { className: "versions" }, "Show only ", ...choices)] : []),
            ...versions, ...folds.filter((made) => !versions.includes(made)));
    }

    function plain(text) {
        return { text: text.slice(0, LIMITS.letters), marks: [], cut: text.length > LIMITS.letters };
    }

    function showText(id, name, text) {
        byId(id).replaceChildren(row(save(name, text), copy(text)), ...coloured(plain(text)));
    }

    // --- the picture ---

    const ROWS = 3; // rows of a tensor that are drawn

    function segment(width, text, part) {
        const made = element("span", { className: part === undefined ? "segment none" : "segment" }, text);
        made.style.flexGrow = width;
        return part === undefined ? made : ofPart(made, part);
    }

    // The segments of a row, where parts that overlap go into another line.
    function linesOf(drawn) {
        const lines = [];
        const order = drawn.map((part, at) => at).sort((a, b) => drawn[a].span[0] - drawn[b].span[0]);
        for (const at of order) {
            const [first, last] = drawn[at].span;
            let line = lines.find((one) => one.end <= first + 1e-9);
            if (line === undefined) {
                lines.push(line = { end: 0, segments: [] });
            }
            if (first - line.end > 1e-6) {
                line.segments.push(segment(first - line.end, ""));
            }
            line.segments.push(segment(last - first, drawn[at].name ?? "", at));
            line.end = last;
        }
        for (const { end, segments } of lines) {
            if (end < 1 - 1e-6) {
                segments.push(segment(1 - end, ""));
            }
        }
        return lines.map(({ segments }) => element("div", { className: "strip" }, ...segments));
    }

    function tensorOf(drawing, drawn) {
        const { op, tensor, bytes, rows, rowBytes, open } = drawing;
        const item = open.length > 0 ? " for each element of " + open.join(" × ") : "";
        const lines = [];
        for (let at = 0; at < Math.min(rows, ROWS); ++at) {
            lines.push(element("span", { className: "offset" }, number(at * rowBytes)), element("div", {}, ...linesOf(drawn)));
        }
        const more = hint(rows > ROWS, `… and ${count(rows - ROWS, "more row")}`);
        return element("div", { className: "tensor" },
            element("p", {}, element("strong", {}, op === "concat" ? "Output " : "Input "), element("code", {}, tensor),
                `, ${bytes} bytes${item}${rows > 1 ? `: ${count(rows, "row")} of ${count(rowBytes, "byte")}` : ""}`),
            element("div", { className: "memory", ariaHidden: "true" }, ...lines), ...more);
    }

    const WORDS_OF_VIEWS = { contiguous: "a view, no copy needed", strided: "a strided view or a copy" };

    function cardOf(part, at, { op, rows }) {
        const shown = Math.min(rows, ROWS);
        const cells = Array.from({ length: shown }, (none, cell) =>
            ofPart(element("span", { className: "segment" }, rows > 1 ? `row ${cell}` : ""), at));
        const strip = element("span", { className: "strip", ariaHidden: "true" }, ...cells, rows > shown ? "…" : "");
        const view = part.view ? `at byte ${part.offset}: ${WORDS_OF_VIEWS[part.view] ?? part.view}` : "";
        const made = ofPart(element("button", { type: "button", className: "card", title: "Keep this part lit" },
            element("strong", {}, part.name ?? "not wanted"), ` ${part.shape} `,
            element("span", { className: "bytes" }, `${part.bytes} bytes`), strip,
            element("span", { className: "view" }, view)), at);
        made.setAttribute("aria-pressed", "false");
        return element("li", {}, made);
    }

    function showPicture(name, svg, drawing) {
        const drawn = drawing.parts.slice(0, LIMITS.drawn);
        const left = drawing.parts.length + drawing.left - drawn.length;
        const tensor = tensorOf(drawing, drawn);
        const cards = element("ul", { className: "cards" }, ...drawn.map((part, at) => cardOf(part, at, drawing)));
        const arrow = (words) => element("p", { className: "arrow" }, `↓ ${words}`);
        byId("picture").replaceChildren(
            ...(drawing.op === "concat" ? [cards, arrow("concatenates"), tensor] : [tensor, arrow("splits into"), cards]),
            ...hint(left > 0, `${count(left, "more part")} not drawn.`), row(save(name, svg)));
    }

    const HEADINGS = ["Part", "Shape", "Bytes", "First byte", "Strides in elements", "View"];

    function tableOf({ name, parts: rows, left }) {
        const head = element("tr", {}, ...HEADINGS.map((text) => element("th", { scope: "col" }, text)));
        const body = rows.map((part, at) => {
            const view = [part.view ?? "none", part.why].filter((words) => words !== "").join(": ");
            const cells = [part.shape, part.bytes, part.offset, part.strides, view].map((text) => element("td", {}, text));
            return ofPart(element("tr", {}, element("th", { scope: "row" }, part.name ?? "not wanted"), ...cells), at);
        });
        const table = element("table", {}, element("caption", {}, name), element("thead", {}, head), element("tbody", {}, ...body));
        return [table, ...hint(left > 0, `${count(left, "more part")} of ${name} are in the plan. Save it to read them.`)];
    }

    // --- a kernel, and the list of them ---

    const named = (files, end) => Object.keys(files).find((one) => one.endsWith(end));

    function kernel(files, { drawing, signature, c, h }) {
        const [cName, hName, svg] = [".c", ".h", ".svg"].map((end) => named(files, end));
        parts.reset(drawing);
        byId("signature").replaceChildren(...coloured(signature));
        showCode("panel-c", cName, files[cName], c);
        showCode("panel-h", hName, files[hName], h);
        showPicture(svg, files[svg], drawing);
        byId("views").replaceChildren(...tableOf(drawing));
    }

    function showList({ count: all, list, kernel: { drawing } }) {
        byId("kernels").hidden = all === 1;
        byId("kernels-label").textContent = count(all, "kernel");
        byId("kernels-left").hidden = list.length === all;
        byId("kernels-left").textContent = `${count(all - list.length, "more kernel")} in the files only.`;
        byId("kernel").size = Math.min(6, Math.max(2, list.length));
        byId("kernel").replaceChildren(...list.map(({ name, text }) => element("option", { value: name }, text)));
        byId("kernel").value = drawing.name;
    }

    // What a run wrote, and what the worker made of it to be shown.
    function results(files, shown) {
        const json = named(files, ".json");
        byId("empty").hidden = true;
        byId("output").hidden = false;
        byId("drawn").hidden = false;
        kernel(files, shown.kernel);
        showText("panel-json", json, files[json]);
        showList(shown);
    }

    function explained(text) {
        showText("panel-explain", "explain.txt", text);
    }

    // --- how much a model copies ---

    const sum = (graphs, field) => graphs.reduce((all, one) => all + one[field], 0);

    function placementOf(files, moved, copied) {
        const [json, svg] = [named(files, ".json"), named(files, ".svg")];
        const rest = moved === copied ? "All of them have to be copied."
            : `${number(moved - copied)} of these need no copy if the tensors are placed as planned here.`;
        const words = `Your model copies ${count(moved, "byte")} in its Splits and Concats. ${rest}`;
        const image = () => {
            const src = URL.createObjectURL(new Blob([files[svg]], { type: "image/svg+xml" }));
            const alt = "Where each tensor lies in the arena, over time. The plan as JSON says the same.";
            return element("img", { src, alt, onload: () => URL.revokeObjectURL(src) });
        };
        const details = element("details", {}, element("summary", {}, "Where the tensors lie"));
        details.addEventListener("toggle", () => {
            if (details.open && details.childNodes.length === 1) {
                const isLarge = files[svg].length > LIMITS.picture;
                details.append(...hint(isLarge, "The picture is too large to show. Save it to see it."),
                    ...(isLarge ? [] : [element("div", { className: "paper" }, image())]));
            }
        });
        return [element("p", {}, words), details, row(save(svg, files[svg]), save(json, files[json]))];
    }

    // "files" are those of --emit=placement; null without them.
    function memory(files, { toCopy, free }, isOpen) {
        const graphs = files === null ? [] : JSON.parse(files[named(files, ".json")]).graphs;
        const moved = sum(graphs, "bytes_moved");
        const words = isOpen ? "Your model has dynamic dimensions. Give their sizes above to see how many bytes it copies."
            : `Your model's kernels copy ${count(toCopy, "byte")}. ${count(free, "more byte")} need no copy: `
                + "those parts are contiguous views.";
        byId("memory").replaceChildren(element("h2", {}, "Memory of the model"), ...(moved > 0 && !isOpen
            ? placementOf(files, moved, sum(graphs, "bytes_copied")) : [element("p", {}, words)]));
    }

    // --- messages ---

    // Messages and their notes, each once: "said" is in the status already. goToOf(one) is null where "one" is not about the
    // text that is shown, else puts the cursor there.
    function diagnostics(found, goToOf, said = null) {
        const all = found.flatMap((one) => [one, ...one.notes]);
        const lines = all.slice(0, LIMITS.places).map((one) => {
            const goTo = goToOf(one);
            const go = goTo === null ? [] : [button(`Go to line ${one.line}, column ${one.column}`, () => goTo(one)), " "];
            return element("li", { className: one.severity }, ...go, ...(one === said ? [] : [`${one.severity}: ${one.message}`]));
        });
        byId("places").replaceChildren(...lines.filter((one) => one.childNodes.length > 0),
            ...(all.length > lines.length ? [element("li", {}, `${count(all.length - lines.length, "more message")} below.`)] : []));
        printed("");
    }

    // What the tool prints, open if it is all there is to see.
    function printed(text, open = false) {
        byId("diagnostics").hidden = text === "" && byId("places").childNodes.length === 0;
        byId("printed").hidden = text === "";
        byId("printed").open = open;
        byId("rendered").textContent = text.length > LIMITS.letters ? `${text.slice(0, LIMITS.letters)}\n…\n` : text;
    }

    function explorer(address) {
        byId("explorer").hidden = address === null;
        byId("explorer").href = address ?? "";
    }

    // A button for each proposal of a message, which calls "add" with it.
    function proposals(list, add, words = "") {
        const sentence = words === "" ? [] : [`${words[0].toUpperCase()}${words.slice(1)}.`];
        byId("proposals").replaceChildren(...sentence, ...list.map((one) =>
            button(`${one.hole ? "Write" : "Run with"} ${lineOf(one.words)}`, () => add(one))));
    }

    // A field for each dynamic dimension; "sizes" has their values by name. Fields that are there stay, with the focus.
    function sizes(all, words, change) {
        const fields = byId("size-fields");
        byId("sizes").hidden = all.size === 0;
        byId("sizes-hint").textContent = words;
        const there = fields.querySelectorAll("input");
        if ([...there].map((one) => one.dataset.size).join("\n") !== [...all.keys()].join("\n")) {
            fields.replaceChildren(...[...all.keys()].map((name) => {
                const field = element("input", { type: "number", min: "0", placeholder: "dynamic" });
                field.dataset.size = name;
                field.addEventListener("input", () => change(name, field.value));
                return element("label", {}, `${name} `, field);
            }));
        }
        for (const field of fields.querySelectorAll("input")) {
            if (field.value !== all.get(field.dataset.size)) {
                field.value = all.get(field.dataset.size);
            }
        }
    }

    // Nothing is shown of an input that has no results yet.
    function clear() {
        byId("empty").hidden = false;
        byId("output").hidden = true;
        byId("drawn").hidden = true;
    }

    // The results of an older input stay, paler.
    function stale(isStale) {
        byId("stale").hidden = !isStale || byId("output").hidden;
        byId("output").classList.toggle("stale", isStale);
        byId("drawn").classList.toggle("stale", isStale);
        byId("empty").textContent = isStale ? "No C yet: correct the input, and the C appears here."
            : "The C appears here.";
    }

    function status(text) {
        byId("status").textContent = text;
    }

    return { results, kernel, clear, explained, memory, diagnostics, printed, explorer, proposals, sizes, stale, status, count };
})();
