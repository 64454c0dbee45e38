// Numbers, dates, sizes and names as the person's own locale writes them.

const numbers = new Intl.NumberFormat();
const plurals = new Intl.PluralRules("en");
const dayOfThisYear = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short" });
const day = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short", year: "numeric" });
const moment = new Intl.DateTimeFormat(undefined, { dateStyle: "full", timeStyle: "short" });

export const count = (number) => numbers.format(number);

/** "1 document", "1,234 documents". */
export const counted = (number, one, many = `${one}s`) => `${count(number)} ${plurals.select(number) === "one" ? one : many}`;

export function milliseconds(value) {
  if (!Number.isFinite(value)) return "";
  return `${new Intl.NumberFormat(undefined, { maximumSignificantDigits: value < 10 ? 2 : 3 }).format(value)} ms`;
}

function parsed(iso) {
  const date = new Date(iso ?? NaN);
  return Number.isNaN(date.getTime()) ? null : date;
}

/** A short date, without the year where it is this one; "" for what is no date. */
export function date(iso) {
  const value = parsed(iso);
  if (!value) return "";
  return (value.getFullYear() === new Date().getFullYear() ? dayOfThisYear : day).format(value);
}

/** Day of the week, date and time. */
export function fullDate(iso) {
  const value = parsed(iso);
  return value ? moment.format(value) : "";
}

export function size(bytes) {
  if (!Number.isFinite(bytes)) return "";
  const units = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte"];
  let unit = 0;
  let value = bytes;
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return new Intl.NumberFormat(undefined, { style: "unit", unit: units[unit], unitDisplay: unit ? "short" : "long", maximumFractionDigits: value < 10 && unit ? 1 : 0 }).format(value);
}

const languageNames = new Intl.DisplayNames(undefined, { type: "language", fallback: "code" });

/** The name of a language tag; the tag itself where it has none. */
export function language(tag) {
  try {
    return tag ? languageNames.of(tag) : "";
  } catch {
    return String(tag);
  }
}

/** A language tag that may stand in a `lang` attribute, or null. */
export const languageTag = (tag) => (typeof tag === "string" && /^[a-z]{2,3}(-[a-z0-9]{2,8})*$/i.test(tag) ? tag : null);

/** A name in which control characters and those that turn the direction of writing can be seen, so that "fdp.exe" cannot pass
 * for "exe.pdf". */
export const visible = (name) =>
  String(name ?? "")
    .replace(/[\u0000-\u001f]/g, (character) => String.fromCharCode(0x2400 + character.charCodeAt(0)))
    .replace(/\u007f/g, "\u2421")
    .replace(/[\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\u061c]/g, "\ufffd");

/** The end of a long path: "…/share/doc". */
export function shortPath(path) {
  const parts = path.split("/").filter(Boolean);
  return parts.length > 2 ? `…/${parts.slice(-2).join("/")}` : path;
}

/** "publication_year" as a person writes it: "Publication year". */
export function label(name) {
  const words = String(name ?? "").replace(/[_-]+/g, " ").replace(/([a-z])([A-Z])/g, "$1 $2").trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
