// One search at a time. Its answers are shown in the order of the questions: one that comes after a later question is dropped,
// and until an answer is there the results before it stay.

import * as api from "./api.js";
import { searchKey } from "./address.js";

/** The least time between two requests while a person types, in milliseconds. The first goes out at once. */
const pause = 40;
const kept = 12;
const pageSize = 20;

export class Search extends EventTarget {
  /** What was found: {key, hits, total, cursor, facets, correction, replaced, milliseconds}; null before the first answer. */
  answer = null;
  problem = null;
  #state = null;
  #sequence = 0;
  #controller = null;
  #timer = 0;
  #sentAt = -Infinity;
  #remembered = new Map();
  #extending = false;

  get isBusy() {
    return this.#controller !== null || this.#timer !== 0;
  }

  /** Whether the answer is that to the last question. */
  get isAnswered() {
    return this.answer !== null && this.#state !== null && this.answer.key === searchKey(this.#state);
  }

  /** Asks for a state. `pressed` is when the key was pressed that led to it, for measurements. */
  ask(state, { pressed = null } = {}) {
    this.#state = state;
    this.#cancel();
    const sequence = ++this.#sequence;
    const wait = this.#sentAt + pause - performance.now();
    if (wait <= 0) this.#send(sequence, pressed);
    else this.#timer = setTimeout(() => this.#send(sequence, pressed), wait);
    this.#tell("busy");
  }

  /** Shows an answer that was given before, at once; whether there is one. */
  recall(state) {
    const answer = this.#remembered.get(searchKey(state));
    if (!answer) return false;
    this.#state = state;
    this.#cancel();
    this.#sequence += 1;
    this.#finish(answer, {});
    return true;
  }

  /** Asks the last question again. With `keepsPlace` as many results as there are are fetched, for a list that is being read. */
  async again({ keepsPlace = false } = {}) {
    if (!this.#state) return;
    this.#remembered.clear();
    if (!keepsPlace || !this.isAnswered) return this.ask(this.#state);
    if (this.isBusy) return;
    const wanted = this.answer.hits.length;
    const sequence = ++this.#sequence;
    await this.#request(sequence, async (signal) => {
      const fresh = await this.#first(signal, Math.min(wanted, 100));
      while (fresh.cursor && fresh.hits.length < wanted) this.#append(fresh, await api.search(this.#state, { cursor: fresh.cursor, limit: 100 }, signal));
      return fresh;
    }, { keepsPlace: true });
  }

  /** Fetches the next page of the list. */
  async extend() {
    const { answer } = this;
    if (!answer?.cursor || this.isBusy || this.#extending) return;
    this.#extending = true;
    this.#tell("busy");
    await this.#request(this.#sequence, async (signal) => {
      const longer = { ...answer, hits: [...answer.hits] };
      this.#append(longer, await api.search(this.#state, { cursor: answer.cursor, limit: pageSize }, signal));
      return longer;
    }, { extendsFrom: answer.hits.length });
  }

  #cancel() {
    clearTimeout(this.#timer);
    this.#timer = 0;
    this.#controller?.abort();
    this.#controller = null;
    this.#extending = false;
  }

  #send(sequence, pressed) {
    this.#timer = 0;
    this.#sentAt = performance.now();
    this.#request(sequence, (signal) => this.#first(signal), { pressed });
  }

  async #first(signal, limit = pageSize) {
    const key = searchKey(this.#state);
    const answer = await api.search(this.#state, { limit: Math.max(limit, pageSize) }, signal);
    if (!Array.isArray(answer?.hits)) throw new api.Problem("garbled", "The answer could not be read", "The server sent something that is no list of results.");
    return { ...answer, key, replaced: answer.replaced ?? [], facets: answer.facets ?? [] };
  }

  #append(answer, page) {
    const known = new Set(answer.hits.map((hit) => hit.id));
    answer.hits.push(...(page.hits ?? []).filter((hit) => !known.has(hit.id)));
    // A page without anything new would be asked for without end.
    answer.cursor = page.hits?.length ? page.cursor : null;
  }

  async #request(sequence, work, details) {
    const controller = new AbortController();
    this.#controller = controller;
    const asked = performance.now();
    try {
      const answer = await work(controller.signal);
      if (sequence !== this.#sequence || controller.signal.aborted) return;
      this.#controller = null;
      this.#finish(answer, { ...details, asked, answered: performance.now() });
    } catch (error) {
      if (sequence !== this.#sequence || controller.signal.aborted) return;
      this.#controller = null;
      this.#extending = false;
      this.problem = error instanceof api.Problem ? error : new api.Problem("garbled", "Something went wrong in this page", String(error));
      this.#tell("problem", details);
    }
  }

  #finish(answer, details) {
    this.#extending = false;
    this.problem = null;
    this.answer = answer;
    this.#remembered.delete(answer.key);
    this.#remembered.set(answer.key, answer);
    if (this.#remembered.size > kept) this.#remembered.delete(this.#remembered.keys().next().value);
    this.#tell("answer", details);
  }

  #tell(event, detail = {}) {
    this.dispatchEvent(new CustomEvent(event, { detail }));
  }
}
