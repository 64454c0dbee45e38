// Asks for the token of a server that wants one.

import * as api from "./api.js";
import { byID } from "./dom.js";

/** Has the person type the token whenever the server refuses a request; `ondone()` is called when it is accepted. */
export function watchForToken(ondone) {
  const dialog = byID("token");
  const field = byID("token-value");
  const error = byID("token-error");
  let isAccepted = false;
  // There is nothing to see without it, so Escape does not close the dialog; where the browser insists, it opens again.
  dialog.addEventListener("keydown", (event) => event.key === "Escape" && event.preventDefault());
  dialog.addEventListener("cancel", (event) => event.preventDefault());
  dialog.addEventListener("close", () => {
    if (!isAccepted) dialog.showModal();
  });
  api.server.addEventListener("unauthorized", () => {
    if (dialog.open) return;
    error.textContent = "";
    isAccepted = false;
    dialog.showModal();
    field.focus();
  });
  byID("token-form").addEventListener("submit", async (event) => {
    event.preventDefault();
    const button = event.target.querySelector("button");
    button.disabled = true;
    try {
      await api.signIn(field.value.trim());
      await api.status();
      field.value = "";
      isAccepted = true;
      dialog.close();
      ondone();
    } catch (problem) {
      error.textContent = problem.kind === "unauthorized" ? "This is not the token of this server." : problem.title;
      field.select();
    } finally {
      button.disabled = false;
    }
  });
}
