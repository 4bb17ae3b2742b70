"""Test cases: bytes for the proxy, a script for the origin behind it, and the results that RFCs allow."""

from dataclasses import dataclass

MUST, SHOULD, GOOD = "MUST", "SHOULD", "GOOD"


# Steps of the client and of the origin; plain bytes are sent unchanged.


@dataclass(frozen=True)
class Pause:
    seconds: float


@dataclass(frozen=True)
class AwaitAnswers:
    """The client continues after this number of final responses."""

    count: int = 1


@dataclass(frozen=True)
class AwaitContinue:
    """The client continues after any response or after the timeout in seconds."""

    seconds: float = 1.0


@dataclass(frozen=True)
class AwaitBody:
    """The origin continues after the whole request."""


@dataclass(frozen=True)
class ContinueIfExpected:
    """The origin sends 100 if the request that it received expects one."""


@dataclass(frozen=True)
class HalfClose:
    """Ends the sending direction; reading continues."""


@dataclass(frozen=True)
class Close:
    pass


@dataclass(frozen=True)
class Reset:
    pass


@dataclass(frozen=True)
class OnIdle:
    """Placed after an origin's response: the next step happens on the idle connection."""

    after: float = 0.1


@dataclass(frozen=True)
class Case:
    """``send`` and each of ``answers`` are bytes or sequences of steps.

    ``answers`` are used in the order in which requests reach the origin; later requests get a plain 200. The client waits
    for ``expect`` final responses, or for the end of the connection if ``until_end``.
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
    # "http/1.1", or "h2": then the steps are HTTP/2 frames after the preface, and the client parses frames.
    protocol: str = "http/1.1"
    # The listener of the proxy: "main", or "proxied", which requires a PROXY protocol header.
    listener: str = "main"
    # The proxies that support the case; empty for all.
    proxies: tuple = ()
    # "listening", "refusing", or on accept of every connection "closing" and "resetting".
    origin: str = "listening"

    def steps(self):
        return (self.send,) if isinstance(self.send, bytes) else tuple(self.send)

    def bytes_sent(self):
        return b"".join(step for step in self.steps() if isinstance(step, bytes))


def request(line, *fields, body=b"", host=b"example.com"):
    """A request with CRLF line ends; ``host`` None omits the Host field."""
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
