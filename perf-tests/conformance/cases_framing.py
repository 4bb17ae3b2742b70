"""Requests with both framings, and bodies with unusual methods (RFC 9112, 6.3)."""

from .case import CHUNKED, Case, HELLO, MUST, SHOULD, SMUGGLED, get, post, request
from .check import answered, both, closed, either, forwarded, passed, refused


def _both():
    rejected = refused(400, close=True)
    by_coding = both(forwarded(body=b"hello", lacks=("Content-Length",)), answered(200), closed)
    hello_by_length = b"Content-Length: %d" % len(HELLO)
    for name, fields in (
        ("length-first", (hello_by_length, CHUNKED)),
        ("coding-first", (CHUNKED, hello_by_length)),
        ("length-short", (b"Content-Length: 3", CHUNKED)),
        ("length-zero", (b"Content-Length: 0", CHUNKED)),
        ("length-bad", (b"Content-Length: x", CHUNKED)),
        ("length-long", (b"Content-Length: 500", CHUNKED)),
        ("coding-case", (hello_by_length, b"TRANSFER-ENCODING: Chunked")),
    ):
        yield Case(
            f"both-{name}",
            "Transfer-Encoding and Content-Length: refused, or without the length; closed after it",
            "9112 6.3",
            MUST,
            post(*fields, body=HELLO),
            either(rejected, by_coding),
        )
    body = b"0\r\n\r\n" + SMUGGLED
    yield Case(
        "both-hides-request",
        "what follows the chunks of a request that has a length too is not served",
        "9112 6.1",
        MUST,
        post(b"Content-Length: %d" % len(body), CHUNKED, body=body),
        either(rejected, both(forwarded(body=b"", lacks=("Content-Length",)), closed)),
    )
    inner = b"%x\r\n" % len(SMUGGLED) + SMUGGLED + b"\r\n0\r\n\r\n"
    yield Case(
        "both-hides-in-chunk",
        "a request within a chunk is not served",
        "9112 6.3",
        MUST,
        post(b"Content-Length: 4", CHUNKED, body=inner),
        either(rejected, both(forwarded(body=SMUGGLED, lacks=("Content-Length",)), closed)),
    )
    for name, fields, body, whole in (
        ("plain", (CHUNKED,), HELLO, b"hello"),
        ("length", (CHUNKED, hello_by_length), HELLO, b"hello"),
        ("keep-alive", (CHUNKED, b"Connection: keep-alive"), HELLO, b"hello"),
    ):
        yield Case(
            f"both-1.0-{name}",
            "Transfer-Encoding in HTTP/1.0 is faulty framing: the connection ends after it",
            "9112 6.1",
            MUST,
            request(b"POST / HTTP/1.0", *fields, body=body),
            both(closed, either(refused(400, 411, 501, 505), passed(body=whole, lacks=("Content-Length",)))),
        )


def _bodies():
    for method in (b"GET", b"DELETE", b"OPTIONS", b"HEAD"):
        name = method.decode().lower()
        line = method + b" /a HTTP/1.1"
        methods = (method, b"GET")
        for kind, fields, body in (("length", (b"Content-Length: 5",), b"hello"), ("chunked", (CHUNKED,), HELLO)):
            passes = both(
                forwarded(count=2, method=method, body=b"hello"),
                forwarded(count=2, target=b"/b", at=1),
                answered(at=1),
            )
            yield Case(
                f"body-{name}-{kind}",
                f"{method.decode()} with a body is refused, or passes with it, and so does what follows",
                "9112 6.3",
                MUST,
                request(line, *fields, body=body) + get(b"/b"),
                either(refused(400, 405, 411, 413, 501), passes),
                methods=methods,
                expect=2,
                patience=3,
            )
    yield Case(
        "body-get-zero",
        "GET with a length of zero",
        "9112 6.3",
        MUST,
        get(b"/a", b"Content-Length: 0"),
        passed(method=b"GET", body=b""),
    )
    yield Case(
        "body-post-none",
        "POST without length and coding has no body",
        "9112 6.3",
        MUST,
        post(target=b"/a") + get(b"/b"),
        either(refused(411), both(forwarded(count=2, target=b"/b", at=1), answered(at=1))),
        expect=2,
    )
    yield Case(
        "body-post-zero",
        "POST with a length of zero, and a request after it",
        "9112 6.3",
        MUST,
        post(b"Content-Length: 0", target=b"/a") + get(b"/b"),
        both(forwarded(count=2, target=b"/b", at=1), answered(at=1)),
        expect=2,
    )
    big = bytes(range(256)) * 4096
    yield Case(
        "body-megabyte",
        "a megabyte of all bytes arrives as it was sent",
        "9110 6.4",
        MUST,
        post(b"Content-Length: %d" % len(big), body=big),
        passed(body=big),
    )
    yield Case(
        "body-spill",
        "bytes after the body are no part of it",
        "9112 6.3",
        MUST,
        post(b"Content-Length: 5", body=b"hello" + get(b"/b")),
        both(forwarded(count=2, body=b"hello"), forwarded(count=2, target=b"/b", at=1), answered(at=1)),
        expect=2,
    )
    yield Case(
        "body-junk-behind",
        "junk after the body is a separate invalid request",
        "9112 2.2",
        SHOULD,
        post(b"Content-Length: 5", body=b"hello\x00\x01junk junk\r\n\r\n"),
        both(forwarded(body=b"hello"), answered(200), answered(400, 501, 505, at=1), closed),
        expect=2,
        patience=5,
    )


def cases():
    yield from _both()
    yield from _bodies()
