// Joins the parts: what the person does changes the state; the state decides what is asked, shown, and written into the URL.

import { Address, empty, parse, searchKey } from "./address.js";
import { server } from "./api.js";
import { showAppearance } from "./appearance.js";
import { Completions } from "./completions.js";
import { byID, element } from "./dom.js";
import { Facets } from "./facets.js";
import * as head from "./head.js";
import { showIndex } from "./index-state.js";
import { listenToKeys, toggleHelp } from "./keyboard.js";
import { Live } from "./live.js";
import * as message from "./message.js";
import { openFile, Preview } from "./preview.js";
import { Results } from "./results.js";
import { announce, copy } from "./say.js";
import { Search } from "./search.js";
import { FilterSheet } from "./sheet.js";
import { watchForToken } from "./token.js";

const field = byID("query");

class App {
  state = parse(location.search);
  status = null;
  #wantsFirst = false;
  #scrollTo = null;
  #writing = 0;
  #previewing = 0;
  #refreshing = 0;
  #documentEntry = null;

  constructor() {
    this.search = new Search();
    this.results = new Results((id) => this.openDocument(id));
    this.facets = new Facets((filters) => this.change({ filters }, "chosen"));
    this.preview = new Preview({ onclose: () => this.closeDocument() });
    this.completions = new Completions((text) => {
      field.value = text;
      this.change({ query: text }, "entered");
      field.focus();
    });
    this.sheet = new FilterSheet();
    this.live = new Live();
    this.address = new Address((state) => this.#return(state));

    this.search.addEventListener("busy", () => byID("main").setAttribute("aria-busy", "true"));
    this.search.addEventListener("answer", (event) => this.#show(event.detail));
    this.search.addEventListener("problem", (event) => this.#showProblem(event.detail));
    this.live.addEventListener("status", (event) => this.#learn(event.detail));
    this.live.addEventListener("progress", (event) => this.#learn({ ...this.status, progress: event.detail }));
    this.live.addEventListener("change", () => this.#refresh());
    this.live.addEventListener("lost", () => this.#showConnection(false));
    this.live.addEventListener("found", () => {
      this.#showConnection(true);
      if (this.search.isAnswered) this.#refresh();
      else this.search.again();
    });
    watchForToken(() => {
      this.live.retry();
      this.search.again();
    });
    this.#listenToControls();
    showAppearance();
    this.#showField();
    this.search.ask(this.state);
    this.#showDocument();
    this.live.retry();
    if (!this.state.query && matchMedia("(hover: hover)").matches) field.focus();
  }

  /** Changes the state. `how` says what becomes of the history, as in `Address.write`. */
  change(patch, how, { pressed = null } = {}) {
    const before = this.state;
    this.state = { ...before, ...patch };
    clearTimeout(this.#writing);
    // Safari refuses to write a URL at every key.
    if (how === "typed") this.#writing = setTimeout(() => this.address.write(this.state, "typed"), 150);
    else this.address.write(this.state, how);
    this.#showField();
    if (searchKey(before) !== searchKey(this.state)) {
      this.#scrollTo = null;
      this.search.ask(this.state, { pressed });
    }
    this.#showDocument(before.query !== this.state.query ? 250 : 0);
  }

  openDocument(id) {
    if (this.preview.id === id && !this.preview.isSheet) return this.preview.focus();
    const isFirst = this.state.document === null;
    this.change({ document: id }, isFirst ? "chosen" : "moved");
    if (isFirst) this.#documentEntry = this.address.entry;
    return undefined;
  }

  closeDocument() {
    const id = this.preview.id;
    if (this.#documentEntry !== null && this.#documentEntry === this.address.entry) {
      // What opened it is taken back, so that the browser's button does not open it again.
      this.state = { ...this.state, document: null };
      clearTimeout(this.#writing);
      this.#showDocument();
      history.back();
    } else {
      this.change({ document: null }, "chosen");
    }
    this.#documentEntry = null;
    if (id !== null && !this.results.focus(id)) field.focus();
  }

  // The browser went back or forth.
  #return(state) {
    clearTimeout(this.#writing);
    const isOtherSearch = searchKey(state) !== searchKey(this.state);
    this.state = state;
    this.#showField();
    this.completions.close();
    if (isOtherSearch) {
      this.#scrollTo = this.address.scroll;
      if (!this.search.recall(state)) this.search.ask(state);
    } else if (this.search.answer) {
      this.results.markOpen(state.document);
    }
    this.#showDocument();
  }

  #show({ pressed, asked, answered, keepsPlace = false, extendsFrom = 0 }) {
    const { answer } = this.search;
    byID("main").removeAttribute("aria-busy");
    byID("skeleton").hidden = true;
    this.results.show(answer.hits, this.state, { keepsPlace, extendsFrom });
    if (!extendsFrom) {
      head.showSummary(answer, this.status);
      head.showCorrections(answer, this.state, (query) => this.change({ query, document: null }, "chosen"));
      head.showTables(this.state, this.status, (table) => this.#changeTable(table));
      head.showSorts(this.state, this.status);
      this.facets.show(answer.facets, this.state);
      this.#showMessage();
      if (!keepsPlace) this.#scroll();
    }
    this.#showMore();
    if (this.#wantsFirst && !extendsFrom) {
      this.#wantsFirst = false;
      this.results.move(1);
    }
    this.#announce(extendsFrom, keepsPlace);
    if (pressed !== null && pressed !== undefined) measure(pressed, asked, answered);
  }

  #announce(extendsFrom, keepsPlace) {
    const { answer } = this.search;
    if (keepsPlace) return;
    if (extendsFrom) announce(`${answer.hits.length} results shown`);
    else announce(answer.hits.length ? `${head.total(answer, this.status)} found` : "Nothing found");
  }

  #showMore() {
    const more = byID("more");
    const hadFocus = more.contains(document.activeElement);
    more.hidden = !this.search.answer?.cursor;
    // The button is never disabled while a page is fetched: the focus would be lost with it.
    if (hadFocus && more.hidden) this.results.focus(this.results.ids.at(-1));
    // Observed anew, so that it is noticed where the button is still in view.
    this.observer.unobserve(more);
    this.observer.observe(more);
  }

  #scroll() {
    if (this.#scrollTo === null) {
      if (scrollY > 0) scrollTo(0, 0);
      return;
    }
    scrollTo(0, this.#scrollTo);
    if (scrollY >= this.#scrollTo - 1 || !this.search.answer.cursor) this.#scrollTo = null;
    else this.search.extend();
  }

  #showMessage() {
    const { answer } = this.search;
    const isFirstRun = this.status !== null && this.status.documents === 0;
    document.documentElement.classList.toggle("is-first-run", isFirstRun);
    byID("hits").hidden = isFirstRun || answer?.hits.length === 0;
    byID("head").hidden = isFirstRun || !answer?.hits.length;
    if (isFirstRun) {
      message.firstRun(this.status);
      byID("skeleton").hidden = true;
    } else if (answer?.hits.length === 0) {
      message.nothing(this.state, { hasFilters: Facets.count(this.state.filters) > 0, onclear: () => this.change({ filters: {} }, "chosen") });
    } else if (!this.search.problem) {
      message.hide();
    }
  }

  #showProblem({ keepsPlace, extendsFrom }) {
    const { problem, answer } = this.search;
    byID("main").removeAttribute("aria-busy");
    byID("skeleton").hidden = true;
    this.#wantsFirst = false;
    if (extendsFrom || keepsPlace) {
      this.#showMore();
      if (extendsFrom) announce(`${problem.title}. ${problem.detail}`);
      return;
    }
    if (problem.kind === "unauthorized") return;
    announce(`${problem.title}. ${problem.detail}`, 0);
    // While the server is away, what was found stays to be read; the note at the foot says so.
    if (problem.kind === "unreachable" && answer?.hits.length) return;
    byID("head").hidden = byID("hits").hidden = byID("more").hidden = true;
    byID("corrections").replaceChildren();
    byID("banner").hidden = true;
    const { filters, sort, table } = this.state;
    const canClear = problem.kind === "refused" && (Facets.count(filters) > 0 || sort !== null || table !== null);
    message.failure(problem, {
      onretry: () => this.search.again(),
      onclear: canClear ? () => this.change({ filters: {}, sort: null, table: null }, "chosen") : null,
    });
  }

  #learn(status) {
    if (!status || typeof status !== "object") return;
    const before = this.status;
    this.status = status;
    showIndex(status);
    head.showTables(this.state, status, (table) => this.#changeTable(table));
    head.showSorts(this.state, status);
    this.preview.canOpen = status.canOpen === true;
    if (this.search.answer) head.showSummary(this.search.answer, status);
    if (status.documents === 0 || before?.documents === 0) this.#showMessage();
    if (before?.documents === 0 && status.documents > 0) this.#refresh();
  }

  // Asks again after a change, at most once a second, and not while something else is under way.
  #refresh() {
    if (this.#refreshing) return;
    this.#refreshing = setTimeout(() => {
      this.#refreshing = 0;
      if (this.search.isBusy) return this.#refresh();
      this.search.again({ keepsPlace: true });
      this.preview.refresh();
      return undefined;
    }, this.status?.state === "indexing" ? 1000 : 100);
  }

  #showDocument(delay = 0) {
    const { document: id, table, query } = this.state;
    clearTimeout(this.#previewing);
    this.results.markOpen(id);
    if (id === null) this.preview.close();
    else if (!this.preview.isShowing(id, table, query)) this.#previewing = setTimeout(() => this.preview.show(id, table, query), delay);
  }

  #showField() {
    const { query } = this.state;
    if (field.value !== query) field.value = query;
    byID("clear").hidden = field.value === "";
    document.documentElement.classList.toggle("search-typed", field.value !== "");
    document.title = query ? `${query} – Concord` : "Concord";
  }

  #showConnection(isFound) {
    const banner = byID("banner");
    banner.hidden = isFound || !this.search.answer?.hits.length;
    if (isFound) return announce("Connected again", 0);
    banner.replaceChildren(
      element("span", {}, navigator.onLine ? "The server does not answer. This page tries again." : "This computer is offline. The page goes on when it is back."),
      element("button", { class: "button", type: "button", on: { click: () => this.live.retry() } }, "Try now"));
    return undefined;
  }

  #changeTable(table) {
    this.completions.close();
    this.change({ table, sort: null, filters: {}, document: null }, "chosen");
  }

  // The row that a key is about: the one with the focus, else the open one.
  #hit() {
    const id = this.results.focusedID ?? this.preview.id;
    return this.search.answer?.hits.find((hit) => String(hit.id) === id) ?? null;
  }

