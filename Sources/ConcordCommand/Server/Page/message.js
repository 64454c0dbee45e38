// What is said in place of a list: nothing is indexed, nothing was found, something went wrong.

import { byID, element, icon, iconButton } from "./dom.js";
import { copy } from "./say.js";

function show(classes, ...content) {
  const message = byID("message");
  message.className = `message ${classes}`;
  message.replaceChildren(...content.filter(Boolean));
  message.hidden = false;
}

export function hide() {
  byID("message").hidden = true;
}

/** A command with a button that copies it. */
export function command(text) {
  return element("div", { class: "command" }, element("code", { tabindex: "0" }, text), iconButton("icon-copy", `Copy the command ${text}`, () => copy(text, "Command")));
}

const button = (text, listener, isPrimary = false) => element("button", { class: isPrimary ? "button primary" : "button", type: "button", on: { click: listener } }, text);

/** An index without documents: what to do first. */
export function firstRun(status) {
  const isReading = status?.state === "indexing";
  // Told again at every event: what is there, and may have the focus, stays.
  if (!byID("message").hidden && byID("message").classList.contains(isReading ? "is-reading" : "is-empty")) return;
  show(`first-run ${isReading ? "is-reading" : "is-empty"}`,
    element("h2", {}, isReading ? "Reading your documents" : "Nothing is indexed yet"),
    element("p", {}, isReading
      ? "The first of them can be found in a moment. This page shows them as they arrive."
      : "Concord finds what is in your files: texts and notes, manuals, web pages, source code, mail, tables and PDF. It reads them once, keeps an index on this machine, and sends nothing anywhere."),
    isReading ? null : element("ol", { class: "steps" },
      element("li", {}, element("div", {}, element("p", {}, "In a terminal, index a folder:"), command("concord index ~/Documents"))),
      element("li", {}, element("div", {}, element("p", {}, "Leave this page open. It fills as documents are read."), element("p", { class: "quiet" }, "Later, the same command without a folder brings everything up to date:"), command("concord index"))),
      element("li", {}, element("div", {}, element("p", {}, "Search here, or in the terminal:"), command("concord search something you remember")))));
}

/** A search without results. */
export function nothing(state, { hasFilters, onclear }) {
  if (!state.query) {
    show("", icon("icon-search", "icon icon-large"), element("h2", {}, hasFilters ? "Nothing has all of these properties" : "There is nothing here"),
      hasFilters ? element("div", { class: "actions" }, button("Remove the filters", onclear, true)) : null);
    return;
  }
  show("", icon("icon-search", "icon icon-large"),
    element("h2", {}, "Nothing found for “", element("bdi", {}, state.query), "”"),
    hasFilters
      ? element("p", {}, "There may be something without the filters.")
      : element("ul", { class: "tips" },
        element("li", {}, "Try fewer words, or only the beginning of one."),
        element("li", {}, "Leave out quotation marks, and words with a minus sign."),
        element("li", {}, "Is the folder indexed? ", element("code", {}, "concord info"), " lists what is.")),
    hasFilters ? element("div", { class: "actions" }, button("Remove the filters", onclear, true)) : null);
}

/** A search that failed. Filters and an order that came with a link may be the reason; `onclear`, if given, takes them back. */
export function failure(problem, { onretry, onclear }) {
  show("failure", icon("icon-alert", "icon icon-large"), element("h2", {}, problem.title),
    problem.detail ? element("p", {}, problem.detail) : null,
    problem.kind === "unreachable" ? command("concord serve") : null,
    element("div", { class: "actions" }, button("Try again", onretry, true),
      onclear ? button("Without filters and order", onclear) : ""));
}
