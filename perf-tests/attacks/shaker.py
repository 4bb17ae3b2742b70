"""A process that runs one attack on TLS; closed connections reconnect immediately."""

import argparse
import json
import os
import re
import selectors
import socket
import ssl
import subprocess
import sys
import threading
import time
from collections import Counter, deque

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from attacks import handshakes as h
from harness import tools

_HOST = "127.0.0.1"
# Concurrent connects: no more than the gateway can accept before the kernel refuses some.
_BURST = 200
# Seconds between two bytes of a connection that sends byte by byte.
_DRIP = 0.5
# Seconds between two KeyUpdates, and their maximum number: BoringSSL accepts 32 in a row.
_KEY_UPDATE, _MOST_KEY_UPDATES = 0.002, 200


def context(version):
    """TLS context of a client that verifies no certificate and resumes no session."""
    made = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    made.check_hostname, made.verify_mode = False, ssl.CERT_NONE
    if version:
        made.minimum_version = made.maximum_version = version
    made.set_alpn_protocols(["h2", "http/1.1"])
    return made


class Shaking:
    """A handshake in memory: receives the gateway's bytes and returns the bytes to send."""

    def __init__(self, of):
        self.came, self.goes = ssl.MemoryBIO(), ssl.MemoryBIO()
        self.tls = of.wrap_bio(self.came, self.goes, server_hostname="localhost")

    def step(self, came=b""):
        """Returns the next bytes to send and whether they complete the handshake."""
        self.came.write(came)
        try:
            self.tls.do_handshake()
            return self.goes.read(), True
        except ssl.SSLWantReadError:
            return self.goes.read(), False


class Line:
    def __init__(self, port):
        self.socket = socket.socket()
        self.socket.setblocking(False)
        self.socket.connect_ex((_HOST, port))
        self.since = None
        self.waiting = b""
        self.drips = b""
        self.shaking = None


class Crowd:
    """Connections with incomplete handshakes, on one thread."""

    def __init__(self, attack, port, until):
        self.attack, self.port, self.until = attack, port, until
        self.selector = selectors.DefaultSelector()
        self.context = context(attack.version)
        self.hello, _ = Shaking(self.context).step()
        self.dripping = deque()
        self.seen = Counter()
        self.lived = []
        self.open = self.begun = 0
        self.began = time.monotonic()

    def run(self):
        while time.monotonic() < self.until:
            for _ in range(min(self._due(), self.attack.connections - self.open)):
                self._open()
            self._drip()
            for key, events in self.selector.select(0.02):
                try:
                    self._serve(key.data, events)
                except OSError:
                    self._closed(key.data)
        self.seen["still open"] = self.open

    def _due(self):
        """Returns how many connections may begin now."""
        if not self.attack.pace:
            return _BURST
        due = int(self.attack.pace * (time.monotonic() - self.began)) - self.begun
        return max(0, min(_BURST, due))

    def _open(self):
        self.begun += 1
        line = Line(self.port)
        self.open += 1
        self.selector.register(line.socket, selectors.EVENT_WRITE, line)

    def _serve(self, line, events):
        if line.since is None:
            if line.socket.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR):
                self.seen["not connected"] += 1
                self._drop(line)
                return
            self._begin(line)
        if events & selectors.EVENT_READ:
            came = line.socket.recv(1 << 16)
            if not came:
                self._closed(line)
                return
            self.seen["bytes heard"] += len(came)
            if line.shaking:
                self._answer(line, came)
        self._send(line)

    def _begin(self, line):
        line.since = time.monotonic()
        self.seen["connections"] += 1
        if self.attack.says == h.HELLO:
            line.waiting = self.hello
        elif self.attack.says == h.NEARLY_ALL:
            line.shaking = Shaking(self.context)
            line.waiting, _ = line.shaking.step()
        elif self.attack.says == h.DRIPS:
            line.drips = self.hello
            self.dripping.append((line.since, line))

    def _answer(self, line, came):
        # In TLS 1.3 the client ends with its Finished; in 1.2 it sends that before the gateway's last message.
        said, whole = line.shaking.step(came)
        if whole or (said and self.attack.version == ssl.TLSVersion.TLSv1_2):
            line.shaking = None
            said = said[:-1]
            self.seen["handshakes but for a byte"] += 1
        line.waiting += said

    def _drip(self):
        now = time.monotonic()
        while self.dripping and self.dripping[0][0] <= now:
            _, line = self.dripping.popleft()
            if not line.drips or line.socket.fileno() < 0:
                continue
            line.waiting, line.drips = line.drips[:1], line.drips[1:]
            self.dripping.append((now + _DRIP, line))
            try:
                self._send(line)
            except OSError:
                self._closed(line)

    def _send(self, line):
        if line.waiting:
            try:
                sent = line.socket.send(line.waiting)
                self.seen["bytes"] += sent
                line.waiting = line.waiting[sent:]
            except BlockingIOError:
                pass
        wanted = selectors.EVENT_READ | (selectors.EVENT_WRITE if line.waiting else 0)
        if self.selector.get_key(line.socket).events != wanted:
            self.selector.modify(line.socket, wanted, line)

    def _closed(self, line):
        if line.since is not None:
            self.seen["cut off"] += 1
            self.lived.append(time.monotonic() - line.since)
        self._drop(line)

    def _drop(self, line):
        self.selector.unregister(line.socket)
        line.socket.close()
        self.open -= 1


