// Runs before the first paint, so that a dark page does not flash white. A file of its own, because
// the content security policy allows no inline script. src/app/theme.ts does the same when it changes.
(function () {
  var choice = "system";
  try {
    choice = localStorage.getItem("keyrack.theme") || "system";
  } catch (error) {
    choice = "system";
  }
  var dark =
    choice === "dark" ||
    (choice === "system" && matchMedia("(prefers-color-scheme: dark)").matches);
  document.documentElement.classList.toggle("pf-v6-theme-dark", dark);
})();
