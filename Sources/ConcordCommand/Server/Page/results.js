// The list of results.
//
// Tab stops at one result only, the one that had the focus last; arrows, j and k move on from there. In a list that grows as one
// comes to its end, Tab would never get behind it.

import { byID, element, icon } from "./dom.js";
import * as format from "./format.js";
import { format as url } from "./address.js";
import { iconOf } from "./kinds.js";
import { nodes, onOneLine, plainText } from "./runs.js";

export class Results {
  #list = byID("hits");
  #state = null;
  #openID = null;
  #hits = new WeakMap();

  /** `onopen(id, event)` is called when a result is chosen. */
  constructor(onopen) {
    this.#list.addEventListener("click", (event) => {
      const row = event.target.closest(".hit");
      if (!row || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || event.button !== 0) return;
      // Whoever marks text in a row does not want to open it.
      if (!event.target.closest("a") && !getSelection().isCollapsed) return;
      event.preventDefault();
      row.querySelector(".hit-title").focus({ preventScroll: true });
      onopen(row.dataset.id, event);
    });
    this.#list.addEventListener("focusin", (event) => this.#rove(event.target.closest(".hit")));
  }

  get ids() {
    return [...this.#list.children].map((row) => row.dataset.id);
  }

  /** Shows hits in place of those before. With `extendsFrom` the first so many stay as they are; with `keepsPlace` what is
   * being read stays where it is, and what is new is shown as new. */
  show(hits, state, { extendsFrom = 0, keepsPlace = false } = {}) {
    this.#state = state;
    if (extendsFrom > 0 && this.#list.children.length === extendsFrom) {
      this.#list.append(...hits.slice(extendsFrom).map((hit) => this.#row(hit)));
      return;
    }
    const focused = this.focusedID;
    const anchor = keepsPlace ? this.#anchor() : null;
    const before = keepsPlace ? new Set(this.ids) : null;
    const rows = hits.map((hit) => {
      const same = keepsPlace ? this.#sameRow(hit) : null;
      const row = same ?? this.#row(hit);
      row.classList.toggle("is-new", before !== null && !before.has(String(hit.id)));
      return row;
    });
    // Rows that stay as they are keep the text that is selected in them.
    if (rows.length === this.#list.children.length && rows.every((row, place) => row === this.#list.children[place])) return;
    this.#list.replaceChildren(...rows);
    this.#rove(this.#rowOf(this.#openID) ?? this.#list.firstElementChild);
    if (focused !== null) this.#rowOf(focused)?.querySelector(".hit-title").focus({ preventScroll: true });
    if (anchor) {
      const row = this.#rowOf(anchor.id);
      if (row) scrollBy(0, row.getBoundingClientRect().top - anchor.top);
    }
  }

  /** Makes the row of the document that is shown stand out. */
  markOpen(id) {
    this.#openID = id;
    for (const row of this.#list.children) {
      const isOpen = row.dataset.id === id;
      row.classList.toggle("is-open", isOpen);
      const link = row.querySelector(".hit-title");
      if (isOpen) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    }
  }

  /** The result that has the focus, by id; null where none has. */
  get focusedID() {
    return document.activeElement?.closest?.("#hits .hit")?.dataset.id ?? null;
  }

  /** Gives the focus to a result, and shows all of it. */
  focus(id) {
    const row = this.#rowOf(id);
    if (!row) return false;
    row.querySelector(".hit-title").focus({ preventScroll: true });
    row.scrollIntoView({ block: "nearest" });
    return true;
  }

  /** Moves the focus by `step` results from the one that has it, else from the open one; the id it went to, or null. */
  move(step) {
    const ids = this.ids;
    if (ids.length === 0) return null;
    const from = ids.indexOf(this.focusedID ?? this.#openID);
    const to = from < 0 ? (step > 0 ? 0 : ids.length - 1) : from + step;
    if (to < 0 || to >= ids.length) return null;
    this.focus(ids[to]);
    return ids[to];
  }

  #sameRow(hit) {
    const row = this.#rowOf(String(hit.id));
    return row && JSON.stringify(this.#hits.get(row)) === JSON.stringify(hit) ? row : null;
  }

  #rove(row) {
    if (!row) return;
    for (const link of this.#list.querySelectorAll('.hit-title[tabindex="0"]')) link.tabIndex = -1;
    row.querySelector(".hit-title").tabIndex = 0;
  }

  // The first row that is in view, and where.
  #anchor() {
    const top = byID("bar").getBoundingClientRect().bottom;
    if (scrollY === 0) return null;
    for (const row of this.#list.children) {
      const box = row.getBoundingClientRect();
      if (box.bottom > top) return { id: row.dataset.id, top: box.top };
    }
    return null;
  }

  #rowOf(id) {
    return [...this.#list.children].find((row) => row.dataset.id === id) ?? null;
  }

  #row(hit) {
    const id = String(hit.id);
    const title = onOneLine(hit.title);
    const name = plainText(title).trim() ? nodes(title) : [format.visible(hit.name || `${format.label(hit.table)} ${id}`)];
    const isOpen = id === this.#openID;
    const tag = format.languageTag(hit.language);
    const row = element("li", { class: isOpen ? "hit is-open" : "hit", "data-id": id },
      icon(hit.path ? iconOf(hit.kind) : "kind-row"),
      element("div", {},
        element("div", { class: "hit-line" },
          element("h3", { class: "hit-heading" },
            element("a", { class: "hit-title", tabindex: "-1", href: url({ ...this.#state, document: id }), dir: "auto", lang: tag, "aria-current": isOpen ? "true" : null }, ...name)),
          hit.modified ? element("time", { class: "hit-date", datetime: hit.modified, title: format.fullDate(hit.modified) }, format.date(hit.modified)) : null),
        this.#place(hit, plainText(title)),
        this.#fields(hit.fields),
        plainText(hit.snippet).trim() ? element("p", { class: "hit-snippet", dir: "auto", lang: tag }, ...nodes(onOneLine(hit.snippet))) : null));
    this.#hits.set(row, hit);
    return row;
  }

  #place(hit, title) {
    const notes = [
      Number.isFinite(hit.page) ? `page ${format.count(hit.page)}` : null,
      hit.line > 1 ? `line ${format.count(hit.line)}` : null,
      hit.similar > 0 ? `${format.count(hit.similar)} similar` : null,
    ].filter(Boolean);
    if (!hit.path && notes.length === 0) return null;
    return element("div", { class: "hit-place" }, hit.path ? path(hit, title) : null, ...notes.map((note) => element("span", { class: "note" }, note)));
  }

  #fields(fields) {
    if (!fields?.length) return null;
    return element("dl", { class: "hit-fields" }, fields.map((field) =>
      element("div", {}, element("dt", {}, format.label(field.name)), element("dd", { dir: "auto" }, ...nodes(onOneLine(field.runs))))));
  }
}

/** A path that loses its middle where it is too long: the folder gives way, the name stays. */
export function path(document, title = "") {
  const folder = document.folder ?? "";
  const name = document.name ?? "";
  const whole = format.visible(document.path ?? `${folder}/${name}`);
  const hidesName = name === title && folder;
  const slash = folder && !folder.endsWith("/") ? "/" : "";
  return element("span", { class: "path", title: whole },
    folder ? element("span", { class: "path-folder" }, format.visible(folder)) : null,
    hidesName ? null : element("span", { class: "path-name" }, format.visible(name ? slash + name : document.path)));
}
