"""What a case is: bytes for the proxy, a script for the origin behind it, and what RFCs allow to come of it."""

from dataclasses import dataclass

MUST, SHOULD, GOOD = "MUST", "SHOULD", "GOOD"


# Steps of the client and of the origin; plain bytes are sent as they are.


@dataclass(frozen=True)
class Pause:
    seconds: float


@dataclass(frozen=True)
class AwaitAnswers:
    """The client goes on when so many final answers have come."""

    count: int = 1


@dataclass(frozen=True)
class AwaitContinue:
    """The client goes on when any answer has come, or the seconds are over."""

    seconds: float = 1.0


@dataclass(frozen=True)
class AwaitBody:
    """The origin goes on when the whole request has come."""


@dataclass(frozen=True)
class ContinueIfExpected:
    """The origin sends 100 if the request that reached it asks for one."""


@dataclass(frozen=True)
class HalfClose:
    """Nothing more will be sent; what comes is still read."""


@dataclass(frozen=True)
class Close:
    pass


@dataclass(frozen=True)
class Reset:
    pass


@dataclass(frozen=True)
class OnIdle:
    """Behind an answer of the origin: what follows happens on the idle connection."""

    after: float = 0.1


@dataclass(frozen=True)
class Case:
    """``send`` and each of ``answers`` are bytes or sequences of steps.

    ``answers`` serve the requests in the order in which they reach the origin; what is behind them gets a plain 200.
    ``expect`` final answers are awaited, or the end of the connection if ``until_end``.
    """

    id: str
    title: str
    section: str
    level: str
    send: object
    check: object
    answers: tuple = ()
    expect: int = 1
    methods: tuple = ()
    until_end: bool = False
    patience: float = 6.0
    settle: float = 0.05
    # "http/1.1", or "h2": then the client keeps frames, and the steps are frames behind a preface.
    protocol: str = "http/1.1"
    # The listener of the proxy: "main", or "proxied", which expects a header of the PROXY protocol.
    listener: str = "main"
    # The proxies that are set up for the case; empty for all.
    proxies: tuple = ()
    # "listening", or "refusing", or "closing" and "resetting": every connection as soon as it is accepted.
    origin: str = "listening"

    def steps(self):
        return (self.send,) if isinstance(self.send, bytes) else tuple(self.send)

    def bytes_sent(self):
        return b"".join(step for step in self.steps() if isinstance(step, bytes))


def request(line, *fields, body=b"", host=b"example.com"):
    """A request with CRLF line ends; ``host`` None leaves that field out."""
    lines = [line] + ([b"Host: " + host] if host is not None else []) + list(fields)
    return b"\r\n".join(lines) + b"\r\n\r\n" + body


def get(target=b"/", *fields, **more):
    return request(b"GET " + target + b" HTTP/1.1", *fields, **more)


def post(*fields, body=b"", target=b"/", **more):
    return request(b"POST " + target + b" HTTP/1.1", *fields, body=body, **more)


def response(line, *fields, body=b""):
    return b"\r\n".join([line, *fields]) + b"\r\n\r\n" + body


def ok(*fields, body=b"ok"):
    return response(b"HTTP/1.1 200 OK", b"Content-Length: %d" % len(body), *fields, body=body)


CHUNKED = b"Transfer-Encoding: chunked"
HELLO = b"5\r\nhello\r\n0\r\n\r\n"
SMUGGLED = b"GET /smuggled HTTP/1.1\r\nHost: example.com\r\n\r\n"
