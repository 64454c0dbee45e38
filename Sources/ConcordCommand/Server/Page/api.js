// Requests to the server. Whatever goes wrong becomes a `Problem`, with a sentence to show.

export class Problem extends Error {
  /** `kind`: "unreachable", "unauthorized", "refused" (an answer that is an error), "garbled" (an answer that is none). */
  constructor(kind, title, detail, status = 0) {
    super(title);
    Object.assign(this, { kind, title, detail, status });
  }
}

/** Tells who listens: "reached", "unreachable", "unauthorized". */
export const server = new EventTarget();
const tell = (event) => server.dispatchEvent(new Event(event));

const patience = 20_000;

async function send(path, options, signal) {
  const timeout = AbortSignal.timeout(patience);
  let response;
  try {
    response = await fetch(path, { credentials: "same-origin", ...options, signal: signal ? AbortSignal.any([signal, timeout]) : timeout });
    if (response.status === 204) {
      tell("reached");
      return null;
    }
    const text = await response.text();
    tell("reached");
    if (response.ok) {
      try {
        return JSON.parse(text);
      } catch {
        throw new Problem("garbled", "The answer could not be read", "The server sent something that is no JSON. Is another program at this address?", response.status);
      }
    }
    throw refusal(response, text);
  } catch (error) {
    if (signal?.aborted) throw error;
    if (error instanceof Problem) throw error;
    tell("unreachable");
    throw timeout.aborted
      ? new Problem("unreachable", "The server takes too long", `There was no answer within ${patience / 1000} seconds.`)
      : new Problem("unreachable", "The server does not answer", "It may have been stopped. Start it with “concord serve”, and this page goes on by itself.");
  }
}

function refusal(response, text) {
  let problem = {};
  try {
    problem = JSON.parse(text);
  } catch {
    // Not every server in between speaks problem+json.
  }
  if (response.status === 401) tell("unauthorized");
  const title = typeof problem?.title === "string" ? problem.title : `The server answered with error ${response.status}`;
  const detail = typeof problem?.detail === "string" ? problem.detail : "";
  return new Problem(response.status === 401 ? "unauthorized" : "refused", title, detail, response.status);
}

function address(path, parameters) {
  const query = new URLSearchParams();
  for (const [name, value] of parameters) {
    if (value !== null && value !== undefined && value !== "") query.append(name, value);
  }
  const text = query.toString();
  return text ? `${path}?${text}` : path;
}

const get = (path, parameters, signal) => send(address(path, parameters), { headers: { Accept: "application/json" } }, signal);

export const status = (signal) => get("/api/status", [], signal);

/** `q` is always sent: an empty one lists documents, none is an error. */
export function search(state, { cursor = null, limit = 20 } = {}, signal) {
  const filters = Object.entries(state.filters).flatMap(([name, values]) => values.map((value) => [`f.${name}`, value]));
  const rest = [["table", state.table], ["sort", state.sort], ["limit", limit], ["cursor", cursor], ...filters];
  return get(`/api/search?q=${encodeURIComponent(state.query)}`.concat(suffix(rest)), [], signal);
}

function suffix(parameters) {
  const text = address("", parameters);
  return text ? `&${text.slice(1)}` : "";
}

export const suggest = (query, table, signal) => get("/api/suggest", [["q", query], ["table", table], ["limit", 8]], signal);

export function read(id, table, query, from, signal) {
  return get("/api/document", [["id", id], ["table", table], ["q", query], ["from", from]], signal);
}

/** Has the server's machine open the file of a document. */
export function open(id) {
  return send("/api/open", { method: "POST", headers: { "Content-Type": "application/json", "X-Concord": "1" }, body: JSON.stringify({ id }) });
}

/** Trades a token for the cookie that stands for it, without leaving the page. Whether it was right, the next request tells. */
export async function signIn(token) {
  await fetch(`/?token=${encodeURIComponent(token)}`, { credentials: "same-origin", redirect: "manual", cache: "no-store" }).catch(() => {});
}
