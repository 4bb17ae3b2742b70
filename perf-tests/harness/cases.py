"""The measured cases, each with one kind of load."""

from dataclasses import dataclass

MIB = 1 << 20
GIB = 1 << 30

# The kind of measurement.
ROUNDS, OPEN_LOOP, FIRST_WAVE, IDLE, MESSAGES = "rounds", "open-loop", "first-wave", "idle", "messages"
# What the proxies forward: each requires its own origin and its own settings of the proxies.
HTTP, GRPC, WEBSOCKET, EVENTS = "http", "grpc", "websocket", "events"


@dataclass(frozen=True)
class Case:
    name: str
    title: str
    path: str = "/1k"
    connections: int = 64
    kind: str = ROUNDS
    tls: bool = False
    # HTTP/2 with this number of concurrent streams per connection; 0 = HTTP/1.1.
    streams: int = 0
    # Requests per second; 0 = closed loop.
    rate: int = 0
    # An open loop at half of each proxy's peak rate, instead of the rate that uses half of its CPU.
    of_peak: bool = False
    # False: clients close their connection after each response.
    keep_alive: bool = True
    traffic: str = HTTP
    # Length of the request body, where requests are measured; 0 = none.
    post: int = 0
    # Header fields of each request beside the usual ones.
    fields: int = 0
    # Length of a large body, where throughput in bytes is measured instead of requests; 0 = none.
    download: int = 0
    upload: int = 0
    origins: int = 1
    # Includes the gateways with filters.
    filters: bool = False

    @property
    def needs_certificate(self):
        return self.tls or self.streams > 0

    @property
    def body(self):
        return self.download or self.upload

    @property
    def unit(self):
        """The unit that CPU time is divided by."""
        return "GiB" if self.body else "message" if self.kind == MESSAGES else "request"


_CASES = (
    Case("c1", "1 KB GET, 64 keep-alive connections"),
    Case("c2", "10 KB GET, 64 keep-alive connections", "/10k"),
    Case("c3", "1 KB GET, 1,000 keep-alive connections", connections=1000),
    Case("close", "1 KB GET, 64 clients that close after each response", keep_alive=False),
    Case("100k", "100 KB GET, 64 keep-alive connections", "/files/100k"),
    Case("1m", "1 MiB GET, 16 keep-alive connections", "/files/1m", 16),
    Case("post-1k", "POST of 1 KB, 64 keep-alive connections", post=1 << 10),
    Case("post-100k", "POST of 100 KB, 64 keep-alive connections", post=100 << 10),
    Case("fields20", "1 KB GET with 20 further header fields, 64 keep-alive connections", fields=20),
    Case("origins5", "1 KB GET, 64 keep-alive connections, five origins", origins=5),
    Case("down-1m", "1 MiB download, 8 connections", "/files/1m", 8, download=MIB),
    Case("down-1g", "1 GiB download, 1 connection", "/files/1g", 1, download=GIB),
    Case("up-10m", "10 MiB upload, 4 connections", "/upload", 4, upload=10 * MIB),
    Case("filters", "1 KB GET, 64 keep-alive connections, filters", filters=True),
    Case("tls", "1 KB GET over TLS, 64 keep-alive connections", tls=True),
    Case("tls-close", "1 KB GET over TLS, 64 clients that close after each response", tls=True, keep_alive=False),
    Case("tls-down-100m", "100 MiB download over TLS, 4 connections", "/files/100m", 4, tls=True, download=100 * MIB),
    Case("h2", "1 KB GET over TLS and HTTP/2, 8 connections of 100 streams", connections=8, tls=True, streams=100),
    Case("h2c", "1 KB GET over HTTP/2 without TLS, 8 connections of 100 streams", connections=8, streams=100),
    Case("h2-32", "1 KB GET over TLS and HTTP/2, 16 connections of 32 streams", connections=16, tls=True, streams=32),
    Case("h2c-32", "1 KB GET over HTTP/2 without TLS, 16 connections of 32 streams", connections=16, streams=32),
    Case("h2-1", "1 KB GET over TLS and HTTP/2, 64 connections of one stream", tls=True, streams=1),
    Case("h2c-1", "1 KB GET over HTTP/2 without TLS, 64 connections of one stream", streams=1),
    Case(
        "grpc",
        "unary gRPC of 100 bytes each way, 16 connections of 32 streams",
        "/unary",
        16,
        streams=32,
        traffic=GRPC,
        post=105,
    ),
    Case(
        "grpc-stream",
        "gRPC of 100 messages of 1 KB to the client, 16 connections of 4 streams",
        "/stream",
        16,
        streams=4,
        traffic=GRPC,
        post=105,
    ),
    Case("ws", "WebSocket, 125-byte messages echoed, 64 connections", "/echo", kind=MESSAGES, traffic=WEBSOCKET),
    Case(
        "sse",
        "server-sent events, one per second and connection, 5,000 connections",
        "/events",
        5000,
        kind=MESSAGES,
        traffic=EVENTS,
    ),
    Case("idle", "18,000 idle keep-alive connections", connections=18_000, kind=IDLE),
    Case("latency", "GET of 1 KB at a rate that keeps the proxy's CPU half busy, open loop, 64 connections", kind=OPEN_LOOP),
    Case("latency-peak", "1 KB GET at half of the rate of the peak, open loop, 64 connections", kind=OPEN_LOOP, of_peak=True),
    Case(
        "first-wave",
        "1,000 connections at once to an origin that waits 150 ms, pools cold",
        "/?length=1024&delay=150",
        1000,
        kind=FIRST_WAVE,
    ),
)

CASES = {case.name: case for case in _CASES}
