#!/usr/bin/env python3
"""Speaks the API of `concord serve` over made-up documents, and misbehaves when it is told to.

    Tests/Page/mock/server.py [--port 7711] [--database] [--empty] [--token T] [--upstream http://127.0.0.1:7700]

With --upstream, what is asked of /api is asked of that server, and only the page comes from the sources.

Tests command it by POST requests:
    /mock/reset                     everything as at the start
    /mock/rules [RULE...]           what goes wrong; see `Rule`
    /mock/state {...}               changes the answer of /api/status, and tells all who listen
    /mock/progress {...}            tells all who listen how far indexing is
    /mock/add {...}                 adds a document, and says that the index has changed
    /mock/hang-up                   ends the event streams
and read /mock/log: what was asked of the API since the last reset.
"""

import argparse
import http.server
import json
import pathlib
import queue
import sys
import threading
import time
import urllib.error
import urllib.parse
import urllib.request

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import corpus
import engine

PAGE = pathlib.Path(__file__).parents[3] / "Sources/ConcordCommand/Server/Page"
TYPES = {".html": "text/html; charset=utf-8", ".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8",
         ".svg": "image/svg+xml"}
POLICY = ("default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
          "base-uri 'none'; form-action 'self'; frame-ancestors 'none'")
CHUNK = 100_000


class Problem(Exception):
    def __init__(self, status, title, detail):
        self.status, self.title, self.detail = status, title, detail


class Rule:
    """One way to misbehave: {"path", "q"?, "delay"? in seconds, "drop"?, "status"?, "detail"?, "body"?, "times"?}."""

    def __init__(self, description):
        self.description = description
        self.left = description.get("times", 1_000_000)

    def matches(self, path, parameters):
        if self.left <= 0 or not path.startswith(self.description.get("path", "/api/")):
            return False
        wanted = self.description.get("q")
        return wanted is None or parameters.get("q", [None])[0] == wanted


