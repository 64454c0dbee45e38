// What is said to the person: aloud, to a screen reader, and in a note at the foot of the page.

import { byID } from "./dom.js";

let announcing = 0;
let hiding = 0;

/** Has a screen reader say a sentence, once nothing newer has come for a moment: counts change with every key. */
export function announce(text, after = 700) {
  clearTimeout(announcing);
  announcing = setTimeout(() => {
    const region = byID("announcement");
    // The same sentence again would not be said.
    region.textContent = region.textContent === text ? `${text}\u00a0` : text;
  }, after);
}

/** Shows a sentence for some seconds, and announces it. */
export function note(text) {
  const toast = byID("toast");
  toast.textContent = text;
  toast.classList.add("is-shown");
  clearTimeout(hiding);
  hiding = setTimeout(() => toast.classList.remove("is-shown"), 2400 + 40 * text.length);
  announce(text, 0);
}

/** Puts a text on the clipboard, and says so. */
export async function copy(text, what) {
  try {
    await navigator.clipboard.writeText(text);
    note(`${what} copied`);
  } catch {
    // The clipboard is for secure origins only, and this server may be one of the local network.
    note(copyBySelection(text) ? `${what} copied` : `Copy it by hand: ${text}`);
  }
}

function copyBySelection(text) {
  const focused = document.activeElement;
  const area = document.createElement("textarea");
  area.value = text;
  area.className = "hidden";
  document.body.append(area);
  area.select();
  const isCopied = document.execCommand("copy");
  area.remove();
  focused?.focus?.({ preventScroll: true });
  return isCopied;
}
