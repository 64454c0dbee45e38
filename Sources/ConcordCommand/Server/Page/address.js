// What the page shows is in its URL, so a link can be kept or sent, and the browser's buttons lead back and forth.
//
// While a person types, one entry of the history is written over again: a draft. What is chosen (Enter, a filter, a document)
// makes a draft an entry to come back to.

export const empty = Object.freeze({ query: "", table: null, sort: null, filters: Object.freeze({}), document: null });

export function parse(search) {
  const parameters = new URLSearchParams(search);
  const filters = {};
  for (const [name, value] of parameters) {
    if (!name.startsWith("f.") || name.length === 2) continue;
    const values = (filters[name.slice(2)] ??= []);
    if (!values.includes(value)) values.push(value);
  }
  return {
    query: parameters.get("q") ?? "", table: parameters.get("table"), sort: parameters.get("sort"), filters,
    document: parameters.get("doc"),
  };
}

export function format(state) {
  const parameters = new URLSearchParams();
  if (state.query) parameters.set("q", state.query);
  if (state.table) parameters.set("table", state.table);
  if (state.sort) parameters.set("sort", state.sort);
  for (const name of Object.keys(state.filters).sort()) {
    for (const value of [...state.filters[name]].sort()) parameters.append(`f.${name}`, value);
  }
  if (state.document !== null) parameters.set("doc", state.document);
  const text = parameters.toString();
  return text ? `/?${text}` : "/";
}

/** What decides the list of results: all of the state but the document. */
export const searchKey = (state) => format({ ...state, document: null });

export class Address {
  #scrolls = new Map();

  /** `onreturn(state)` is called when the browser's buttons have changed the state. */
  constructor(onreturn) {
    history.scrollRestoration = "manual";
    this.#set("replaceState", format(parse(location.search)), history.state?.draft ?? false, history.state?.key);
    try {
      for (const [key, place] of JSON.parse(sessionStorage.getItem("concord.scrolls") ?? "[]")) this.#scrolls.set(key, place);
    } catch {
      // Places to scroll to are a convenience.
    }
    addEventListener("scroll", () => this.#scrolls.set(history.state?.key, scrollY), { passive: true });
    addEventListener("pagehide", () => {
      try {
        sessionStorage.setItem("concord.scrolls", JSON.stringify([...this.#scrolls].slice(-50)));
      } catch {
        // As above.
      }
    });
    addEventListener("popstate", () => onreturn(parse(location.search)));
  }

  /** Where the page was scrolled to when this entry was shown last. */
  get scroll() {
    return this.#scrolls.get(history.state?.key) ?? 0;
  }

  /** Which entry of the history this is. */
  get entry() {
    return history.state?.key ?? null;
  }

  /** Writes the state. `how` is "typed" (a draft), "entered" (the draft is done), "chosen" (an entry to come back to), or
   * "moved" (this entry, changed). */
  write(state, how) {
    const url = format(state);
    const same = url === location.pathname + location.search;
    const draft = history.state?.draft ?? false;
    if (how === "moved") {
      if (!same) this.#set("replaceState", url, draft);
    } else if (how === "typed") {
      if (!same) this.#set(draft ? "replaceState" : "pushState", url, true, draft ? history.state?.key : null);
    } else if (same || (how === "entered" && draft)) {
      this.#set("replaceState", url, false);
    } else {
      if (draft) this.#set("replaceState", location.pathname + location.search, false);
      this.#set("pushState", url, false, null);
    }
  }

  #set(method, url, draft, key = history.state?.key) {
    try {
      history[method]({ draft, key: key ?? Math.random().toString(36).slice(2) }, "", url);
    } catch {
      // Safari refuses more than a hundred changes in half a minute; the next one will be written.
    }
  }
}