class Mock:
    """What the server knows; one lock guards it."""

    def __init__(self, options):
        self.options = options
        self.lock = threading.RLock()
        self.is_stopped = False
        self.listeners = []
        self.reset()

    def reset(self):
        with self.lock:
            self.rules, self.log = [], []
            options = self.options
            if options.database:
                tables = corpus.books()
                self.engines = {"books": engine.Engine(tables["books"], ["language", "year"]),
                                "authors": engine.Engine(tables["authors"], ["born"])}
            else:
                self.engines = {"documents": engine.Engine([] if options.empty else corpus.files(),
                                                           ["kind", "folder", "year", "language"])}
            self.changes = {"state": "empty"} if options.empty else {}
            self.opened = []

    def status(self):
        files = not self.options.database
        sorts = ["relevance", "newest", "oldest"] if files else ["relevance", "year", "-year"]
        status = {
            "version": "0.1.0", "state": "ready", "progress": None, "isFollowed": False, "canOpen": files, "skipped": 3 if files else 0,
            "source": {"kind": "files" if files else "database", "path": "/home/ada/.local/share/concord/index.db" if files
                       else "/home/ada/library.db", "name": "index.db" if files else "library.db"},
            "documents": sum(len(one.documents) for one in self.engines.values()),
            "roots": ["/home/ada/Documents", "/usr/share/doc", "/usr/share/man"] if files and not self.options.empty else [],
            "tables": [{"name": name, "label": name.capitalize(), "documents": len(one.documents),
                        "columns": ["title", "path", "body"] if files else ["title", "body"],
                        "facets": [{"name": facet, "label": engine.FACETS.get(facet, facet.capitalize())} for facet in one.facets],
                        "sorts": sorts if name != "authors" else ["relevance", "born", "-born"]}
                       for name, one in self.engines.items()],
        }
        status.update(self.changes)
        return status

    def tell(self, event, data):
        with self.lock:
            for listener in self.listeners:
                listener.put((event, data))


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    mock = None

    def log_message(self, *_):
        pass

    def handle(self):
        try:
            super().handle()
        except (BrokenPipeError, ConnectionResetError, ValueError):
            # The browser hung up, or a rule did.
            self.close_connection = True

    # Requests

    def do_GET(self):
        self.respond(None)

    def do_POST(self):
        self.respond(self.rfile.read(int(self.headers.get("Content-Length", 0))))

    def respond(self, body):
        if self.mock.is_stopped:
            self.close_connection = True
            return self.connection.close()
        url = urllib.parse.urlsplit(self.path)
        parameters = urllib.parse.parse_qs(url.query, keep_blank_values=True)
        try:
            if url.path.startswith("/mock/"):
                return self.obey(url.path, body)
            if self.misbehaves(url.path, parameters):
                return None
            token = self.mock.options.token
            if token and parameters.get("token") == [token]:
                self.send_response(303)
                self.send_header("Location", "/")
                self.send_header("Set-Cookie", f"concord={token}; HttpOnly; SameSite=Strict; Path=/")
                self.send_header("Content-Length", "0")
                return self.end_headers()
            if not url.path.startswith("/api/"):
                return self.asset(url.path)
            if token and f"concord={token}" not in self.headers.get("Cookie", ""):
                raise Problem(401, "Unauthorized", "Open the page with the token that the server printed when it started.")
            if self.mock.options.upstream:
                return self.forward(body)
            if url.path == "/api/events":
                return self.events()
            self.json(200, self.answer(url.path, parameters, body))
        except Problem as problem:
            self.json(problem.status, {"type": "about:blank", "title": problem.title, "status": problem.status,
                                       "detail": problem.detail}, "application/problem+json")
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True
        return None

    def misbehaves(self, path, parameters):
        with self.mock.lock:
            if path.startswith("/api/") and path != "/api/events":
                self.mock.log.append({"path": path, "parameters": parameters})
            rule = next((rule for rule in self.mock.rules if rule.matches(path, parameters)), None)
            if not rule:
                return False
            rule.left -= 1
        description = rule.description
        time.sleep(description.get("delay", 0))
        if description.get("drop"):
            self.close_connection = True
            self.connection.close()
            return True
        if "body" in description:
            self.send(200, "application/json", description["body"].encode())
            return True
        if "status" in description:
            raise Problem(description["status"], description.get("title", "Error"), description.get("detail"))
        return False

    def answer(self, path, parameters, body):
        def parameter(name, default=None):
            return parameters.get(name, [default])[0]

        mock = self.mock
        with mock.lock:
            if path == "/api/status":
                return mock.status()
            if path == "/api/open":
                if self.headers.get("X-Concord") != "1":
                    raise Problem(403, "Forbidden", "Send the header X-Concord: 1.")
                mock.opened.append(json.loads(body)["id"])
                return None
            table = mock.engines.get(parameter("table") or next(iter(mock.engines)))
            if not table:
                raise Problem(404, "No such table", "There is no table of that name; /api/status lists them.")
            if path == "/api/search":
                return self.search(table, parameter, parameters)
            if path == "/api/suggest":
                return {"query": parameter("q"), "completions": table.suggest(parameter("q"), int(parameter("limit", "8"))),
                        "correction": None}
            if path == "/api/document":
                return self.document(table, parameter)
        raise Problem(404, "Not found", "There is nothing at this address; /openapi.json lists what there is.")

    def search(self, table, parameter, parameters):
        if "q" not in parameters:
            raise Problem(400, "Bad request", "Add the parameter q, the text to search for.")
        offset, limit = int(parameter("cursor") or 0), int(parameter("limit", "20"))
        filters = {name[2:]: values for name, values in parameters.items() if name.startswith("f.")}
        for name in filters:
            if name not in table.facets:
                raise Problem(400, "Bad request", f"There is no facet {name}; there are: {', '.join(table.facets)}.")
        sorts = {"relevance", "newest", "oldest", "year", "-year", "born", "-born"}
        if parameter("sort", "relevance") not in sorts:
            raise Problem(400, "Bad request", f"sort is one of {', '.join(sorted(sorts))}.")
        began = time.monotonic()
        found = table.search(parameter("q"), filters, parameter("sort", "relevance"), offset, limit)
        first = offset == 0
        return {
            "query": parameter("q"), "milliseconds": round((time.monotonic() - began) * 1000, 2),
            "total": {"value": min(found["total"], 400), "isExact": found["total"] <= 400},
            "correction": found["correction"] if first else None, "replaced": found["replaced"], "hits": found["hits"],
            "cursor": str(offset + limit) if offset + limit < found["total"] else None, "facets": found["facets"] if first else None,
        }

    def document(self, table, parameter):
        document = table.byID.get(parameter("id"))
        if not document:
            raise Problem(404, "Not in the index", "This document is not in the index any more. Search again.")
        terms, _ = table.terms(parameter("q", ""))
        wanted = table.wanted(terms)
        start = int(parameter("from") or 0)
        body = document["body"]
        matches = sum(1 for match in engine.WORD.finditer(body) if wanted(engine.fold(match.group())))
        answer = {name: document.get(name) for name in
                  ("id", "table", "path", "name", "folder", "kind", "size", "modified", "language")}
        answer |= {
            "title": engine.runs(document["title"], wanted), "matches": matches, "line": None,
            "next": str(start + CHUNK) if start + CHUNK < len(body) else None,
            "columns": [{"name": "body", "runs": engine.runs(body[start:start + CHUNK], wanted), "isTruncated": start + CHUNK < len(body)}],
            "fileURL": "file://" + urllib.parse.quote(document["path"]) if document.get("path") else None, "related": [],
        }
        if document["table"] == "books":
            author = self.mock.engines["authors"].byID[document["authorID"]]
            answer["columns"] = [{"name": name, "runs": engine.runs(document[name], wanted), "isTruncated": False}
                                 for name in ("title", "author", "year", "body")]
            answer["related"] = [{"label": "author", "table": "authors", "rows": [
                {"columns": [{"name": "name", "text": author["title"]}, {"name": "born", "text": author["born"]}]}]}]
        elif document["table"] == "authors":
            rows = [book for book in self.mock.engines["books"].documents if book["authorID"] == document["id"]][:5]
            answer["related"] = [{"label": "books by the author", "table": "books", "rows": [
                {"columns": [{"name": "title", "text": book["title"]}, {"name": "year", "text": book["year"]}]} for book in rows]}]
        return answer

    def events(self):
        listener = queue.Queue()
        with self.mock.lock:
            self.mock.listeners.append(listener)
            listener.put(("status", self.mock.status()))
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Cache-Control", "no-store")
        self.send_header("Connection", "close")
        self.end_headers()
        self.close_connection = True
        try:
            while True:
                try:
                    event, data = listener.get(timeout=15)
                except queue.Empty:
                    self.wfile.write(b": still here\n\n")
                    continue
                if event == "hang up":
                    return
                self.wfile.write(f"event: {event}\ndata: {json.dumps(data)}\n\n".encode())
                self.wfile.flush()
        finally:
            with self.mock.lock:
                self.mock.listeners.remove(listener)

    def obey(self, path, body):
        mock = self.mock
        content = json.loads(body) if body else None
        answer = {}
        with mock.lock:
            if path == "/mock/reset":
                mock.reset()
                mock.tell("hang up", None)
            elif path == "/mock/rules":
                mock.rules = [Rule(description) for description in content]
            elif path == "/mock/state":
                mock.changes |= content
                mock.tell("status", mock.status())
            elif path == "/mock/progress":
                mock.tell("progress", content)
            elif path == "/mock/add":
                table = next(iter(mock.engines.values()))
                number = len(table.documents) + 1
                moment = corpus.datetime.datetime(2026, 11, 21, 12)
                table.add(corpus.document(number, content["path"], content["title"], content["body"], "text", moment))
                mock.tell("status", mock.status())
                mock.tell("change", {"version": table.version})
            elif path == "/mock/hang-up":
                mock.tell("hang up", None)
            elif path == "/mock/log":
                answer = {"log": mock.log, "opened": mock.opened, "listeners": len(mock.listeners)}
        self.json(200, answer)

    # Answers

    def asset(self, path):
        name = "index.html" if path == "/" else path.removeprefix("/assets/")
        file = PAGE / name
        if "/" in name or not file.is_file():
            raise Problem(404, "Not found", "There is nothing at this address.")
        self.send(200, TYPES[file.suffix], file.read_bytes(), {"Content-Security-Policy": POLICY, "X-Content-Type-Options": "nosniff"})

    def forward(self, body):
        """Asks another server, and passes on what it says as it says it."""
        headers = {name: self.headers[name] for name in ("X-Concord", "Content-Type", "Accept", "Authorization") if name in self.headers}
        request = urllib.request.Request(self.mock.options.upstream + self.path, data=body, headers=headers)
        try:
            answer = urllib.request.urlopen(request)
        except urllib.error.HTTPError as error:
            answer = error
        except OSError:
            self.close_connection = True
            return self.connection.close()
        content = answer.headers.get("Content-Type", "")
        if not content.startswith("text/event-stream"):
            return self.send(answer.status, content, answer.read())
        self.send_response(200)
        self.send_header("Content-Type", content)
        self.end_headers()
        self.close_connection = True
        while line := answer.readline():
            self.wfile.write(line)
            self.wfile.flush()
        return None

    def json(self, status, value, content="application/json"):
        if value is None:
            self.send_response(204)
            return self.end_headers()
        return self.send(status, content, json.dumps(value).encode())

    def send(self, status, content, body, headers=None):
        self.send_response(status)
        self.send_header("Content-Type", content)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Cache-Control", "no-cache")
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)


def start(port=0, **changes):
    """Starts a server on a thread of its own, and returns it with its URL."""
    options = argparse.Namespace(database=False, empty=False, token=None, upstream=None)
    vars(options).update(changes)
    handler = type("MockHandler", (Handler,), {"mock": Mock(options)})
    server = http.server.ThreadingHTTPServer(("127.0.0.1", port), handler)
    server.daemon_threads = True
    server.mock = handler.mock
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server, f"http://127.0.0.1:{server.server_address[1]}"


def stop(server):
    """Ends a server, and the connections that are kept open with it."""
    server.mock.is_stopped = True
    server.mock.tell("hang up", None)
    server.shutdown()
    server.server_close()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--port", type=int, default=7711)
    parser.add_argument("--database", action="store_true")
    parser.add_argument("--empty", action="store_true")
    parser.add_argument("--token")
    parser.add_argument("--upstream")
    options = parser.parse_args()
    _, url = start(**vars(options))
    print(url, flush=True)
    threading.Event().wait()


if __name__ == "__main__":
    main()
