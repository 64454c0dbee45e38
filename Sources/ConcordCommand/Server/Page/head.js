// What stands above the list: the tables, how much was found, the order, and what the search made of the words.

import { byID, element } from "./dom.js";
import * as format from "./format.js";
import { format as url } from "./address.js";
import { nodes } from "./runs.js";

/** What a result is called. */
export const noun = (status) => (status?.source?.kind === "database" ? "row" : "document");

/** "1,234 documents", "More than 1,000 documents". */
export function total(answer, status) {
  const { value = 0, isExact = true } = answer.total ?? {};
  const text = format.counted(value, noun(status));
  return isExact ? text : `More than ${text}`;
}

const sortLabels = { relevance: "Best match", newest: "Newest first", oldest: "Oldest first" };

function sortLabel(name) {
  if (sortLabels[name]) return sortLabels[name];
  return name.startsWith("-") ? `${format.label(name.slice(1))}, descending` : `${format.label(name)}, ascending`;
}

/** The table that a state is about. */
export const tableOf = (state, status) => status?.tables?.find((table) => table.name === state.table) ?? status?.tables?.[0] ?? null;

export function showTables(state, status, onchange) {
  const tables = status?.tables ?? [];
  const nav = byID("tables");
  nav.hidden = tables.length < 2;
  const current = tableOf(state, status);
  const focused = nav.contains(document.activeElement) ? document.activeElement.dataset.table : null;
  nav.replaceChildren(...tables.map((table) => element("a", {
    href: url({ ...state, table: table.name, sort: null, filters: {}, document: null }), "data-table": table.name,
    "aria-current": table === current ? "page" : null,
    on: { click: (event) => {
      if (event.metaKey || event.ctrlKey || event.shiftKey) return;
      event.preventDefault();
      onchange(table.name);
    } },
  }, table.label || format.label(table.name), " ", element("span", {}, format.count(table.documents ?? 0)))));
  if (focused !== null) nav.querySelector(`[data-table="${CSS.escape(focused)}"]`)?.focus();
}

/** The orders that a state can have: without words there is no best match. */
export function sortsOf(state, status) {
  const sorts = tableOf(state, status)?.sorts ?? [];
  return state.query.trim() || sorts.length < 2 ? sorts : sorts.filter((name) => name !== "relevance");
}

export function showSorts(state, status) {
  const select = byID("sort");
  const sorts = sortsOf(state, status);
  const offered = [...select.options].map((option) => option.value).join();
  if (offered !== sorts.join()) select.replaceChildren(...sorts.map((name) => element("option", { value: name }, sortLabel(name))));
  select.value = sorts.includes(state.sort) ? state.sort : sorts[0] ?? "";
  select.parentElement.hidden = sorts.length < 2;
}

export function showSummary(answer, status) {
  byID("summary").textContent = total(answer, status);
  byID("time").textContent = answer.query ? format.milliseconds(answer.milliseconds) : "";
}

/** "Did you mean", and which words were taken for others. `onquery(query)` is called when another query is chosen. */
export function showCorrections(answer, state, onquery) {
  const replaced = merged(answer.replaced);
  const parts = replaced.map(({ typed, found }) => [
    found.slice(0, 4).flatMap((word, place, words) => [separator(place, words.length), link(word, state, state.query.replaceAll(typed, word), onquery)]),
    " for ", element("s", { dir: "auto" }, typed)].flat());
  const lines = parts.length ? [element("p", {}, "Showing ", parts.flatMap((part, place) => (place ? ["; ", ...part] : part)))] : [];
  const { query, runs } = answer.correction ?? {};
  if (query && query !== state.query && !saysTheSame(query, state.query, replaced)) {
    lines.unshift(element("p", {}, "Did you mean ", link(runs?.length ? nodes(runs) : query, state, query, onquery), "?"));
  }
  byID("corrections").replaceChildren(...(lines.length ? [element("div", { class: "correction" }, lines)] : []));
}

// One entry for each word that was typed, with all that was found in its place.
function merged(words) {
  const found = new Map();
  for (const word of words ?? []) {
    if (word.typed && word.found?.length) found.set(word.typed, [...new Set([...(found.get(word.typed) ?? []), ...word.found])]);
  }
  return [...found].map(([typed, words]) => ({ typed, found: words }));
}

const separator = (place, count) => (place === 0 ? "" : place === count - 1 ? " and " : ", ");

function link(content, state, query, onquery) {
  return element("a", {
    href: url({ ...state, query, document: null }), dir: "auto",
    on: { click: (event) => {
      if (event.metaKey || event.ctrlKey || event.shiftKey) return;
      event.preventDefault();
      onquery(query);
    } },
  }, content);
}

// Whether a correction only repeats the words that are shown anyway, or completes the one that is being typed.
function saysTheSame(correction, query, replaced) {
  if (correction.toLowerCase().startsWith(query.trim().toLowerCase())) return true;
  const words = (text) => text.toLowerCase().split(/\s+/).filter(Boolean);
  const shown = new Set([...words(query), ...replaced.flatMap((word) => word.found.flatMap(words))]);
  return replaced.length > 0 && words(correction).every((word) => shown.has(word));
}
