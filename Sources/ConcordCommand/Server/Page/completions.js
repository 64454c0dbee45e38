// How the text that is typed may go on: a combobox, whose list stands in a row under the field.
//
// The row has its place whether or not there is something in it, so completions neither cover the results nor move them.
// Arrow down leads from the field into the row, and from there to the results; left and right move along it.

import { byID, element } from "./dom.js";
import { nodes, plainText } from "./runs.js";
import { suggest } from "./api.js";

const pause = 60;

export class Completions {
  #field = byID("query");
  #list = byID("completions");
  #texts = [];
  #active = -1;
  #sequence = 0;
  #controller = null;
  #timer = 0;

  /** `onchoose(text)` is called with the completion that was chosen. */
  constructor(onchoose) {
    this.onchoose = onchoose;
    // The field keeps the focus: a blur would close a phone's keyboard.
    this.#list.addEventListener("pointerdown", (event) => event.preventDefault());
    this.#list.addEventListener("click", (event) => {
      const option = event.target.closest("[role=option]");
      if (option) this.#choose(Number(option.dataset.place));
    });
    this.#field.addEventListener("blur", () => this.#activate(-1));
  }

  /** Asks for the completions of a text. Those before stay until the answer is there. */
  ask(text, table) {
    clearTimeout(this.#timer);
    this.#controller?.abort();
    this.#activate(-1);
    const sequence = ++this.#sequence;
    if (!text.trim()) return this.#show([], text);
    this.#timer = setTimeout(async () => {
      this.#controller = new AbortController();
      try {
        const answer = await suggest(text, table, this.#controller.signal);
        if (sequence === this.#sequence) this.#show(answer.completions ?? [], text);
      } catch {
        // The search says what is wrong; a missing completion is no news.
        if (sequence === this.#sequence) this.#show([], text);
      }
    }, pause);
    return undefined;
  }

  close() {
    clearTimeout(this.#timer);
    this.#sequence += 1;
    this.#show([], "");
  }

  /** Handles a key in the field; whether it was one for the list. */
  key(key) {
    const isIn = this.#active >= 0;
    if (key === "ArrowDown" && !isIn && this.#texts.length) this.#activate(0);
    else if (!isIn) return false;
    else if (key === "ArrowRight" || key === "ArrowLeft") {
      const step = (key === "ArrowRight") === (getComputedStyle(this.#list).direction === "ltr") ? 1 : -1;
      this.#activate(Math.min(Math.max(this.#active + step, 0), this.#texts.length - 1));
    } else if (key === "Home") this.#activate(0);
    else if (key === "End") this.#activate(this.#texts.length - 1);
    else if (key === "ArrowUp" || key === "Escape") this.#activate(-1);
    else if (key === "Enter") this.#choose(this.#active);
    else {
      this.#activate(-1);
      return false;
    }
    return true;
  }

  #choose(place) {
    const text = this.#texts[place];
    this.close();
    if (text !== undefined) this.onchoose(text);
  }

  #show(completions, text) {
    const useful = completions.filter((completion) => completion?.text && completion.text !== text.trim()).slice(0, 8);
    this.#texts = useful.map((completion) => completion.text);
    this.#list.replaceChildren(...useful.map((completion, place) => this.#option(completion, place)));
    this.#list.scrollLeft = 0;
    this.#field.setAttribute("aria-expanded", String(useful.length > 0));
    this.#activate(-1);
  }

  // What the completion adds is marked by the server, and is what the eye looks for; the words before it are in the field.
  #option(completion, place) {
    const runs = plainText(completion.runs) ? completion.runs : [{ text: completion.text }];
    const parts = nodes(runs.map((run, at) => (at === 0 && !run.marked ? { text: lastWord(String(run.text)) } : run)));
    const content = parts.map((node) => (node.nodeName === "MARK" ? element("b", {}, node.textContent) : node));
    return element("li", { id: `completion-${place}`, role: "option", "aria-label": completion.text, "aria-selected": "false", "data-place": place, dir: "auto" }, ...content);
  }

  #activate(place) {
    this.#active = place;
    [...this.#list.children].forEach((option, at) => option.setAttribute("aria-selected", String(at === place)));
    if (place < 0) {
      this.#field.removeAttribute("aria-activedescendant");
    } else {
      this.#field.setAttribute("aria-activedescendant", `completion-${place}`);
      const option = this.#list.children[place];
      const list = this.#list.getBoundingClientRect();
      const box = option.getBoundingClientRect();
      if (box.right > list.right) this.#list.scrollLeft += box.right - list.right + 16;
      if (box.left < list.left) this.#list.scrollLeft -= list.left - box.left + 16;
    }
  }
}

// "the journal re" → "re"; what ends with a space, or has one word, stays.
function lastWord(text) {
  const at = text.lastIndexOf(" ");
  return at > 0 && at < text.length - 1 ? text.slice(at + 1) : text;
}
