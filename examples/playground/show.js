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
    const kernelsOf = (plan) => plan.kernels.map((kernel) => kernel.name);

    // --- code ---

    // Comments, lines of the preprocessor, words of C and numbers, each in a span.
    const TOKENS = /(\/\*[\s\S]*?\*\/)|(^#[^\n]*)|\b(static|inline|const|void|for|if|else|return|while|switch|case|break|extern|struct|sizeof|size_t|u?int\d+_t|float|double|char|unsigned|bool)\b|\b(\d[\w.]*)\b/gm;
    const CLASSES = ["comment", "directive", "word", "number"];

    function coloured(text) {
        const code = element("code");
        let end = 0;
        for (const match of text.matchAll(TOKENS)) {
            const kind = CLASSES.find((name, at) => match[at + 1] !== undefined);
            code.append(text.slice(end, match.index), element("span", { className: kind }, match[0]));
            end = match.index + match[0].length;
        }
        code.append(text.slice(end));
        return element("pre", { className: "code" }, code);
    }

    function fold(title, open, ...children) {
        return element("details", { open }, element("summary", {}, title), ...children);
    }

    function lines(text) {
        return count(text.split("\n").length - 1, "line");
    }

    // A kernel's first section is its description, which is shown as it is; the others are folded, unless there are few.
    function groupOf(group, isKernel) {
        const small = group.sections.join("").length < 4000;
        const parts = group.sections.map((section, at) =>
            (isKernel && at === 0) ? coloured(section) : fold(`${titleOf(section)} (${lines(section)})`, small, coloured(section)));
        return fold(`${group.title} (${lines(group.sections.join(""))})`, isKernel, ...parts);
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

    function showC(name, text, plan) {
        const panel = byId("panel-c");
        const groups = groupsOf(text, kernelsOf(plan)).map((group, at) => groupOf(group, at > 0));
        panel.replaceChildren(element("div", { className: "row" }, save(name, text), copy(text),
            foldAll(panel, true, "Unfold all"), foldAll(panel, false, "Fold all")), ...groups);
    }

    function showText(id, name, text, colour) {
        const body = colour ? coloured(text) : element("pre", { className: "code" }, element("code", {}, text));
        byId(id).replaceChildren(element("div", { className: "row" }, save(name, text), copy(text)), body);
    }

    // --- picture and views ---

    function showPicture(name, svg, plan) {
        const old = byId("picture").querySelector("img");
        if (old !== null) {
            URL.revokeObjectURL(old.src);
        }
        const image = element("img", {
            src: URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" })),
            alt: `What ${count(plan.kernels.length, "kernel")} (${kernelsOf(plan).join(", ")}) read and write in memory. The table below says the same.`,
        });
        byId("picture").replaceChildren(element("div", { className: "paper" }, image), element("div", { className: "row" }, save(name, svg)));
    }

    const HEADINGS = ["Part", "Shape", "Bytes", "First byte", "Strides in elements", "View"];

    function viewsOf(kernel) {
        const parts = kernel.outputs ?? kernel.inputs ?? [];
        const list = (value) => (Array.isArray(value) ? `[${value.join(", ")}]` : String(value ?? "none"));
        const rows = parts.map((part) => element("tr", {},
            element("th", { scope: "row" }, part.name ?? "not wanted"),
            ...[list(part.shape), list(part.bytes), list(part.byte_offset), list(part.strides),
                `${part.view ?? "none"}${part.view_why ? `: ${part.view_why}` : ""}`].map((text) => element("td", {}, text))));
        const head = element("tr", {}, ...HEADINGS.map((text) => element("th", { scope: "col" }, text)));
        return element("table", {}, element("caption", {}, kernel.name), element("thead", {}, head), element("tbody", {}, ...rows));
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
        byId("places").replaceChildren(...(goTo === null ? [] : found.filter((one) => one.line !== null).map((one) => placeOf(one, goTo))));
        byId("rendered").textContent = rendered;
    }

    // --- all of it ---

    function results(files) {
        const names = Object.keys(files);
        const name = (end) => names.find((one) => one.endsWith(end));
        const plan = JSON.parse(files[name(".json")]);
        showC(name(".c"), files[name(".c")], plan);
        showText("panel-h", name(".h"), files[name(".h")], true);
        showText("panel-json", name(".json"), files[name(".json")], false);
        showPicture(name(".svg"), files[name(".svg")], plan);
        byId("views").replaceChildren(...plan.kernels.map(viewsOf));
        return plan;
    }

    function explained(text) {
        showText("panel-explain", "explain.txt", text, false);
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

    return { results, explained, diagnostics, stale, status, count };
})();
