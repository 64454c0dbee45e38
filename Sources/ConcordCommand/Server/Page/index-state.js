// What the index holds and what happens to it: the line beside the completions, the bar of progress, the note below the filters.

import { byID, element } from "./dom.js";
import * as format from "./format.js";
import { noun } from "./head.js";

export function showIndex(status) {
  showProgress(status);
  const lines = [];
  lines.push(element("p", {}, element("strong", {}, format.visible(status.source?.name ?? "Index")), element("br"), format.counted(status.documents ?? 0, noun(status))));
  if (status.skipped > 0) lines.push(element("p", {}, `${format.counted(status.skipped, "file")} could not be read: `, element("code", {}, "concord info --skipped")));
  if (status.state === "interrupted") lines.push(element("p", {}, "Indexing was interrupted: ", element("code", {}, "concord index"), " goes on."));
  if (status.isFollowed) lines.push(element("p", {}, "Follows its folders."));
  lines.push(element("p", {}, `Concord ${status.version ?? ""}`));
  const about = byID("about");
  about.replaceChildren(...lines);
  about.title = status.source?.path ? format.visible(status.source.path) : "";
}

function showProgress(status) {
  const bar = byID("progress");
  const text = byID("activity");
  const isReading = status.state === "indexing";
  bar.hidden = text.hidden = !isReading;
  if (!isReading) return;
  const { read, total, path } = status.progress ?? {};
  if (total > 0) {
    bar.max = total;
    bar.value = Math.min(read, total);
    text.textContent = `Indexing ${format.count(read)} of ${format.count(total)}`;
  } else {
    bar.removeAttribute("value");
    text.textContent = read > 0 ? `Indexing: ${format.counted(read, "file")} read` : "Indexing";
  }
  if (path) text.textContent += ` · ${format.visible(format.shortPath(path))}`;
  text.title = path ? format.visible(path) : "";
}
