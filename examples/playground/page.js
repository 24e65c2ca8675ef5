// The page: what is typed, ticked and dropped becomes command lines; what they give is shown.
"use strict";

(() => {
    const byId = (id) => document.getElementById(id);
    const text = byId("text");
    const marks = byId("marks");

    const KINDS = {
        notation: { name: null, label: "Ops in the one-line notation", hint: "name: type[shape] @axis -> part:length …; * is the rest, /3 means three equal parts, <- concatenates. Separate several ops with ;" },
        spec: { name: "spec.lua", label: "A spec, in Lua", hint: "A spec returns one split { … } or concat { … }, or a list of them." },
        model: { name: "model.onnxtxt", label: "A model, as text", hint: "ONNX's textual syntax or OpenVINO's .xml can be edited here. "
            + "Open a binary .onnx, or an .xml together with its .bin, or drop it on the page." },
    };
    const WRONG_COMMAND = 2; // the exit code; columns are of the command line then
    const EDITABLE = 200000; // bytes of a model that is shown as text
    const OP_LIKE = "'rgb: u8[4,3] @1 -> r:1 g:1 b:1'";

    // What is worked on. "files" are File objects that are not shown as text: a binary model, the .bin of an .xml.
    // "sizes" are names of dimensions and parameters that have a field; the text or the options have their values.
    const state = { kind: "notation", name: null, files: [], main: null, sizes: new Set() };

    // --- from the page to command lines ---

    const ticked = (id) => [...byId(id).querySelectorAll("input:checked")].map((box) => box.value);

    function inputsAndWords() {
        if (isEmpty()) {
            return { inputs: [], words: [] };
        }
        if (state.kind === "notation") {
            return { inputs: [], words: ["-e", text.value] };
        }
        if (state.main !== null) {
            return { inputs: state.files, words: [state.main] };
        }
        return { inputs: [...state.files, new File([text.value], state.name)], words: [state.name] };
    }

    const isEmpty = () => state.main === null && text.value.trim() === "";

    function optionWords() {
        return [...ticked("options"), ...isaWords(ticked("machines")), ...wordsOf(byId("more").value)];
    }

    // --- marks under the text ---

    // The place in the text of a line and a column, which are counted from 1, columns in bytes of UTF-8.
    function offsetOf(line, column) {
        const lines = text.value.split("\n");
        const before = lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0);
        const bytes = new TextEncoder().encode(lines[line - 1] ?? "");
        return before + new TextDecoder().decode(bytes.subarray(0, column - 1)).length;
    }

    function rangeOf(diagnostic) {
        const first = offsetOf(diagnostic.line, diagnostic.column);
        return [first, Math.max(first + 1, offsetOf(diagnostic.endLine, diagnostic.endColumn))];
    }

    // Whether a diagnostic, or a note, is about the text in the page.
    function isHere(diagnostic, code) {
        const name = state.kind === "notation" ? "<command line>" : state.name;
        return diagnostic.line !== null && diagnostic.file === name && state.main === null && code !== WRONG_COMMAND;
    }

    // The text that lies behind the field, with marks of messages and the colours of the shown kernel's parts.
    function mark(messages) {
        const named = shown === null || state.main !== null ? [] : parts.rangesIn(text.value, state.kind, shown);
        const pieces = [];
        let end = 0;
        for (const { first, last, severity, part } of [...messages, ...named].sort((a, b) => a.first - b.first)) {
            if (first >= end) {
                const word = text.value.slice(first, last);
                pieces.push(text.value.slice(end, first), part === undefined
                    ? element("mark", { className: severity }, word || " ") : ofPart(element("span", {}, word), part));
                end = last;
            }
        }
        marks.replaceChildren(...pieces, text.value.slice(end), "\n");
        marks.scrollTop = text.scrollTop;
    }

    let underlined = []; // the messages of the last run

    function markAll(found, code) {
        const places = found.flatMap((one) => [one, ...one.notes]).filter((one) => isHere(one, code)).slice(0, LIMITS.places);
        underlined = places.map((one) => {
            const [first, last] = rangeOf(one);
            return { first, last, severity: one.severity };
        });
        mark(underlined);
    }

    function goTo(diagnostic) {
        text.focus();
        text.setSelectionRange(...rangeOf(diagnostic));
    }

    // --- a run ---

    function setState(name) {
        document.body.dataset.state = name;
    }

    let latest = 0; // the number of a run, or of its end by the button
    let answered = 0; // the run whose code or mistakes are shown
    let files = null; // what the run wrote whose code is shown
    let shown = null; // what the worker made of it: the list of kernels, and one of them

    async function update() {
        const own = ++latest;
        recognise();
        const { inputs, words } = inputsAndWords();
        const command = [...optionWords(), ...words];
        byId("command").textContent = `splitgen ${lineOf(command)}`;
        keepLink(own);
        showSizes();
        if (isHinted(command)) {
            return;
        }
        setState("busy");
        try {
            const main = [...command, "--emit=c,h,json,svg", "-o", "/out/", "--diagnostics-format=json"];
            const [made] = await engine.run(inputs, [main], byId("kernel").value);
            if (own !== latest) {
                return;
            }
            const found = JSON.parse(made.errors).diagnostics;
            receive(made, found);
            answered = own;
            // What it says, as a terminal would show it, what it explains and, of a model, what is left out and what it
            // copies, and the C for Compiler Explorer.
            const others = [found.length > 0 ? command : ["--version"], [...command, "--explain"]];
            if (made.code === 0) {
                others.push([...command, "--standalone"]);
            }
            if (state.kind === "model" && made.code === 0) {
                others.push([...command, "--list"], [...command, "--emit=placement,placement-svg", "-o", "/out/"]);
            }
            const rest = await engine.run(inputs, others);
            if (own === latest) {
                finish(made, found, rest, command);
            }
        } catch (error) {
            if (own === latest) {
                show.status(`The tool ended unexpectedly: ${error.message}`);
                setState("error");
            }
        }
    }

    // A text of another kind than the chosen one is taken as what it is.
    function recognise() {
        const kind = state.main === null ? kindOf(text.value, state.kind) : state.kind;
        if (kind !== state.kind) {
            setKind(kind);
            state.name = KINDS[kind].name;
            tick("options", [...ticked("options"), ...(kind === "model" ? ["--open"] : [])]);
            byId("opened").textContent = `Taken as: ${KINDS[kind].label}.`;
        }
    }

    // Whether there is nothing to run, but something to say: the text is empty, or a command line.
    function isHinted(command) {
        const given = state.kind === "notation" && state.main === null ? commandIn(text.value) : null;
        if (given === null && (!isEmpty() || command.some((word) => /^--(?:help|print|version)/.test(word)))) {
            return false;
        }
        shown = null;
        show.clear();
        show.stale(false);
        show.explorer(null);
        text.setAttribute("aria-invalid", "false");
        markAll([], 0);
        show.diagnostics([], () => null);
        byId("memory").replaceChildren();
        if (given === null) {
            show.status(`Write ${state.kind === "notation" ? `an op, such as ${OP_LIKE}` : `a ${state.kind}`}, choose one of the examples, or drop a file.`);
            show.proposals([], propose);
        } else {
            show.status(`This is ${given.whole ? "a command line" : "an option"}. Here goes an op, such as ${OP_LIKE}; options go under "More options".`);
            const words = [...wordsOf(given.options), ...(given.notation === "" ? [] : ["-e", given.notation])];
            show.proposals([{ words, hole: false }], () => {
                text.value = given.notation;
                byId("more").value = given.options;
                byId("choices").open = true;
                update();
            });
        }
        answered = latest;
        setState("hint");
        return true;
    }

    // The code, or where the mistake is. What is wrong with the command line is said later, without the page's own options.
    function receive(made, found) {
        const failed = made.code !== 0;
        text.setAttribute("aria-invalid", String(failed && made.code !== WRONG_COMMAND));
        if (failed && shown === null) {
            show.clear();
        }
        if (failed && made.code !== WRONG_COMMAND) {
            tell(found, made.code);
        } else if (failed) {
            show.diagnostics([], () => null);
        } else {
            show.diagnostics(found, (one) => (isHere(one, 0) ? goTo : null));
            files = made.files;
            shown = withPlace(made.shown);
            show.results(files, made.shown);
            const warnings = found.length > 0 ? `, ${show.count(found.length, "warning")}` : "";
            show.status(`${show.count(made.shown.count, "kernel")} in ${made.milliseconds.toFixed(0)} ms${warnings}.`);
            document.body.dataset.milliseconds = made.milliseconds;
            performance.mark("code"); // for the test, which prints when the first was there
        }
        show.stale(failed);
        markAll(found, made.code);
    }

    // Errors: the only one is in the status, several are in the list.
    function tell(found, code) {
        const errors = found.filter((one) => one.severity === "error");
        const alone = errors.length === 1 ? errors[0] : null;
        show.status(alone ? `Error: ${alone.message}` : errors.length > 0 ? `${show.count(errors.length, "error")}.` : `The tool ended with code ${code}.`);
        show.diagnostics(found, (one) => (isHere(one, code) ? goTo : null), alone);
    }

    // The list of kernels and the shown one, with its place in the list.
    function withPlace(all) {
        const { drawing } = all.kernel;
        return { ...all, drawing, at: all.list.findIndex(({ name }) => name === drawing.name) };
    }

    // The rest, which nobody waits for.
    function finish(made, found, [said, explained, alone, listed, placed], command) {
        // Such as --list, to which the page's own --emit does not fit.
        const printsText = made.code === WRONG_COMMAND && said.code === 0;
        if (printsText) {
            show.status("With these options the tool prints text and makes no code. The text follows.");
        } else if (made.code === WRONG_COMMAND) {
            tell(found, made.code);
        }
        show.printed(printsText ? said.output : found.length > 0 ? said.errors : "", printsText);
        show.explorer(made.code === 0 && alone.code === 0 && alone.output.length <= LIMITS.link ? link.explorer(alone.output) : null);
        const messages = found.flatMap((one) => [one, ...one.notes]).map((one) => one.message);
        const leftOut = listed?.output.match(/^not listed: .*$/m)?.[0];
        const words = leftOut?.split(";")[0].replace("listed", "generated");
        show.proposals(proposalsOf([...messages, leftOut ?? ""], command), propose, words);
        sizesAsked(messages).forEach((name) => state.sizes.add(name));
        if (made.code === 0) {
            show.explained(explained.output);
        }
        byId("memory").replaceChildren();
        if (placed !== undefined) {
            const { graphs } = placed.code === 0 ? JSON.parse(fileOf(placed.files, ".json")) : { graphs: [] };
            const open = graphs.flatMap((graph) => graph.open ?? []);
            open.forEach(({ name }) => state.sizes.add(name));
            show.memory(placed.code === 0 ? placed.files : null, made.shown, open.length > 0);
        }
        showSizes();
        setState(made.code === 0 || printsText ? "done" : "error");
    }

    const fileOf = (all, end) => all[Object.keys(all).find((name) => name.endsWith(end))];

    async function showKernel() {
        const name = byId("kernel").value;
        const of = files;
        try {
            const kernel = await engine.kernel(files, name);
            if (of === files && name === byId("kernel").value) {
                shown = withPlace({ ...shown, kernel });
                show.kernel(files, kernel);
                mark(underlined);
            }
        } catch {
            // another run began, which shows its own, or the worker was ended
        }
    }

    // --- sizes, and what messages propose ---

    function showSizes() {
        if (state.kind === "notation") {
            const words = "The C is tuned for the sizes that you expect, and works for any size.";
            show.sizes(dynamicIn(text.value), words, changeSize);
            return;
        }
        const given = sizesOf(byId("more").value);
        const names = [...new Set([...state.sizes, ...(state.kind === "model" ? given.keys() : [])])];
        const words = state.kind === "model" ? "A number fixes the size. Without one, the size is passed on every call (--open)."
            : "The values of the spec's parameters.";
        show.sizes(new Map(names.map((name) => [name, given.get(name) ?? ""])), words, changeSize);
    }

    function changeSize(name, value) {
        const [box, change] = state.kind === "notation" ? [text, withExpected] : [byId("more"), withSize];
        box.value = change(box.value, name, value);
        updateSoon();
    }

    // An option with a value that the user has to write is put where it can be written; others run at once.
    function propose({ words, hole }) {
        const box = [...byId("options").querySelectorAll("input")].find((one) => one.value === words.join(" "));
        const more = byId("more");
        if (box) {
            box.checked = true;
        } else {
            more.value = `${more.value} ${lineOf(words)}`.trim();
        }
        if (hole) {
            byId("choices").open = true;
            more.focus();
        } else {
            text.focus(); // the button will be gone
            update();
        }
    }

    let timer = 0;

    function cancel() {
        clearTimeout(timer);
        if (answered !== latest) {
            show.stale(true);
        }
        ++latest;
        engine.cancel();
        show.status("Cancelled. Change the input to start again.");
        setState("cancelled");
    }

    function updateSoon() {
        ++latest; // messages of a run that goes on are about an older text
        underlined = [];
        mark(underlined);
        setState("busy");
        clearTimeout(timer);
        timer = setTimeout(update, 150);
    }

    // --- the link ---

    async function keepLink(own) {
        const input = { kind: state.kind, name: state.name, text: text.value, options: ticked("options"),
                        machines: ticked("machines"), more: byId("more").value };
        const letters = state.files.length > 0 ? "" : await link.write(input);
        if (own === latest) {
            history.replaceState(null, "", `#${letters}`);
        }
        return letters;
    }

    function notice(words) {
        byId("notice").hidden = words === "";
        byId("notice").textContent = words;
    }

    // Whether there is a link that can be opened; one that cannot gives a message.
    async function openLink() {
        const input = await link.read(location.hash.slice(1));
        if (input.problem === undefined && Object.hasOwn(KINDS, input.kind)) {
            take(input);
            return true;
        }
        notice(input.problem ?? `The link is for a kind of input that this page does not have: '${input.kind.slice(0, 40)}'.`);
        return false;
    }

    // What the page begins with.
    async function takeFirst() {
        if (location.hash.length <= 1) {
            take(EXAMPLES[0]);
        } else if (!await openLink()) {
            const words = byId("notice").textContent;
            take(EXAMPLES[0]);
            notice(`${words} This is the first example.`);
        }
    }

    // --- from examples, links and files to the page ---

    function take(input) {
        notice("");
        setKind(input.kind);
        state.name = input.name ?? KINDS[input.kind].name;
        state.files = input.files ?? [];
        state.main = null;
        state.sizes.clear();
        shown = null;
        text.value = input.text;
        text.disabled = false;
        tick("options", input.options ?? []);
        tick("machines", input.machines ?? MACHINES.map((machine) => machine.word));
        byId("more").value = input.more ?? "";
        byId("opened").textContent = "";
        update();
    }

    function tick(id, values) {
        for (const box of byId(id).querySelectorAll("input")) {
            box.checked = values.includes(box.value);
        }
    }

    function setKind(kind) {
        state.kind = kind;
        document.querySelector(`[name=kind][value=${kind}]`).checked = true;
        byId("text-label").textContent = KINDS[kind].label;
        byId("hint").textContent = KINDS[kind].hint;
        text.rows = kind === "notation" ? 3 : 12;
        for (const label of byId("options").querySelectorAll("[data-for]")) {
            label.hidden = label.dataset.for !== kind;
            const box = label.querySelector("input");
            box.checked &&= !label.hidden;
        }
    }

    // A model's file is what is not a companion: the weights of an .xml, the external data of an .onnx.
    function mainOf(files) {
        return files.find((file) => /\.(lua|onnx|onnxtxt|xml)$/i.test(file.name)) ?? files[0];
    }

    async function openFiles(list) {
        const files = [...list];
        if (files.length === 0) {
            return;
        }
        const main = mainOf(files);
        const others = files.filter((file) => file !== main);
        const spec = /\.lua$/i.test(main.name);
        const shown = spec || (/\.(onnxtxt|xml|txt)$/i.test(main.name) && main.size <= EDITABLE);
        take({ kind: spec ? "spec" : "model", name: main.name, text: shown ? await main.text() : "", files: shown ? others : files,
               options: spec ? [] : ["--open"] });
        if (!shown) {
            state.main = main.name;
            text.disabled = true;
            update();
        }
        byId("opened").textContent = `${files.map((file) => `${file.name} (${file.size.toLocaleString("en")} bytes)`).join(", ")}. `
            + "Read here, sent nowhere; a link cannot hold files.";
    }

    // --- what the page is made of ---

    function boxes(id, list, checked) {
        for (const { words, word, text: says, for: kind } of list) {
            const box = element("input", { type: "checkbox", value: words ?? word, checked });
            const label = element("label", {}, box, ` ${says} `, ...(words ? [element("code", {}, words)] : []));
            if (kind) {
                label.dataset.for = kind;
            }
            byId(id).append(label);
        }
    }

    function showExamples(wanted) {
        byId("examples").hidden = !wanted;
        byId("help").setAttribute("aria-expanded", String(wanted));
    }

    function fillExamples() {
        for (const example of EXAMPLES) {
            const words = example.kind === "notation" ? example.text : KINDS[example.kind].label;
            const choose = element("button", { type: "button" }, example.title, element("code", {}, words));
            choose.addEventListener("click", () => {
                showExamples(false);
                text.focus();
                take(example);
            });
            byId("examples").append(element("li", {}, choose));
        }
        byId("help").addEventListener("click", () => showExamples(byId("examples").hidden));
    }

    function chooseTab(chosen) {
        for (const tab of document.querySelectorAll("[role=tab]")) {
            tab.setAttribute("aria-selected", String(tab === chosen));
            tab.tabIndex = tab === chosen ? 0 : -1;
            byId(tab.getAttribute("aria-controls")).hidden = tab !== chosen;
        }
    }

    function moveTab(event) {
        const tabs = [...document.querySelectorAll("[role=tab]")];
        const at = tabs.indexOf(event.target);
        const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 }[event.key];
        if (to !== undefined) {
            const tab = tabs[(to + tabs.length) % tabs.length];
            chooseTab(tab);
            tab.focus();
            event.preventDefault();
        }
    }

    async function copyText(words, done) {
        await navigator.clipboard.writeText(words);
        byId("copied").textContent = done;
    }

    async function copyLink() {
        const letters = await keepLink(latest);
        if (letters === "") {
            byId("copied").textContent = "This input is too long for a link, or is a file.";
        } else {
            await copyText(location.href, "The link is copied.");
        }
    }

    function listenToFiles() {
        byId("files").addEventListener("change", (event) => openFiles(event.target.files));
        document.addEventListener("dragover", (event) => {
            event.preventDefault();
            document.body.classList.add("dragging");
        });
        document.addEventListener("dragleave", () => document.body.classList.remove("dragging"));
        document.addEventListener("drop", (event) => {
            event.preventDefault();
            document.body.classList.remove("dragging");
            openFiles(event.dataTransfer.files);
        });
    }

    // Another kind begins with its first example.
    function changeKind(event) {
        take(EXAMPLES.find((example) => example.kind === event.target.value));
    }

    function listen() {
        text.addEventListener("input", updateSoon);
        text.addEventListener("scroll", () => { marks.scrollTop = text.scrollTop; });
        byId("more").addEventListener("input", updateSoon);
        byId("options").addEventListener("change", update);
        byId("machines").addEventListener("change", update);
        byId("kinds").addEventListener("change", changeKind);
        byId("tabs").addEventListener("click", (event) => event.target.role === "tab" && chooseTab(event.target));
        byId("tabs").addEventListener("keydown", moveTab);
        byId("copy-command").addEventListener("click", () => copyText(byId("command").textContent, "The command is copied."));
        byId("copy-link").addEventListener("click", copyLink);
        byId("cancel").addEventListener("click", cancel);
        byId("kernel").addEventListener("change", showKernel);
        parts.listen(text, marks);
        window.addEventListener("hashchange", openLink);
        listenToFiles();
    }

    async function start() {
        boxes("options", OPTIONS, false);
        boxes("machines", MACHINES, true);
        fillExamples();
        listen();
        await takeFirst();
    }

    start();
})();
