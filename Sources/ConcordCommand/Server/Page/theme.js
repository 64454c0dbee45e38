// Loaded before the first paint, so that a theme that was chosen does not follow a flash of the other one.
(() => {
  try {
    const theme = localStorage.getItem("concord.theme");
    if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
  } catch {
    // Storage may be forbidden; then the system's theme holds.
  }
})();
