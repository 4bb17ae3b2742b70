"""HTTP/2 requests that must not be forwarded unchanged over HTTP/1.1 (RFC 9113, 8.1.1 and 8.3; RFC 9110, 6.5.1)."""

from .case import CHUNKED, GOOD, MUST, SHOULD, Case, Pause, response
from .check import both, forwarded, never_whole
from .http2 import PROTOCOL_ERROR, begin, data, headers, request

_SETUP = {"protocol": "h2", "proxies": ("lychgate",)}


def _status(*allowed):
    def look(seen):
        status = seen.streams[1].status if 1 in seen.streams else None
        return None if status in allowed else f"answered {status}, not {allowed}"

    return look


def _reset(seen):
    stream = seen.streams.get(1)
    return None if stream and stream.reset == PROTOCOL_ERROR else f"stream 1 was not reset, or otherwise: {stream}"


def _nothing_forwarded(seen):
    return f"it was forwarded: {seen.origin_bytes[:90]!r}" if seen.origin_bytes else None


def _methods():
    for length in (1, 64):
        method = b"M" * length
        yield Case(
            f"h2-method-{length}",
            f"a method of {length} bytes is forwarded",
            "9110 9.1",
            GOOD,
            begin() + request(1, method, end=True),
            both(_status(200), forwarded(method=method)),
            **_SETUP,
        )
    for length in (65, 500, 5_000):
        yield Case(
            f"h2-method-{length}",
            f"a method of {length} bytes is not implemented, as in HTTP/1.1",
            "9110 15.6.2",
            SHOULD,
            begin() + request(1, b"M" * length, end=True),
            both(_status(400, 501), _nothing_forwarded),
            **_SETUP,
        )


def _lengths():
    zero = (b"content-length", b"0")
    five = (b"content-length", b"5")
    for name, more in (
        ("", ()),
        ("-grpc", ((b"content-type", b"application/grpc"), (b"te", b"trailers"))),
    ):
        yield Case(
            f"h2-length-0-data{name}",
            "content-length 0 and DATA is malformed, and nothing of it is forwarded",
            "9113 8.1.1",
            MUST,
            (begin() + request(1, b"POST", zero, *more), Pause(0.3), data(1, b"x", end=True)),
            both(_reset, _nothing_forwarded),
            **_SETUP,
        )
    yield Case(
        "h2-length-0-end-later",
        "content-length 0 and an empty DATA frame with END_STREAM is a request",
        "9113 8.1.1",
        MUST,
        (begin() + request(1, b"POST", zero), Pause(0.2), data(1, b"", end=True)),
        both(_status(200), forwarded(method=b"POST", body=b"")),
        **_SETUP,
    )
    yield Case(
        "h2-length-0-trailers",
        "content-length 0 and trailers is a request",
        "9113 8.1",
        MUST,
        (begin() + request(1, b"POST", zero), Pause(0.2), headers(1, (b"x-sum", b"1"), end=True)),
        both(_status(200), forwarded(method=b"POST", body=b"")),
        **_SETUP,
    )
    for name, rest in (
        ("data", data(1, b"!", end=True)),
        ("data-open", data(1, b"!")),
        ("pseudo-trailer", headers(1, (b":path", b"/"), end=True)),
        ("connection-trailer", headers(1, (b"connection", b"close"), end=True)),
        ("header-block", headers(1, (b"x-sum", b"1"))),
    ):
        yield Case(
            f"h2-length-5-{name}",
            f"a body of its length with malformed continuation ({name}) never reaches the origin complete",
            "9113 8.1.1",
            MUST,
            (begin() + request(1, b"POST", five) + data(1, b"hello"), Pause(0.3), rest),
            both(_reset, never_whole),
            **_SETUP,
        )
    yield Case(
        "h2-length-5-short",
        "a body shorter than its length never reaches the origin whole",
        "9113 8.1.1",
        MUST,
        (begin() + request(1, b"POST", five), data(1, b"hell", end=True)),
        both(_reset, never_whole),
        **_SETUP,
    )
    yield Case(
        "h2-length-5-end-later",
        "a body of its length passes at the end of its stream",
        "9113 8.1.1",
        MUST,
        (begin() + request(1, b"POST", five) + data(1, b"hello"), Pause(0.2), data(1, b"", end=True)),
        both(_status(200), forwarded(body=b"hello")),
        **_SETUP,
    )


def _trailers():
    for name in (
        b"x-forwarded-for",
        b"x_real_ip",
        b"x-real-ip-2",
        b"x_request_id",
        b"forwarded-for",
        b"x-original-url",
        b"x-rewrite-url",
        b"proxy",
        b"x-lychgate-trace",
    ):
        yield Case(
            f"h2-trailer-{name.decode()}",
            f"{name.decode()} does not pass as a trailer",
            "9110 6.5.1",
            GOOD,
            begin() + request(1, b"POST") + data(1, b"x") + headers(1, (name, b"6.6.6.6"), end=True),
            both(
                _status(200),
                lambda seen: "the trailer reached the origin" if b"6.6.6.6" in seen.origin_bytes else None,
            ),
            **_SETUP,
        )

    for name, nominating, wanted in (("", b"Connection: X-A", False), ("-others", b"Connection: X-B", True)):
        yield Case(
            f"h2-nominate-answer-trailer{name}",
            f"of a response with {nominating!r}, the trailer X-A is {'sent on' if wanted else 'removed'}",
            "9110 7.6.1",
            GOOD if wanted else MUST,
            begin() + request(1, b"GET", end=True),
            both(
                _status(200),
                lambda seen, wanted=wanted: (
                    None if seen.streams[1].trailers == wanted else f"trailers: {seen.streams[1].trailers}"
                ),
            ),
            answers=(
                response(b"HTTP/1.1 200 OK", CHUNKED, nominating, body=b"2\r\nok\r\n0\r\nX-A: 1\r\n\r\n"),
            ),
            **_SETUP,
        )


def _schemes():
    yield Case(
        "h2-scheme-https",
        "https on a connection without TLS is misdirected, as the absolute form is in HTTP/1.1",
        "9110 7.4",
        SHOULD,
        begin() + request(1, b"GET", end=True, scheme=b"https"),
        both(_status(421), _nothing_forwarded),
        **_SETUP,
    )


def cases():
    yield from _methods()
    yield from _schemes()
    yield from _lengths()
    yield from _trailers()
