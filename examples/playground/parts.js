// A part of a kernel has one colour in the input, the picture and the C. Under the pointer and with the focus it is lit
// in all of them. Every element that is about a part has its number in data-part.
"use strict";

let hues = []; // the colours of the shown kernel's parts

// Makes an element one about a part.
function ofPart(made, part) {
    made.className = `${made.className} hue${hues[part] ?? part % HUES}`.trim();
    made.dataset.part = part;
    return made;
}

const parts = (() => {
    let hovered = null; // the part under the pointer
    let focused = null; // the part with the focus or at the cursor
    let pinned = null; // the part whose button is pressed
    let lit = null;

    function light() {
        const wanted = hovered ?? focused ?? pinned;
        if (wanted === lit) {
            return;
        }
        lit = wanted;
        document.querySelectorAll(".lit").forEach((one) => one.classList.remove("lit"));
        if (lit !== null) {
            document.querySelectorAll(`[data-part="${lit}"]`).forEach((one) => one.classList.add("lit"));
        }
    }

    function hover(part) {
        hovered = part;
        light();
    }

    // A pointer that rests somewhere does not keep the focus from showing.
    function focus(part) {
        focused = part;
        hover(null);
    }

    const partOf = (target) => target.closest?.("[data-part]")?.dataset.part ?? null;

    function press(button) {
        pinned = button.getAttribute("aria-pressed") === "true" ? null : button.dataset.part;
        for (const one of document.querySelectorAll("[aria-pressed]")) {
            one.setAttribute("aria-pressed", String(one.dataset.part === pinned));
        }
        light();
    }

    // Before the elements of a kernel come: nothing is lit or pinned.
    function reset({ parts: drawn }) {
        hues = drawn.map(({ hue }) => hue);
        [hovered, focused, pinned, lit] = [null, null, null, null];
    }

    // A model's comments are lines that begin with "#".
    const inComment = (text, at) => text[text.lastIndexOf("\n", at) + 1] === "#";

    // The names of a kernel's parts in the text of its input: { first, last, part } of each.
    function rangesIn(text, kind, { drawing, at, count }) {
        const names = new Map();
        drawing.parts.forEach(({ name, tensor }, part) => [name, tensor].forEach((one) => one && names.set(one, part)));
        let [start, end] = [0, text.length];
        const ops = kind === "notation" ? [...text.matchAll(/[^;]*[^;\s][^;]*/g)] : [];
        if (ops.length === count) {
            start = ops[at].index;
            end = start + ops[at][0].length;
        }
        const before = { notation: /[->\s]$/, spec: /["']$/, model: /[^/.\w]$/ }[kind];
        const found = [];
        for (const { 0: word, index } of text.slice(start, end).matchAll(/[A-Za-z_]\w*/g)) {
            const [first, last] = [start + index, start + index + word.length];
            const fits = kind === "notation" ? [":", "/"].includes(text[last]) : kind !== "model" || !inComment(text, first);
            if (names.has(word) && fits && before.test(text.slice(Math.max(0, first - 1), first)) && found.length < LIMITS.rows) {
                found.push({ first, last, part: names.get(word) });
            }
        }
        // In the notation a colon follows a kernel's own name, too.
        return kind === "notation" ? found.filter(({ first }) => /[<>]|->/.test(text.slice(start, first))) : found;
    }

    // A field has no elements in its text: "behind" lies behind it and has the same text with elements.
    function listen(field, behind) {
        document.addEventListener("pointerover", ({ target }) => target !== field && hover(partOf(target)));
        document.addEventListener("focusin", ({ target }) => target !== field && focus(partOf(target)));
        document.addEventListener("click", ({ target }) => {
            const button = target.closest?.("[aria-pressed]");
            if (button) {
                press(button);
            }
        });
        field.addEventListener("pointermove", ({ clientX, clientY }) => {
            const isUnder = ({ left, right, top, bottom }) => clientX >= left && clientX <= right && clientY >= top && clientY <= bottom;
            const under = [...behind.querySelectorAll("[data-part]")].find((one) => [...one.getClientRects()].some(isUnder));
            hover(under?.dataset.part ?? null);
        });
        document.addEventListener("selectionchange", () => {
            if (document.activeElement === field) {
                const range = document.createRange();
                const around = [...behind.querySelectorAll("[data-part]")].find((one) => {
                    range.setStart(behind, 0);
                    range.setEndBefore(one);
                    const first = range.toString().length;
                    return field.selectionStart >= first && field.selectionStart <= first + one.textContent.length;
                });
                focus(around?.dataset.part ?? null);
            }
        });
    }

    return { rangesIn, reset, listen };
})();
