/**
 * Before anything is painted: the scheme that was chosen here, and, where the page will not be in
 * English, a moment without a word rather than one in the wrong language.
 */
{
  const LONGEST_MS = 1_500;
  const root = document.documentElement;
  const scheme = localStorage.getItem("scheme");
  if (scheme === "light" || scheme === "dark") root.dataset.scheme = scheme;
  const liked = localStorage.getItem("language") ?? navigator.language;
  if (!liked.startsWith("en")) {
    root.dataset.waiting = "";
    setTimeout(() => delete root.dataset.waiting, LONGEST_MS);
  }
}
