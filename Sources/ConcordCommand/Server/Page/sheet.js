// On a screen without room for them beside the list, the filters are a sheet over it.

import { byID } from "./dom.js";

const narrow = matchMedia("(max-width: 1199px)");

export class FilterSheet {
  #sheet = byID("filters");
  #button = byID("show-filters");

  constructor() {
    this.#button.addEventListener("click", () => this.#show(true));
    byID("hide-filters").addEventListener("click", () => this.hide());
    narrow.addEventListener("change", () => this.isShown && this.#show(false));
    document.addEventListener("pointerdown", (event) => {
      if (this.isShown && !this.#sheet.contains(event.target)) {
        event.preventDefault();
        this.hide();
      }
    });
  }

  get isShown() {
    return this.#sheet.classList.contains("is-shown");
  }

  hide() {
    if (!this.isShown) return;
    this.#show(false);
    this.#button.focus();
  }

  #show(isShown) {
    this.#sheet.classList.toggle("is-shown", isShown);
    this.#button.setAttribute("aria-expanded", String(isShown));
    for (const id of ["bar", "main", "preview"]) byID(id).inert = isShown;
    if (isShown) byID("hide-filters").focus();
  }
}
