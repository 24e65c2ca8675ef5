// Puts results into the page. All text goes in as text, never as HTML.
"use strict";

function element(name, properties = {}, ...children) {
    const made = Object.assign(document.createElement(name), properties);
    made.append(...children);
    return made;
}

const show = (() => {
    const byId = (id) => document.getElementById(id);
    const count = (n, word) => `${n} ${word}${n === 1 ? "" : "s"}`;
    const TOO_LONG = "The rest is too long to be shown. Save the file to read it.";

    // --- code ---

    function coloured({ text, marks, cut }) {
        const code = element("code");
        let end = 0;
        for (let at = 0; at < marks.length; at += 3) {
            const [first, last, kind] = marks.slice(at, at + 3);
            code.append(text.slice(end, first), element("span", { className: kind }, text.slice(first, last)));
            end = last;
        }
        code.append(text.slice(end));
        return [element("pre", { className: "code" }, code), ...hint(cut, TOO_LONG)];
    }

    function hint(wanted, text) {
        return wanted ? [element("p", { className: "hint" }, text)] : [];
    }

    function fold(title, open, ...children) {
        return element("details", { open }, element("summary", {}, title), ...children);
    }

    function groupOf(group) {
        const parts = group.parts.flatMap((part) => part.title === null ? coloured(part)
            : [fold(`${part.title} (${count(part.lines, "line")})`, group.small, ...coloured(part))]);
        return fold(`${group.title} (${count(group.lines, "line")})`, group.open, ...parts,
            ...hint(group.cut && !group.parts.some((part) => part.cut), TOO_LONG));
    }

    function save(name, text) {
        const button = element("button", { type: "button" }, `Save ${name}`);
        button.addEventListener("click", () => {
            const address = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
            element("a", { href: address, download: name }).click();
            URL.revokeObjectURL(address);
        });
        return button;
    }

    function copy(text) {
        const button = element("button", { type: "button" }, "Copy");
        button.addEventListener("click", () => navigator.clipboard.writeText(text).then(() => { button.textContent = "Copied"; }));
        return button;
    }

    function foldAll(panel, open, title) {
        const button = element("button", { type: "button" }, title);
        button.addEventListener("click", () => panel.querySelectorAll("details").forEach((one) => { one.open = open; }));
        return button;
    }

    function showC(name, text, groups) {
        const panel = byId("panel-c");
        panel.replaceChildren(element("div", { className: "row" }, save(name, text), copy(text),
            foldAll(panel, true, "Unfold all"), foldAll(panel, false, "Fold all")), element("div", { id: "chosen-c" }),
            ...groups.map(groupOf));
    }

    function showPiece(id, name, text, piece) {
        byId(id).replaceChildren(element("div", { className: "row" }, save(name, text), copy(text)), ...coloured(piece));
    }

    function plain(text) {
        return { text: text.slice(0, LIMITS.letters), marks: [], cut: text.length > LIMITS.letters };
    }

    // --- picture and views ---

    function imageOf(svg, shown) {
        const others = shown.count - shown.first.length;
        const names = shown.first.join(", ") + (others > 0 ? ` and ${others} more` : "");
        return element("img", {
            src: URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" })),
            alt: `What ${count(shown.count, "kernel")} (${names}) read and write in memory. The table below says the same.`,
        });
    }

    function showPicture(name, svg, shown) {
        const old = byId("picture").querySelector("img");
        if (old !== null) {
            URL.revokeObjectURL(old.src);
        }
        const picture = svg.length > LIMITS.picture ? hint(true, "The picture is too large to be shown. Save it to see it.")
            : [element("div", { className: "paper" }, imageOf(svg, shown))];
        byId("picture").replaceChildren(...picture, element("div", { className: "row" }, save(name, svg)));
    }

    const HEADINGS = ["Part", "Shape", "Bytes", "First byte", "Strides in elements", "View"];

    function tableOf({ name, rows, left }) {
        const head = element("tr", {}, ...HEADINGS.map((text) => element("th", { scope: "col" }, text)));
        const body = rows.map(([part, ...cells]) =>
            element("tr", {}, element("th", { scope: "row" }, part), ...cells.map((text) => element("td", {}, text))));
        const table = element("table", {}, element("caption", {}, name), element("thead", {}, head), element("tbody", {}, ...body));
        return [table, ...hint(left > 0, `${count(left, "more part")} of ${name} are in the plan. Save it to read them.`)];
    }

    function showTables(tables) {
        byId("views").replaceChildren(element("div", { id: "chosen-views" }), ...tables.flatMap(tableOf));
    }

    // --- kernels that are shown when they are chosen ---

    function showOthers({ count: all, first, others }) {
        const left = all - first.length - others.length;
        byId("others").hidden = others.length === 0;
        byId("others-label").textContent = `The first ${first.length} of ${count(all, "kernel")} are shown. Show also`;
        byId("others-left").textContent = left > 0 ? `${left} more are in the files only.` : "";
        byId("other").replaceChildren(element("option", { value: "" }, "none"),
            ...others.map((name) => element("option", { value: name }, name)));
    }

    function chosen({ groups, tables }) {
        byId("chosen-c").replaceChildren(...groups.map(groupOf));
        byId("chosen-views").replaceChildren(...tables.flatMap(tableOf));
    }

    // --- messages ---

    function placeOf(diagnostic, goTo) {
        const button = element("button", { type: "button" }, `Go to line ${diagnostic.line}, column ${diagnostic.column}`);
        button.addEventListener("click", () => goTo(diagnostic));
        return element("li", {}, button, ` ${diagnostic.severity}: ${diagnostic.message}`);
    }

    // goTo puts the cursor at a diagnostic; null when it is not about the text that is shown.
    function diagnostics(found, rendered, goTo) {
        byId("diagnostics").hidden = found.length === 0;
        const places = goTo === null ? [] : found.filter((one) => one.line !== null).slice(0, LIMITS.places);
        byId("places").replaceChildren(...places.map((one) => placeOf(one, goTo)));
        byId("rendered").textContent = rendered.length > LIMITS.letters ? `${rendered.slice(0, LIMITS.letters)}\n…\n` : rendered;
    }

    // --- all of it ---

    // What a run wrote, and what the worker made of it to be shown.
    function results(files, shown) {
        const name = (end) => Object.keys(files).find((one) => one.endsWith(end));
        const [c, h, json, svg] = [".c", ".h", ".json", ".svg"].map(name);
        showC(c, files[c], shown.groups);
        showPiece("panel-h", h, files[h], shown.header);
        showPiece("panel-json", json, files[json], plain(files[json]));
        showPicture(svg, files[svg], shown);
        showTables(shown.tables);
        showOthers(shown);
    }

    function explained(text) {
        showPiece("panel-explain", "explain.txt", text, plain(text));
    }

    // The results of an older input stay, paler.
    function stale(isStale) {
        byId("stale").hidden = !isStale;
        for (const panel of document.querySelectorAll("[role=tabpanel]")) {
            panel.classList.toggle("stale", isStale);
        }
    }

    function status(text) {
        byId("status").textContent = text;
    }

    return { results, chosen, explained, diagnostics, stale, status, count };
})();
