// Light, dark, or as the system has it.

import { byID, icon } from "./dom.js";

const themes = ["system", "light", "dark"];
const names = { system: "as the system", light: "light", dark: "dark" };

function current() {
  return document.documentElement.dataset.theme ?? "system";
}

function set(theme) {
  if (theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  try {
    if (theme === "system") localStorage.removeItem("concord.theme");
    else localStorage.setItem("concord.theme", theme);
  } catch {
    // Then it lasts as long as the page.
  }
}

export function showAppearance() {
  const button = byID("theme");
  const show = () => {
    const theme = current();
    button.replaceChildren(icon(`icon-${theme}`));
    button.title = `Appearance: ${names[theme]}`;
    button.setAttribute("aria-label", button.title);
  };
  button.addEventListener("click", () => {
    set(themes[(themes.indexOf(current()) + 1) % themes.length]);
    show();
  });
  show();
}
