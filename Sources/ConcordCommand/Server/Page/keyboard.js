// The keys, wherever the focus is. Those that go into a field are the field's.

import { byID, takesText } from "./dom.js";

const help = () => byID("help");

export function toggleHelp() {
  if (help().open) help().close();
  else help().showModal();
}

/** `actions`: move(step), toField(), back(), openFile(), copyPath(), match(step), enter() and key(event) of the field. */
export function listenToKeys(actions) {
  const field = byID("query");
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.isComposing) return;
    if (byID("token").open) return;
    const handled = help().open ? keyOfHelp(event) : event.target === field ? keyOfField(event, actions) : keyOfPage(event, actions);
    if (handled) event.preventDefault();
  });
  help().addEventListener("click", (event) => event.target === help() && help().close());
}

function keyOfHelp(event) {
  if (event.key !== "?") return false;
  help().close();
  return true;
}

const isSearchKey = (event) => (event.metaKey || event.ctrlKey) && !event.altKey && event.key.toLowerCase() === "k";

function keyOfField(event, actions) {
  if (isSearchKey(event)) return actions.toField(), true;
  if (event.metaKey || event.ctrlKey || event.altKey || event.shiftKey) return false;
  if (actions.completionKey(event.key)) return true;
  switch (event.key) {
    case "ArrowDown": return actions.move(1), true;
    case "Enter": return actions.enter(), true;
    case "Escape": return actions.back(), true;
    default: return false;
  }
}

function keyOfPage(event, actions) {
  if (isSearchKey(event)) return actions.toField(), true;
  if (event.metaKey || event.ctrlKey || event.altKey) return false;
  if (event.key === "Escape") return actions.back(), true;
  if (takesText(event.target)) return false;
  // Arrows scroll a text, and move in what has arrows of its own.
  const isInList = event.target === document.body || event.target.closest("#hits") !== null;
  switch (event.key) {
    case "/": return actions.toField(), true;
    case "?": return toggleHelp(), true;
    case "j": return actions.move(1), true;
    case "k": return actions.move(-1), true;
    case "ArrowDown": return isInList && (actions.move(1), true);
    case "ArrowUp": return isInList && (actions.move(-1), true);
    case "n": return actions.match(1), true;
    case "N": return actions.match(-1), true;
    case "o": return actions.openFile(), true;
    case "c": return actions.copyPath(), true;
    default: return false;
  }
}
