// The document beside the list; on a narrow screen, a sheet over it.

import * as api from "./api.js";
import { byID, element, icon, iconButton } from "./dom.js";
import * as format from "./format.js";
import { isPlain, nameOf } from "./kinds.js";
import { Matches } from "./matches.js";
import { path } from "./results.js";
import { nodes, plainText } from "./runs.js";
import { announce, copy, note } from "./say.js";

const narrow = matchMedia("(max-width: 899px)");

export class Preview {
  #section = byID("preview");
  #document = null;
  #matches = null;
  #body = null;
  #request = null;
  #sequence = 0;
  #observer = null;
  #wanted = null;
  #canOpen = false;
  #extending = null;
  #shown = "";

  /** `onclose()` is called when the person closes it. */
  constructor({ onclose }) {
    this.onclose = onclose;
    narrow.addEventListener("change", () => this.#cover());
  }

  /** The id of the document that is shown or on its way; null where none is. */
  get id() {
    return this.#wanted?.id ?? null;
  }

  /** Whether it shows, or is about to show, just this. */
  isShowing(id, table, query) {
    const wanted = this.#wanted;
    return wanted !== null && wanted.id === id && wanted.table === table && wanted.query === query;
  }

  get isSheet() {
    return narrow.matches;
  }

  set canOpen(value) {
    if (this.#canOpen === value) return;
    this.#canOpen = value;
    if (this.#document) this.#section.querySelector(".open-place")?.replaceChildren(...this.#opener());
  }

  /** Shows a document with the matches of a query. The one before stays until it is there; the same one keeps its place. */
  async show(id, table, query) {
    const isSame = this.#document?.id === id;
    const wasOpen = this.#wanted !== null;
    this.#wanted = { id, table, query };
    const sequence = ++this.#sequence;
    this.#request?.abort();
    this.#request = new AbortController();
    const { signal } = this.#request;
    document.documentElement.classList.add("has-preview");
    this.#section.hidden = false;
    this.#section.setAttribute("aria-busy", "true");
    if (!wasOpen) {
      this.#section.replaceChildren(element("p", { class: "preview-wait quiet" }, "Reading…"));
      this.#cover();
    }
    try {
      const answer = await api.read(id, table, query, null, signal);
      if (sequence !== this.#sequence) return;
      // What has not changed is not drawn again: text may be selected in it.
      const shown = JSON.stringify([query, answer]);
      if (isSame && shown === this.#shown) return;
      this.#shown = shown;
      this.#draw(answer, isSame);
      const wantsFocus = this.isSheet && !this.#section.contains(document.activeElement);
      if (wantsFocus) this.focus();
      if (!isSame) announce(`${plainText(answer.title) || answer.name}. ${query ? this.#matches.describe(this.#expected) : ""}`);
    } catch (problem) {
      if (signal.aborted || sequence !== this.#sequence) return;
      this.#fail(problem);
    } finally {
      if (sequence === this.#sequence) this.#section.removeAttribute("aria-busy");
    }
  }

  /** Reads the document again, as the index has changed. */
  refresh() {
    if (this.#wanted) this.show(this.#wanted.id, this.#wanted.table, this.#wanted.query);
  }

  close() {
    if (!this.#wanted) return;
    this.#sequence += 1;
    this.#request?.abort();
    this.#observer?.disconnect();
    this.#wanted = this.#document = this.#matches = this.#body = null;
    this.#section.hidden = true;
    this.#section.replaceChildren();
    document.documentElement.classList.remove("has-preview");
    this.#cover();
  }

  /** Gives the focus to the text, so that the keys scroll it. */
  focus() {
    (this.#body ?? this.#section.querySelector("button"))?.focus({ preventScroll: true });
  }

  get hasFocus() {
    return this.#section.contains(document.activeElement);
  }

  /** Goes to the next match (1) or the one before (-1); where the text goes on, it is fetched first. */
  async step(by) {
    if (!this.#matches) return;
    while (by > 0 && this.#matches?.isAtEnd && this.#document?.next) if (!(await this.#extend())) return;
    if (!this.#matches) return;
    this.#matches.step(by);
    this.#matches.show(this.#expected);
    if (this.#matches.count) announce(`Match ${this.#matches.describe(this.#expected)}`, 150);
  }

  async openFile() {
    if (this.#document?.path) await openFile(this.#document, this.#canOpen);
  }

  copyPath() {
    if (this.#document?.path) copy(this.#document.path, "Path");
  }

  get #expected() {
    return this.#document?.next ? this.#document.matches ?? 0 : null;
  }

  // What lies under the sheet takes no part.
  #cover() {
    const isCovered = narrow.matches && this.#wanted !== null;
    for (const id of ["bar", "main", "filters", "banner"]) byID(id).inert = isCovered;
    document.documentElement.classList.toggle("is-covered", isCovered);
  }

  #draw(answer, isSame) {
    const place = isSame && this.#body ? this.#body.scrollTop : null;
    this.#observer?.disconnect();
    this.#document = answer;
    const tag = format.languageTag(answer.language);
    this.#body = element("div", { class: "preview-body", tabindex: "0", role: "region", "aria-label": "Text", lang: tag });
    this.#matches = new Matches(this.#body);
    for (const column of answer.columns ?? []) this.#body.append(this.#column(column, answer.columns.length > 1));
    this.#section.classList.toggle("is-plain", this.#isPlain());
    const focused = this.hasFocus ? document.activeElement.getAttribute("aria-label") ?? "" : null;
    this.#section.replaceChildren(this.#head(answer, tag), this.#body);
    if (focused !== null) (this.#section.querySelector(`[aria-label="${CSS.escape(focused)}"]`) ?? this.#body).focus({ preventScroll: true });
    this.#end();
    this.#matches.collect();
    if (place !== null) {
      this.#body.scrollTop = place;
      this.#matches.settle();
    } else if (this.#matches.count) {
      this.#matches.go(this.#matches.best());
    }
    this.#matches.show(this.#expected);
    this.#section.setAttribute("aria-labelledby", "preview-title");
  }

  #head(answer, tag) {
    const title = plainText(answer.title).trim() ? nodes(answer.title) : [format.visible(answer.name || `${format.label(answer.table)} ${answer.id}`)];
    const close = () => this.onclose();
    const facts = [
      answer.path ? nameOf(answer.kind) : format.label(answer.table), format.size(answer.size), answer.modified ? format.date(answer.modified) : "",
      format.language(answer.language), answer.line > 1 ? `from line ${format.count(answer.line)}` : "",
      answer.page > 1 ? `from page ${format.count(answer.page)}` : "",
    ].filter(Boolean);
    const mono = iconButton("icon-letters", "Letters of equal width", () => this.#togglePlain(), { "aria-pressed": String(this.#isPlain()) });
    return element("header", { class: "preview-head" },
      element("div", { class: "preview-row" },
        element("h2", { class: "preview-title", id: "preview-title", dir: "auto", lang: tag }, ...title),
        iconButton("icon-close", "Close the document", close, { class: "icon-button when-wide" }),
        iconButton("icon-back", "Back to the list", close, { class: "icon-button when-narrow" })),
      answer.path ? element("div", { class: "preview-place" }, path(answer), iconButton("icon-copy", "Copy the path", () => this.copyPath(), { "aria-keyshortcuts": "c" })) : null,
      element("p", { class: "preview-facts" }, facts.map((fact) => element("span", {}, fact))),
      element("div", { class: "preview-tools" },
        element("span", { class: "open-place" }, this.#opener()), mono,
        this.#wanted.query ? element("div", { class: "matches", role: "group", "aria-label": "Matches" },
          element("output", { id: "match-place" }),
          iconButton("icon-up", "Previous match (N)", () => this.step(-1), { "aria-keyshortcuts": "Shift+N" }),
          iconButton("icon-down", "Next match (n)", () => this.step(1), { "aria-keyshortcuts": "N" })) : null));
  }

  #opener() {
    const { path: file, fileURL } = this.#document ?? {};
    if (file && this.#canOpen) {
      return [element("button", { class: "button", type: "button", "aria-keyshortcuts": "o", on: { click: () => this.openFile() } }, icon("icon-open"), "Open file")];
    }
    if (!isFileURL(fileURL)) return [];
    return [element("a", { class: "button", href: fileURL, "aria-keyshortcuts": "o", on: { click: (event) => {
      event.preventDefault();
      this.openFile();
    } } }, icon("icon-open"), "Link to the file")];
  }

  #column(column, isNamed) {
    const text = element("div", { class: "text", "data-column": column.name, dir: "auto" });
    appendPages(text, column.runs, 1);
    return element("section", { class: "column" },
      isNamed ? element("h3", {}, format.label(column.name)) : null, text,
      column.isTruncated && isNamed ? element("p", { class: "truncated" }, "The text goes on.") : null);
  }

  // Behind the text: the rest of it, or the rows that it refers to.
  #end() {
    this.#body.querySelector(".text-end")?.remove();
    if (this.#document.next) {
      const end = element("div", { class: "text-end" }, element("button", { class: "button", type: "button", on: { click: () => this.#extend() } }, "More of the text"));
      this.#body.append(end);
      this.#observer = new IntersectionObserver((entries) => entries.some((entry) => entry.isIntersecting) && this.#extend(), { root: this.#body, rootMargin: "1000px" });
      this.#observer.observe(end);
    } else {
      for (const group of this.#document.related ?? []) this.#body.append(related(group));
    }
  }

  /** Fetches what follows the text that is there; whether it came. Whoever asks while it is on its way waits for the same. */
  #extend() {
    this.#extending ??= this.#fetchNext().finally(() => (this.#extending = null));
    return this.#extending;
  }

  async #fetchNext() {
    const { next } = this.#document;
    this.#observer?.disconnect();
    const sequence = this.#sequence;
    try {
      const answer = await api.read(this.#wanted.id, this.#wanted.table, this.#wanted.query, next, this.#request.signal);
      if (sequence !== this.#sequence) return false;
      for (const column of answer.columns ?? []) {
        const text = [...this.#body.querySelectorAll(".text")].find((node) => node.dataset.column === column.name);
        if (text) appendPages(text, column.runs);
        else this.#body.append(this.#column(column, true));
      }
      this.#document.next = answer.next === next ? null : answer.next;
      if (!this.#document.related?.length) this.#document.related = answer.related;
      this.#matches.collect();
      this.#matches.show(this.#expected);
      this.#end();
      return true;
    } catch (problem) {
      if (sequence === this.#sequence && problem instanceof api.Problem) note(problem.title);
      return false;
    }
  }

  #fail(problem) {
    this.#document = this.#matches = this.#body = null;
    this.#shown = "";
    const { id, table, query } = this.#wanted;
    this.#section.replaceChildren(element("div", { class: "message failure" },
      icon("icon-alert", "icon icon-large"),
      element("h2", { id: "preview-title" }, problem.title || "The document cannot be shown"),
      problem.detail ? element("p", {}, problem.detail) : null,
      element("div", { class: "actions" },
        element("button", { class: "button primary", type: "button", on: { click: () => this.show(id, table, query) } }, "Try again"),
        element("button", { class: "button", type: "button", on: { click: () => this.onclose() } }, "Close"))));
    this.#section.setAttribute("aria-labelledby", "preview-title");
    if (this.isSheet) this.focus();
    announce(`${problem.title}. ${problem.detail ?? ""}`);
  }

  #isPlain() {
    const chosen = plainChoices()[this.#document?.kind];
    return chosen ?? isPlain(this.#document?.kind);
  }

  #togglePlain() {
    const isPlain = !this.#isPlain();
    try {
      localStorage.setItem("concord.plain", JSON.stringify({ ...plainChoices(), [this.#document.kind]: isPlain }));
    } catch {
      // Then the choice lasts until the next document.
    }
    this.#section.classList.toggle("is-plain", isPlain);
    this.#section.querySelector("[aria-pressed]").setAttribute("aria-pressed", String(isPlain));
  }
}

function plainChoices() {
  try {
    return JSON.parse(localStorage.getItem("concord.plain") ?? "{}") ?? {};
  } catch {
    return {};
  }
}

const isFileURL = (text) => typeof text === "string" && text.startsWith("file:///");

/** Opens the file of a hit or document: by the server, where it may; else its address is copied, for no browser follows a link
 * from a page to a file. */
export async function openFile(document, canOpen) {
  if (!canOpen) {
    await copy(isFileURL(document.fileURL) ? document.fileURL : document.path, "Address of the file");
    return;
  }
  try {
    await api.open(document.id);
    note(`Opened ${format.visible(document.name)}`);
  } catch (problem) {
    note(`${problem.title}. ${problem.detail ?? ""}`.trim());
  }
}

// Form feeds stand between the pages of a document.
function appendPages(text, runs) {
  for (const node of nodes(runs)) {
    if (node.nodeType !== Node.TEXT_NODE || !node.data.includes("\f")) {
      text.append(node);
      continue;
    }
    node.data.split("\f").forEach((part, place) => {
      if (place > 0) {
        const page = text.querySelectorAll(".page-end").length + 2;
        text.append(element("div", { class: "page-end", role: "separator" }, `Page ${format.count(page)}`));
      }
      if (part) text.append(part);
    });
  }
}

function related(group) {
  const rows = group.rows ?? [];
  if (rows.length === 0) return "";
  const columns = rows[0].columns ?? [];
  return element("section", { class: "related" },
    element("h3", {}, format.label(group.label || group.table)),
    element("table", {},
      element("thead", {}, element("tr", {}, columns.map((column) => element("th", { scope: "col" }, format.label(column.name))))),
      element("tbody", {}, rows.map((row) => element("tr", {}, (row.columns ?? []).map((column) => element("td", { dir: "auto" }, String(column.text ?? ""))))))));
}
