"""An HTTP/1.1 origin for responses that the jar's test origin lacks: early hints, trailers and a page."""

import json
import os
import socket
import socketserver
import threading

from harness import wire

HINT = "</style.css>; rel=preload; as=style"
TRAILER = "X-Sum"
PAGE = "/scripted/page"
# Longer waits are errors.
_PATIENCE = 30


class _Conversation(socketserver.StreamRequestHandler):
    timeout = _PATIENCE

    def handle(self):
        try:
            while self._answer():
                pass
        except (OSError, EOFError, ValueError):
            return  # the test checks the client's result

    def _answer(self):
        line = self.rfile.readline(65_536)
        if not line:
            return False
        path = line.decode("latin-1").split()[1]
        fields = self._fields()
        body, trailers = self._body(fields)
        if path.startswith("/scripted/hints"):
            self.wfile.write(f"HTTP/1.1 103 Early Hints\r\nLink: {HINT}\r\n\r\n".encode())
            self.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nhinted")
        elif path == PAGE:
            with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "page.html"), "rb") as file:
                page = file.read()
            self.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: %d\r\n\r\n" % len(page))
            self.wfile.write(page)
        else:
            said = json.dumps({"body": len(body), "trailers": trailers}).encode()
            self.wfile.write(f"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: {TRAILER}\r\n\r\n".encode())
            self.wfile.write(b"%x\r\n%s\r\n0\r\n%s: of-answer\r\n\r\n" % (len(said), said, TRAILER.encode()))
        return True

    def _fields(self):
        fields = {}
        while True:
            line = self.rfile.readline(65_536).strip()
            if not line:
                return fields
            name, _, value = line.decode("latin-1").partition(":")
            fields[name.lower()] = value.strip()

    def _body(self, fields):
        if "chunked" not in fields.get("transfer-encoding", "").lower():
            return self.rfile.read(int(fields.get("content-length", 0))), {}
        body = b""
        while True:
            size = int(self.rfile.readline(65_536).split(b";")[0], 16)
            if size == 0:
                return body, self._fields()
            body += self.rfile.read(size)
            self.rfile.readline(65_536)


class _Server(socketserver.ThreadingTCPServer):
    daemon_threads = True
    allow_reuse_address = True
    address_family = socket.AF_INET


class Scripted:
    """Serves on ``port``, with threads of this process."""

    def __init__(self):
        self._server = _Server((wire.HOST, 0), _Conversation)
        self.port = self._server.server_address[1]
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
