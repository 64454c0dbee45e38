// The filters: for each facet its values with their counts, of which several may be chosen; and those in use, as chips.

import { byID, element, icon } from "./dom.js";
import * as format from "./format.js";
import { nameOf } from "./kinds.js";

/** How many values of a facet are shown before "Show all". */
const few = 7;

// The server's label; where it has none, the page may know one.
function labelOf(name, { value, label = null }) {
  const text = String(value ?? "");
  if (label !== null && label !== text) return String(label);
  if (name === "language") return format.language(text);
  return name === "kind" ? nameOf(text) : text;
}

export class Facets {
  #container = byID("facets");
  #chips = byID("chips");
  #unfolded = new Set();
  #labels = new Map();
  #facets = [];
  #state = null;
  #onchange;

  /** `onchange(filters)` is called with the filters that are wanted. */
  constructor(onchange) {
    this.#onchange = onchange;
  }

  show(facets, state) {
    this.#facets = facets;
    this.#state = state;
    const focused = document.activeElement?.closest?.("#facets") ? document.activeElement.dataset.key : null;
    const chipFocused = document.activeElement?.closest?.("#chips") !== null && document.activeElement?.closest?.("#chips") !== undefined;
    for (const facet of facets) for (const value of facet.values) this.#labels.set(`${facet.name}=${value.value}`, labelOf(facet.name, value));
    this.#container.replaceChildren(...facets.map((facet) => this.#facet(facet)).filter(Boolean));
    this.#showChips();
    if (focused) this.#container.querySelector(`[data-key="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
    if (chipFocused && document.activeElement === document.body) (this.#chips.querySelector("button") ?? byID("query")).focus();
  }

  /** How many values are chosen. */
  static count(filters) {
    return Object.values(filters).reduce((sum, values) => sum + values.length, 0);
  }

  #facet(facet) {
    const chosen = this.#state.filters[facet.name] ?? [];
    // What is chosen is listed even where nothing has it, so that it can be taken back.
    const known = new Set(facet.values.map((value) => String(value.value)));
    const values = [...facet.values, ...chosen.filter((value) => !known.has(value)).map((value) => ({ value, label: this.#label(facet.name, value), count: 0 }))];
    if (values.length === 0) return null;
    const isUnfolded = this.#unfolded.has(facet.name);
    const shown = isUnfolded ? values : values.filter((value, place) => place < few || chosen.includes(String(value.value)));
    const more = values.length > shown.length || isUnfolded && values.length > few
      ? element("button", { class: "link-button", type: "button", "data-key": `${facet.name}:more`, "aria-expanded": String(isUnfolded), on: { click: () => this.#unfold(facet.name) } },
        isUnfolded ? "Show fewer" : `Show all ${format.count(values.length)}`)
      : null;
    return element("fieldset", { class: "facet" },
      element("legend", {}, facet.label || format.label(facet.name)),
      shown.map((value) => this.#value(facet, value, chosen)),
      more,
      facet.more && (isUnfolded || !more) ? element("p", { class: "quiet" }, "More in narrower searches") : null);
  }

  #value(facet, value, chosen) {
    const text = String(value.value ?? "");
    const label = labelOf(facet.name, value) || "None";
    const shown = label.startsWith("/") ? format.shortPath(label) : label;
    const whole = text.startsWith("/") ? text : label;
    const box = element("input", {
      type: "checkbox", "data-key": `${facet.name}=${text}`, checked: chosen.includes(text),
      on: { change: (event) => this.#toggle(facet.name, text, event.target.checked) },
    });
    return element("label", { title: shown === whole ? null : format.visible(whole) }, box,
      element("span", { class: "value", dir: "auto" }, format.visible(shown)),
      element("span", { class: "count" }, format.count(value.count ?? 0)));
  }

  #toggle(name, value, isChosen) {
    const filters = { ...this.#state.filters };
    const values = (filters[name] ?? []).filter((other) => other !== value);
    if (isChosen) values.push(value);
    if (values.length) filters[name] = values;
    else delete filters[name];
    this.#onchange(filters);
  }

  #unfold(name) {
    if (!this.#unfolded.delete(name)) this.#unfolded.add(name);
    this.show(this.#facets, this.#state);
  }

  #label(name, value) {
    return this.#labels.get(`${name}=${value}`) ?? labelOf(name, { value });
  }

  #showChips() {
    const chosen = Object.entries(this.#state.filters).flatMap(([name, values]) => values.map((value) => [name, value]));
    this.#chips.hidden = chosen.length === 0;
    const badge = byID("filter-count");
    badge.hidden = chosen.length === 0;
    badge.textContent = format.count(chosen.length);
    const facetLabel = (name) => this.#facets.find((facet) => facet.name === name)?.label ?? format.label(name);
    this.#chips.replaceChildren(
      ...chosen.map(([name, value]) => {
        const label = format.visible(this.#label(name, value));
        const whole = format.visible(value.startsWith("/") ? value : label);
        return element("li", {}, element("button", { class: "chip", type: "button", "aria-label": `Remove the filter ${facetLabel(name)}: ${label}`, title: whole, on: { click: () => this.#toggle(name, value, false) } },
          element("span", { dir: "auto" }, label.startsWith("/") ? format.shortPath(label) : label), icon("icon-close")));
      }),
      ...(chosen.length > 1 ? [element("li", {}, element("button", { class: "link-button", type: "button", on: { click: () => this.#onchange({}) } }, "Clear all"))] : []));
  }
}
