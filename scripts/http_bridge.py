"""Put a server that speaks MCP over pipes behind HTTP, for test suites that only speak HTTP.

`Bridge(command, cwd, env)` listens on a port of its own of the local machine (`url`) until it is left. A greeting
begins a session, which is one process; a request of the versions of the protocol that have no sessions is served
by a process of its own, and an error in its answer has the HTTP status that belongs to it. Every other answer is a
stream of events that ends with the response. The bridge adds nothing of what HTTP servers must do besides (headers
that must agree, origins, streams that are resumed): what a suite says of those is said of the bridge.
"""
import http.server
import json
import queue
import subprocess
import threading
import uuid

METHOD_NOT_FOUND = -32601

class Server:
    """A process and its messages."""

    def __init__(self, command, cwd, env):
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(
            command, cwd=cwd, env=env, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL
        )
        self.messages = queue.Queue()
        self.lock = threading.Lock()
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        for line in self.process.stdout:
            self.messages.put(json.loads(line))
        self.messages.put(None)

    def send(self, body):
        with self.lock:
            self.process.stdin.write(json.dumps(body).encode() + b"\n")
            self.process.stdin.flush()

    def end(self):
        self.process.stdin.close()
        self.process.wait(timeout=10)


class Bridge:
    def __init__(self, command, cwd, env):
        self.begin = lambda: Server(command, cwd, env)
        self.sessions = {}
        handler = type("Handler", (Handler,), {"bridge": self})
        self.http = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self.url = f"http://127.0.0.1:{self.http.server_port}/mcp"

    def __enter__(self):
        threading.Thread(target=self.http.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.http.shutdown()
        self.http.server_close()
        for server in self.sessions.values():
            server.end()


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def plain(self, status, body=None):
        body = json.dumps(body).encode() if body else b""
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        self.plain(405)

    def do_DELETE(self):
        server = self.bridge.sessions.pop(self.headers.get("Mcp-Session-Id"), None)
        if server:
            server.end()
        self.plain(200 if server else 404)

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        session = self.headers.get("Mcp-Session-Id")
        if session is not None and session not in self.bridge.sessions:
            return self.plain(404)
        server = self.bridge.begin() if session is None else self.bridge.sessions[session]
        try:
            server.send(body)
            if "id" not in body or "method" not in body:
                self.plain(202)
            elif session is None:
                session = self.once(server, body)
            else:
                self.stream(server, body["id"], session)
        except ConnectionError:
            # A suite may have seen enough of a stream.
            pass
        if session is None:
            server.end()

    def once(self, server, body):
        """Answers what comes without a session; gives the session that it begins."""
        message = server.messages.get()
        if message is None:
            return self.plain(500)
        if "error" in message:
            return self.plain(404 if message["error"]["code"] == METHOD_NOT_FOUND else 400, message)
        session = None
        if body["method"] == "initialize":
            session = str(uuid.uuid4())
            self.bridge.sessions[session] = server
        self.stream(server, body["id"], session, message)
        return session

    def stream(self, server, wanted, session, message=None):
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        if session:
            self.send_header("Mcp-Session-Id", session)
        self.send_header("Connection", "close")
        self.end_headers()
        message = message or server.messages.get()
        while message is not None:
            self.wfile.write(f"event: message\ndata: {json.dumps(message)}\n\n".encode())
            self.wfile.flush()
            if message.get("id") == wanted and "method" not in message:
                break
            message = server.messages.get()
        self.close_connection = True
