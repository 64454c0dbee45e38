// What is known of the kinds of documents. One that is not listed is shown as a text.

import { label } from "./format.js";

/** By kind: what it is called, its icon, and whether its lines and columns mean something, which letters of equal width show. */
const kinds = {
  text: ["Text", "text", true], markdown: ["Markdown", "text"], html: ["Web page", "html"], man: ["Manual page", "man", true],
  code: ["Source code", "code", true], jsonl: ["JSON Lines", "table", true], csv: ["Table", "table", true], pdf: ["PDF", "pdf"],
  document: ["Document", "text"], spreadsheet: ["Spreadsheet", "table"], presentation: ["Presentation", "slides"], book: ["Book", "man"],
  mail: ["Mail", "mail"], archive: ["Archive", "archive"], notebook: ["Notebook", "code"], subtitles: ["Subtitles", "text"],
  latex: ["LaTeX", "text", true], org: ["Org", "text"], rst: ["reStructuredText", "text"], asciidoc: ["AsciiDoc", "text"],
  contact: ["Contact", "person"], calendar: ["Calendar", "calendar"], json: ["JSON", "code", true], xml: ["XML", "code", true],
  log: ["Log", "text", true], image: ["Image", "image"],
};

export const nameOf = (kind) => kinds[kind]?.[0] ?? label(kind);
export const iconOf = (kind) => `kind-${kinds[kind]?.[1] ?? "text"}`;
export const isPlain = (kind) => kinds[kind]?.[2] ?? false;