  #move(step) {
    if (step < 0 && this.results.focusedID !== null && this.results.focusedID === this.results.ids[0]) return field.focus();
    const id = this.results.move(step);
    if (id === null && step > 0) this.search.extend();
    if (id !== null && this.preview.id !== null && !this.preview.isSheet) {
      this.state = { ...this.state, document: id };
      clearTimeout(this.#writing);
      this.#writing = setTimeout(() => this.address.write(this.state, "moved"), 150);
      this.#showDocument(80);
    }
    return undefined;
  }

  #back() {
    if (this.sheet.isShown) this.sheet.hide();
    else if (this.preview.id !== null && this.preview.hasFocus && !this.preview.isSheet && this.results.focus(this.preview.id)) return;
    else if (this.preview.id !== null) this.closeDocument();
    else if (document.activeElement !== field) field.focus();
    else if (field.value) this.#clear();
    else field.blur();
  }

  #clear() {
    this.completions.close();
    this.change({ query: "", document: null }, "chosen");
    field.focus();
  }

  // Enter: the query stands, and the keys go to what it found.
  #enter() {
    this.completions.close();
    this.change({ query: field.value }, "entered");
    if (this.search.isBusy) this.#wantsFirst = true;
    else if (this.results.ids.length) this.results.focus(this.results.ids[0]);
  }

  #listenToControls() {
    field.addEventListener("input", (event) => {
      // While a word is composed from several keys it is no word yet.
      if (event.isComposing) return;
      this.#typed(event.timeStamp || performance.now());
    });
    field.addEventListener("compositionend", () => this.#typed(performance.now()));
    byID("search").addEventListener("submit", (event) => event.preventDefault());
    byID("clear").addEventListener("click", () => this.#clear());
    byID("sort").addEventListener("change", (event) => {
      const [usual] = head.sortsOf(this.state, this.status);
      this.change({ sort: event.target.value === usual ? null : event.target.value }, "chosen");
    });
    byID("home").addEventListener("click", (event) => {
      if (event.metaKey || event.ctrlKey || event.shiftKey) return;
      event.preventDefault();
      this.completions.close();
      this.change({ ...empty }, "chosen");
      field.focus();
    });
    byID("show-help").addEventListener("click", toggleHelp);
    byID("show-more").addEventListener("click", () => this.search.extend());
    this.observer = new IntersectionObserver((entries) => {
      if (entries.some((entry) => entry.isIntersecting) && !this.search.problem && !this.live.isLost) this.search.extend();
    }, { rootMargin: "800px" });
    listenToKeys({
      move: (step) => this.#move(step),
      toField: () => {
        if (this.preview.isSheet && this.preview.id !== null) this.closeDocument();
        field.focus();
        field.select();
      },
      completionKey: (key) => this.completions.key(key),
      enter: () => this.#enter(),
      back: () => this.#back(),
      match: (step) => this.preview.step(step),
      openFile: () => {
        const hit = this.#hit();
        if (this.preview.id !== null && (hit === null || String(hit.id) === this.preview.id)) this.preview.openFile();
        else if (hit?.path) openFile(hit, this.status?.canOpen === true);
      },
      copyPath: () => {
        const path = this.#hit()?.path;
        if (path) copy(path, "Path");
        else this.preview.copyPath();
      },
    });
    server.addEventListener("reached", () => this.live.isLost && this.live.retry());
  }

  #typed(pressed) {
    if (field.value === this.state.query) return;
    this.change({ query: field.value }, "typed", { pressed });
    this.completions.ask(field.value, this.state.table);
  }
}

/** Notes how long a key took to become a picture, and how much of that was waiting for the server. */
function measure(pressed, asked, answered) {
  const channel = new MessageChannel();
  channel.port1.onmessage = () => {
    performance.measure("concord:key-to-paint", { start: pressed, end: performance.now(), detail: { server: answered - asked } });
    channel.port1.close();
  };
  // A frame callback runs before the picture is drawn, the message behind it after.
  requestAnimationFrame(() => channel.port2.postMessage(null));
}

new App();