def flood(_attack, port, seconds, seen):
    """Complete handshakes, one after another."""
    command = [tools.path("openssl"), "s_time", "-connect", f"{_HOST}:{port}", "-new", "-time", f"{seconds:.0f}"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=seconds + 30)
    found = re.search(r"(\d+) connections in \d+ real seconds", done.stdout)
    seen["handshakes"] += int(found.group(1)) if found else 0


def _client(attack, port):
    version = "-tls1_2" if attack.version == ssl.TLSVersion.TLSv1_2 else "-tls1_3"
    command = [tools.path("openssl"), "s_client", "-connect", f"{_HOST}:{port}", version]
    # Line by line: openssl must read each command separately.
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)


def _end(client):
    if client.poll() is None:
        client.kill()
    said = client.stdout.read().decode("utf-8", "replace")
    client.stdin.close()
    client.stdout.close()
    client.wait()
    return said


def _await_handshake(client):
    for line in client.stdout:
        if b"Verify return code" in line:
            return True
    return False


def _tell(client, letter):
    """@return whether the command could be written"""
    try:
        client.stdin.write(letter + b"\n")
        client.stdin.flush()
        return True
    except OSError:
        return False


def renegotiate(attack, port, seconds, seen):
    """A complete handshake, then a request to renegotiate on the same connection."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        client = _client(attack, port)
        seen["connections"] += 1
        if not _await_handshake(client):
            seen["no handshake"] += 1
        elif _tell(client, b"R"):
            try:
                client.wait(3)
                seen["refused"] += 1
            except subprocess.TimeoutExpired:
                seen["not refused"] += 1
        _end(client)


def update_keys(attack, port, seconds, seen):
    """A complete handshake, then only KeyUpdates, each of which requests one from the peer."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        client = _client(attack, port)
        seen["connections"] += 1
        if not _await_handshake(client):
            seen["no handshake"] += 1
            _end(client)
            continue
        told = 0
        while told < _MOST_KEY_UPDATES and client.poll() is None and _tell(client, b"K"):
            told += 1
            time.sleep(_KEY_UPDATE)
        seen["updates"] += told
        try:
            client.wait(1)
            seen["refused"] += 1
        except subprocess.TimeoutExpired:
            seen["not refused"] += 1
        _end(client)


_BY_OPENSSL = {h.FLOOD: flood, h.RENEGOTIATION: renegotiate, h.KEY_UPDATES: update_keys}


def by_openssl(attack, port, seconds):
    counts = [Counter() for _ in range(attack.connections)]
    work = _BY_OPENSSL[attack.says]
    threads = [threading.Thread(target=work, args=(attack, port, seconds, seen), daemon=True) for seen in counts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(seconds + 40)
    return sum(counts, Counter())


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--attack", required=True)
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--seconds", type=float, required=True)
    parser.add_argument("--connections", type=int, required=True)
    parser.add_argument("--report", required=True)
    chosen = parser.parse_args()
    # The well-behaved client must be delayed by the gateway only, not by this process.
    os.nice(10)
    attack = next(one for one in h.all_of_them(chosen.connections) if one.name == chosen.attack)
    if attack.says in _BY_OPENSSL:
        seen = dict(by_openssl(attack, chosen.port, chosen.seconds))
    else:
        crowd = Crowd(attack, chosen.port, time.monotonic() + chosen.seconds)
        crowd.run()
        seen = dict(crowd.seen)
        lived = sorted(crowd.lived)
        if lived:
            seen.update(shortest=lived[0], median=lived[len(lived) // 2], longest=lived[-1])
    with open(chosen.report, "w", encoding="utf-8") as report:
        json.dump(seen, report)


if __name__ == "__main__":
    main()
