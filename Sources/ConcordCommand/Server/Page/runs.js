// Text with matches is a list of runs; a marked one becomes a `mark` element, and every other a text node.

/** The nodes of runs. */
export function nodes(runs) {
  const result = [];
  for (const run of Array.isArray(runs) ? runs : []) {
    const text = String(run?.text ?? "");
    if (!text) continue;
    if (run.marked) {
      const mark = document.createElement("mark");
      mark.textContent = text;
      result.push(mark);
    } else {
      result.push(document.createTextNode(text));
    }
  }
  return result;
}

/** The text of runs. */
export const plainText = (runs) => (Array.isArray(runs) ? runs : []).map((run) => run?.text ?? "").join("");

/** Runs without line breaks, control characters and those that turn the direction of writing, for places where a text has one
 * line beside others. */
export const onOneLine = (runs) => (Array.isArray(runs) ? runs : []).map((run) => ({ ...run, text: oneLine(run?.text) }));

const oneLine = (text) => String(text ?? "").replace(/[\u202a-\u202e\u2066-\u2069]/g, "").replace(/[\s\u0000-\u001f\u007f]+/g, " ");
