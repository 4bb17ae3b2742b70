"""TLS clients in one process, which send requests until SIGTERM: some on persistent connections, some on a new connection
per request. All of them verify certificates."""

import argparse
import json
import os
import signal
import socket
import ssl
import sys
import threading
import time

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from attacks import frames as f
from harness import wire

_LENGTH = 1024
_PATH = f"/?length={_LENGTH}"
_PATIENCE = 10
_OLD, _NEW = ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3
# Protocol, TLS version, and whether sessions are resumed.
NEW_ONES = (("http/1.1", _NEW, False), ("http/1.1", _OLD, True), ("h2", _OLD, False), ("h2", _NEW, True))
STAYING = (("http/1.1", _NEW), ("http/1.1", _OLD), ("h2", _NEW), ("h2", _OLD))


def context(ca, protocol, version):
    made = ssl.create_default_context(cafile=ca)
    made.minimum_version = made.maximum_version = version
    made.set_alpn_protocols([protocol])
    return made


def connect(port, of, name, session=None):
    line = socket.create_connection((wire.HOST, port), _PATIENCE)
    line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    try:
        return of.wrap_socket(line, server_hostname=name, session=session)
    except BaseException:
        line.close()
        raise


def serial(tls):
    return int(tls.getpeercert()["serialNumber"], 16)


class Http1:
    def __init__(self, tls, name):
        self.tls, self.stream = tls, tls.makefile("rb")
        self.head = f"GET {_PATH} HTTP/1.1\r\nHost: {name}\r\n\r\n".encode("ascii")

    def ask(self):
        """@return whether the response is correct and the connection persists"""
        self.tls.sendall(self.head)
        answer = wire.read_answer(self.stream)
        return answer.status == 200 and len(answer.body) == _LENGTH and answer.headers.get("connection") != "close"


class Http2:
    def __init__(self, tls, name):
        self.tls, self.reader, self.next = tls, f.Reader(), 1
        fields = ((":method", "GET"), (":scheme", "https"), (":authority", name), (":path", _PATH))
        self.head = b"".join(f.field(*one) for one in fields)
        tls.sendall(f.PREFACE + f.settings())

    def ask(self):
        """@return whether the response is correct and the connection persists"""
        stream, well, length = self.next, False, 0
        self.next += 2
        self.tls.sendall(f.headers(stream, self.head) + f.window_update(0, _LENGTH))
        while True:
            came = self.tls.recv(1 << 16)
            if not came:
                raise EOFError("the connection ended")
            for kind, flags, of, payload in self.reader.feed(came):
                if kind == f.SETTINGS and not flags & f.ACK:
                    self.tls.sendall(f.frame(f.SETTINGS, f.ACK, 0))
                elif kind in (f.GOAWAY, f.RST_STREAM):
                    return False
                elif of == stream and kind == f.HEADERS:
                    well = payload[:1] == b"\x88"
                elif of == stream and kind == f.DATA:
                    length += len(payload)
                if of == stream and kind in (f.HEADERS, f.DATA) and flags & f.END_STREAM:
                    return well and length == _LENGTH


_SPOKEN = {"http/1.1": Http1, "h2": Http2}


class Clients:
    def __init__(self, port, ca, names, apart):
        self.port, self.ca, self.names, self.apart = port, ca, names, apart
        self.over = threading.Event()
        # Of each new connection: kind, begin, certificate, and whether the session was resumed.
        self.rows = []
        # Of each persistent connection: kind, responses, reason for its end (null: still open).
        self.stayed = []
        self.failures = []

    def new_ones(self, protocol, version, resumes):
        of, sessions, number = context(self.ca, protocol, version), {}, 0
        while not self.over.wait(self.apart):
            name = self.names[number % len(self.names)]
            number += 1
            began = time.monotonic()
            try:
                with connect(self.port, of, name, sessions.get(name)) as tls:
                    well = _SPOKEN[protocol](tls, name).ask()
                    self.rows.append((f"{protocol} {version.name}", name, began, serial(tls), tls.session_reused))
                    if resumes:
                        sessions[name] = tls.session
                if not well:
                    self.failures.append(f"{protocol} {version.name} {name}: a wrong response")
            except (OSError, EOFError, ValueError) as failure:
                self.failures.append(f"{protocol} {version.name} {name}, after {time.monotonic() - began:.2f} s: {failure}")

    def staying(self, protocol, version, name):
        answers, ended = 0, None
        try:
            with connect(self.port, context(self.ca, protocol, version), name) as tls:
                first = serial(tls)
                line = _SPOKEN[protocol](tls, name)
                while not self.over.wait(self.apart):
                    if not line.ask():
                        ended = "a wrong response, or its end"
                        break
                    answers += 1
        except (OSError, EOFError, ValueError) as failure:
            ended, first = str(failure), None
        self.stayed.append((f"{protocol} {version.name} {name}", first, answers, ended))

    def run(self):
        work = [(self.new_ones, one) for one in NEW_ONES]
        work += [(self.staying, (*one, name)) for one in STAYING for name in self.names]
        threads = [threading.Thread(target=target, args=arguments, daemon=True) for target, arguments in work]
        for thread in threads:
            thread.start()
        while not self.over.wait(1):
            pass
        for thread in threads:
            thread.join(2 * _PATIENCE)
        return {"new": self.rows, "stayed": self.stayed, "failures": self.failures, "threads": len(STAYING) * len(self.names)}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--ca", required=True)
    parser.add_argument("--names", required=True, help="with commas between them")
    parser.add_argument("--apart", type=float, default=0.04, help="seconds between two requests of a client")
    parser.add_argument("--report", required=True)
    chosen = parser.parse_args()
    clients = Clients(chosen.port, chosen.ca, chosen.names.split(","), chosen.apart)
    signal.signal(signal.SIGTERM, lambda *_: clients.over.set())
    seen = clients.run()
    with open(chosen.report, "w", encoding="utf-8") as report:
        json.dump(seen, report)


if __name__ == "__main__":
    main()
