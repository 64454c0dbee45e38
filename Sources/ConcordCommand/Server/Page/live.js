// Listens to what the server tells: the state of the index, and that it has changed.
//
// A browser opens six connections to a server, and an event stream holds one for good; so a page that nobody looks at lets go
// of its stream, and takes it up again when it is shown.

import * as api from "./api.js";

const first = 500;
const longest = 8_000;
/** A stream that has held for so long was no failure. */
const steady = 5_000;

export class Live extends EventTarget {
  #source = null;
  #timer = 0;
  #wait = first;
  #openedAt = 0;
  #isLost = false;
  #isPaused = false;
  #isAsking = false;
  #hasListened = false;

  constructor() {
    super();
    document.addEventListener("visibilitychange", () => (document.hidden ? this.#close() : this.retry()));
    addEventListener("online", () => this.retry());
    addEventListener("offline", () => this.#lose());
    addEventListener("pagehide", () => this.#close());
    addEventListener("pageshow", (event) => event.persisted && this.retry());
    api.server.addEventListener("unreachable", () => {
      this.#lose();
      this.#later();
    });
    api.server.addEventListener("unauthorized", () => {
      this.#isPaused = true;
      this.#close();
    });
  }

  get isLost() {
    return this.#isLost;
  }

  // A stream may seem to be open while requests fail.
  get #isConnected() {
    return this.#source !== null && !this.#isLost;
  }

  /** Connects now, whatever failed before. */
  retry() {
    this.#isPaused = false;
    this.#wait = first;
    return this.#connect();
  }

  #close() {
    clearTimeout(this.#timer);
    this.#timer = 0;
    this.#source?.close();
    this.#source = null;
  }

  async #connect() {
    clearTimeout(this.#timer);
    this.#timer = 0;
    if (this.#isAsking || this.#isConnected || document.hidden || this.#isPaused) return;
    // An event stream does not say why it fails; an ordinary request does.
    this.#isAsking = true;
    try {
      this.#tell("status", await api.status());
    } catch (problem) {
      this.#isAsking = false;
      if (problem.kind === "unauthorized") return;
      if (problem.kind === "unreachable") this.#lose();
      this.#later();
      return;
    }
    this.#isAsking = false;
    this.#find();
    if (!this.#source && !document.hidden && !this.#isPaused) this.#listen();
  }

  #listen() {
    const source = new EventSource("/api/events");
    this.#source = source;
    // Whatever changed while nobody listened has not been told.
    if (this.#hasListened) this.#tell("change");
    this.#hasListened = true;
    source.addEventListener("open", () => (this.#openedAt = performance.now()));
    source.addEventListener("status", (event) => this.#receive("status", event));
    source.addEventListener("progress", (event) => this.#receive("progress", event));
    source.addEventListener("change", (event) => this.#receive("change", event));
    source.addEventListener("error", () => {
      if (source !== this.#source) return;
      this.#close();
      if (performance.now() - this.#openedAt > steady && this.#openedAt) this.#wait = first;
      this.#openedAt = 0;
      this.#later();
    });
  }

  #later() {
    if (this.#timer || this.#isConnected) return;
    this.#timer = setTimeout(() => this.#connect(), this.#wait);
    this.#wait = Math.min(this.#wait * 2, longest);
  }

  #receive(name, event) {
    try {
      this.#tell(name, JSON.parse(event.data));
    } catch {
      // An event that cannot be read is followed by others.
    }
  }

  #lose() {
    if (this.#isLost) return;
    this.#isLost = true;
    this.#tell("lost");
  }

  #find() {
    if (!this.#isLost) return;
    this.#isLost = false;
    this.#tell("found");
  }

  #tell(name, detail = null) {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }
}
