// The matches in a text that is shown: which one is looked at, and the way to the next.

import { byID } from "./dom.js";
import * as format from "./format.js";

/** How many characters belong together. */
const passage = 160;

export class Matches {
  #scroller;
  #marks = [];
  #at = -1;

  constructor(scroller) {
    this.#scroller = scroller;
  }

  get count() {
    return this.#marks.length;
  }

  get isAtEnd() {
    return this.#at >= this.#marks.length - 1;
  }

  /** Finds the matches that are in the text now, and stays at the one that it was at. */
  collect() {
    this.#marks = [...this.#scroller.querySelectorAll("mark")];
  }

  /** Goes to a match; the first follows the last. */
  go(place) {
    if (this.#marks.length === 0) return;
    this.#marks[this.#at]?.classList.remove("is-now");
    this.#at = (place + this.#marks.length) % this.#marks.length;
    const mark = this.#marks[this.#at];
    mark.classList.add("is-now");
    // By hand, because scrollIntoView would move the page as well.
    const box = mark.getBoundingClientRect();
    const frame = this.#scroller.getBoundingClientRect();
    const margin = Math.min(120, frame.height / 4);
    if (box.top < frame.top + margin || box.bottom > frame.bottom - margin) this.#scroller.scrollTop += box.top - frame.top - frame.height / 3;
    if (box.right > frame.right || box.left < frame.left) this.#scroller.scrollLeft += box.left - frame.left - frame.width / 3;
  }

  step(by) {
    this.go(this.#at < 0 ? (by > 0 ? 0 : -1) : this.#at + by);
  }

  /** Makes the first match that is in view the one that is looked at, and scrolls nothing. */
  settle() {
    const top = this.#scroller.getBoundingClientRect().top;
    this.#at = this.#marks.findIndex((mark) => mark.getBoundingClientRect().bottom > top);
    this.#marks[this.#at]?.classList.add("is-now");
  }

  /** The match at which the shortest passage begins that has the most different words of the query: the one to show first. */
  best() {
    const words = [];
    const walker = document.createTreeWalker(this.#scroller, NodeFilter.SHOW_TEXT);
    for (let at = 0; walker.nextNode(); at += walker.currentNode.data.length) {
      if (walker.currentNode.parentNode.nodeName !== "MARK") continue;
      // Forms of a word begin alike.
      words.push({ at, word: walker.currentNode.data.toLowerCase().slice(0, 5) });
    }
    let best = 0;
    let most = 1;
    let shortest = Infinity;
    for (let first = 0; first < words.length; first += 1) {
      const inside = new Set();
      for (let next = first; next < words.length && words[next].at - words[first].at < passage; next += 1) {
        inside.add(words[next].word);
        const length = words[next].at - words[first].at;
        if (inside.size > most || (inside.size === most && most > 1 && length < shortest)) [best, most, shortest] = [first, inside.size, length];
      }
    }
    return best;
  }

  /** "3 of 17". Where the text goes on, `expected` is how many the server speaks of, which may be those of the first piece. */
  describe(expected) {
    const total = Math.max(this.#marks.length, expected ?? 0);
    const isOpen = expected !== null && total === this.#marks.length;
    if (total === 0) return isOpen ? "No matches yet" : "No matches";
    if (this.#at < 0) return format.counted(total, "match", "matches");
    return `${format.count(this.#at + 1)} of ${format.count(total)}${isOpen ? "+" : ""}`;
  }

  show(expected) {
    const output = byID("match-place");
    if (output) output.textContent = this.describe(expected);
  }
}
