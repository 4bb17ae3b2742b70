"""Chunked request bodies (RFC 9112, 7.1)."""

from .case import CHUNKED, GOOD, HELLO, MUST, SHOULD, SMUGGLED, AwaitAnswers, Case, Close, HalfClose, Pause, get, post
from .check import aborted, answered, both, either, forwarded, never_whole, passed

_HELLO = passed(body=b"hello")
_ABORTED = aborted(400, 413, 501, 502)


def _chunked(body, *fields):
    return post(CHUNKED, *fields, body=body)


def _valid():
    for name, body, whole in (
        ("one", HELLO, b"hello"),
        ("none", b"0\r\n\r\n", b""),
        ("many", b"1\r\nh\r\n2\r\nel\r\n2\r\nlo\r\n0\r\n\r\n", b"hello"),
        ("lower-hex", b"a\r\n0123456789\r\n0\r\n\r\n", b"0123456789"),
        ("upper-hex", b"A\r\n0123456789\r\n0\r\n\r\n", b"0123456789"),
        ("zeros", b"0005\r\nhello\r\n0\r\n\r\n", b"hello"),
        ("last-zeros", b"5\r\nhello\r\n0000\r\n\r\n", b"hello"),
        ("crlf-inside", b"9\r\n0\r\n\r\nGET \r\n0\r\n\r\n", b"0\r\n\r\nGET "),
        ("binary", b"4\r\n\x00\r\n\xff\r\n0\r\n\r\n", b"\x00\r\n\xff"),
        ("large", b"10000\r\n" + b"x" * 65_536 + b"\r\n0\r\n\r\n", b"x" * 65_536),
    ):
        yield Case(
            f"chunk-{name}", f"a valid chunked body: {name}", "9112 7.1", MUST, _chunked(body), passed(body=whole)
        )
    for name, extension in (
        ("name", b";a"),
        ("value", b";a=b"),
        ("quoted", b';a="b"'),
        ("quoted-semicolon", b';a="b;c"'),
        ("quoted-escape", b';a="b\\"c"'),
        ("several", b";a=b;c;d=e"),
        ("long", b";a=" + b"b" * 200),
    ):
        send = _chunked(b"5" + extension + b"\r\nhello\r\n0" + extension + b"\r\n\r\n")
        title = f"the extension {extension[:20].decode()} means nothing"
        yield Case(f"chunk-extension-{name}", title, "9112 7.1.1", MUST, send, _HELLO)
    for name, extension in (("space-before", b" ;a=b"), ("space-behind", b"; a=b"), ("space-equals", b";a = b")):
        # Bad white space must be parsed (RFC 9110, 5.6.3); rejecting it is at least not ambiguous.
        send = _chunked(b"5" + extension + b"\r\nhello\r\n0\r\n\r\n")
        yield Case(
            f"chunk-extension-{name}",
            f"white space in the extension {extension.decode()!r}",
            "9112 7.1.1",
            GOOD,
            send,
            either(_ABORTED, _HELLO),
        )
    whole = _chunked(HELLO)
    bytewise = [step for byte in whole for step in (bytes([byte]), Pause(0.002))]
    yield Case("chunk-bytewise", "a chunked request byte by byte", "9112 7.1", MUST, bytewise, _HELLO)
    yield Case(
        "chunk-followed",
        "a request after the last chunk",
        "9112 7.1",
        MUST,
        whole + get(b"/b"),
        both(forwarded(count=2, body=b"hello"), forwarded(count=2, target=b"/b", at=1), answered(at=1)),
        expect=2,
    )
    yield Case(
        "chunk-thousand",
        "a thousand chunks",
        "9112 7.1",
        MUST,
        _chunked(b"1\r\nx\r\n" * 1000 + b"0\r\n\r\n"),
        passed(body=b"x" * 1000),
    )


def _sizes():
    for name, size in (
        ("plus", b"+5"),
        ("minus", b"-5"),
        ("0x", b"0x5"),
        ("letter", b"5g"),
        ("word", b"g"),
        ("none", b""),
        ("space-first", b" 5"),
        ("tab-first", b"\t5"),
        ("fraction", b"5.0"),
        ("comma", b"5,5"),
        ("inner-space", b"5 5"),
        ("vt", b"5\x0b"),
        ("nul", b"5\x00"),
        ("underscore", b"0_5"),
        ("equals", b"5=a"),
        ("extension-only", b";a=b"),
        ("quotes", b'"5"'),
        ("full-width", "\uff15".encode()),
        ("h", b"5h"),
        ("bare-cr", b"5\r;a"),
    ):
        send = _chunked(size + b"\r\nhello\r\n0\r\n\r\n")
        yield Case(f"chunk-size-{name}", f"the chunk size {size!r}", "9112 2.2", SHOULD, send, _ABORTED)
    for name, size in (("space", b"5 "), ("tab", b"5\t"), ("spaces", b"5   ")):
        send = _chunked(size + b"\r\nhello\r\n0\r\n\r\n")
        yield Case(
            f"chunk-size-{name}-behind",
            f"white space after the chunk size: {size!r}",
            "9112 7.1",
            GOOD,
            send,
            either(_ABORTED, _HELLO),
        )
    for name, size in (
        ("2-64", b"10000000000000005"),
        ("2-64-upper", b"100000000000000005"),
        ("2-63", b"8000000000000005"),
        ("max", b"ffffffffffffffff"),
        ("minus-one", b"fffffffffffffffb"),
        ("2-128", b"100000000000000000000000000000005"),
        ("long", b"f" * 300),
        ("2-32", b"100000005"),
        ("2-31", b"80000005"),
        ("minus-32", b"fffffffb"),
    ):
        yield Case(
            f"chunk-overflow-{name}",
            f"the chunk size {size[:40].decode()} is not read as a small one",
            "9112 7.1",
            MUST,
            _chunked(size + b"\r\nhello\r\n0\r\n\r\n" + SMUGGLED),
            never_whole,
            patience=1.5,
        )
    yield Case(
        "chunk-zeros-many",
        "a size of a thousand zeros is no way around a limit",
        "9112 7.1",
        GOOD,
        _chunked(b"0" * 1000 + b"5\r\nhello\r\n0\r\n\r\n"),
        either(_ABORTED, _HELLO),
    )


def _line_ends():
    for name, body in (
        ("lf-all", b"5\nhello\n0\n\n"),
        ("lf-size", b"5\nhello\r\n0\r\n\r\n"),
        ("lf-data", b"5\r\nhello\n0\r\n\r\n"),
        ("lf-last", b"5\r\nhello\r\n0\n\r\n"),
        ("lf-end", b"5\r\nhello\r\n0\r\n\n"),
        ("cr-data", b"5\r\nhello\r0\r\n\r\n"),
        ("cr-size", b"5\rhello\r\n0\r\n\r\n"),
        ("cr-cr-lf", b"5\r\r\nhello\r\n0\r\n\r\n"),
        ("no-crlf", b"5\r\nhello0\r\n\r\n"),
        ("no-crlf-2", b"5\r\nhello5\r\nworld\r\n0\r\n\r\n"),
        ("spill", b"5\r\nhelloX\r\n0\r\n\r\n"),
        ("spill-two", b"5\r\nhelloXX0\r\n\r\n"),
        ("short", b"6\r\nhello\r\n0\r\n\r\n"),
        ("extension-lf", b"5;a\nhello\r\n0\r\n\r\n"),
        ("extension-lf-request", b"0;\n\r\n\r\n" + SMUGGLED),
        ("extension-cr", b"5;a\rb\r\nhello\r\n0\r\n\r\n"),
        ("extension-nul", b"5;a\x00b\r\nhello\r\n0\r\n\r\n"),
        ("extension-bad", b"5;=\r\nhello\r\n0\r\n\r\n"),
        ("extension-quote-open", b'5;a="b\r\nhello\r\n0\r\n\r\n'),
        ("empty-line", b"5\r\nhello\r\n\r\n0\r\n\r\n"),
    ):
        # Two parsers that end such a line at different positions see different requests.
        level = GOOD if name.startswith("extension") and name[10:] in ("bad", "quote-open") else SHOULD
        check = either(_ABORTED, _HELLO) if level == GOOD else _ABORTED
        yield Case(f"chunk-line-{name}", f"the chunked body {body[:40]!r}", "9112 2.2", level, _chunked(body), check)
    body = b"5\r\nhello\r\n0\r\n"
    split = [_chunked(body), Pause(0.2), b"\r\n"]
    yield Case("chunk-last-late", "the end of the body comes late", "9112 7.1", MUST, split, _HELLO)
    apart = [_chunked(b"5\r"), Pause(0.1), b"\nhel", Pause(0.1), b"lo\r", Pause(0.1), b"\n0\r\n\r", Pause(0.1), b"\n"]
    yield Case("chunk-crlf-apart", "CR and LF in separate packets", "9112 7.1", MUST, apart, _HELLO)


def _extension_sizes():
    for name, count in (("16k", 16_384 * 4), ("1m", 1 << 20)):
        yield Case(
            f"chunk-extension-huge-{name}",
            f"an extension of {count} bytes is too much",
            "9112 7.1.1",
            GOOD,
            _chunked(b"5;a=" + b"b" * count + b"\r\nhello\r\n0\r\n\r\n"),
            _ABORTED,
        )
    small = b"1;a=" + b"b" * 4000 + b"\r\nx\r\n"
    yield Case(
        "chunk-extension-total",
        "a megabyte of extensions, none of them huge, for 256 bytes of body is too much",
        "9112 7.1.1",
        GOOD,
        _chunked(small * 256 + b"0\r\n\r\n"),
        _ABORTED,
    )


def _trailers():
    def trailing(*lines):
        return _chunked(b"5\r\nhello\r\n0\r\n" + b"".join(line + b"\r\n" for line in lines) + b"\r\n", b"Trailer: X-T")

    yield Case(
        "chunk-trailer", "a trailer field is passed on or dropped", "9112 7.1.2", MUST, trailing(b"X-T: 1"), _HELLO
    )
    yield Case(
        "chunk-trailer-not-merged",
        "a trailer field is not put among the header fields",
        "9112 7.1.2",
        MUST,
        trailing(b"X-T: 1"),
        passed(body=b"hello", lacks=("X-T",)),
    )
    yield Case(
        "chunk-trailer-followed",
        "a request after the trailer section",
        "9112 7.1.2",
        MUST,
        trailing(b"X-T: 1", b"X-U: 2") + get(b"/b"),
        both(forwarded(count=2, body=b"hello"), forwarded(count=2, target=b"/b", at=1), answered(at=1)),
        expect=2,
    )
    for name, line in (
        ("content-length", b"Content-Length: 99"),
        ("transfer-encoding", b"Transfer-Encoding: evil"),
        ("host", b"Host: evil.test"),
        ("authorization", b"Authorization: evil"),
        ("x-forwarded-for", b"X-Forwarded-For: 6.6.6.6"),
        ("connection", b"Connection: evil"),
        ("cookie", b"Cookie: evil=1"),
        ("expect", b"Expect: evil"),
    ):
        field, _, value = line.decode().partition(": ")
        not_merged = lambda seen, field=field, value=value: next(
            (
                f"{field} of the trailer is among the header fields"
                for one in seen.requests
                if value.encode() in (one.value(field) or b"")
            ),
            None,
        )
        dropped = lambda seen, field=field: next(
            (
                f"{field} was sent on as trailer field"
                for one in seen.requests
                if any(key.decode("latin-1").lower() == field.lower() for key, _ in one.trailers)
            ),
            None,
        )
        outcome = either(aborted(400, 502), passed(body=b"hello"))
        yield Case(
            f"chunk-trailer-merge-{name}",
            f"{field} as trailer field changes no header field",
            "9112 7.1.2",
            MUST,
            trailing(line),
            both(outcome, not_merged),
        )
        yield Case(
            f"chunk-trailer-forbidden-{name}",
            f"{field} as trailer field is dropped or refused",
            "9110 6.5.1",
            GOOD,
            trailing(line),
            both(outcome, dropped),
        )
    # A malformed trailer may be dropped with the section (RFC 9112, 7.1.2), but must not be forwarded unchanged.
    for name, line in (
        ("space", b"X-T : 1"),
        ("no-colon", b"X-T"),
        ("empty-name", b": 1"),
        ("bad-name", b"X@T: 1"),
        ("nul", b"X-T: a\x00b"),
        ("bare-cr", b"X-T: a\rb"),
        ("lf", b"X-T: a\nX-U: b"),
        ("fold", b"X-T: a\r\n b"),
        ("control", b"X\x01T: 1"),
    ):
        yield Case(
            f"chunk-trailer-bad-{name}",
            f"the trailer line {line!r} is refused, dropped or mended",
            "9112 7.1.2",
            MUST,
            trailing(line),
            either(aborted(400, 502), _HELLO),
        )
    yield Case(
        "chunk-trailer-request",
        "a request line where a trailer field should be",
        "9112 2.2",
        SHOULD,
        _chunked(b"5\r\nhello\r\n0\r\n" + SMUGGLED),
        _ABORTED,
    )
    yield Case(
        "chunk-trailer-huge",
        "a trailer section of 200 KB is too much",
        "9110 5.4",
        GOOD,
        trailing(b"X-T: " + b"t" * 200_000),
        aborted(*range(400, 500), 502),
    )
    yield Case(
        "chunk-trailer-many",
        "5,000 trailer fields are too many",
        "9110 5.4",
        GOOD,
        trailing(*[b"X-T%d: 1" % i for i in range(5000)]),
        aborted(*range(400, 500), 502),
    )


def _truncated():
    for name, body in (
        ("size", b"5"),
        ("size-line", b"5\r\n"),
        ("data", b"5\r\nhel"),
        ("data-end", b"5\r\nhello"),
        ("between", b"5\r\nhello\r\n"),
        ("last-line", b"5\r\nhello\r\n0\r\n"),
        ("trailer", b"5\r\nhello\r\n0\r\nX-T: 1\r\n"),
    ):
        for how, ending in (("half-closed", HalfClose()), ("closed", Close())):
            yield Case(
                f"chunk-cut-{name}-{how}",
                f"a chunked body that is cut after {body[-8:]!r}, connection {how}",
                "9112 8",
                MUST,
                [_chunked(body), Pause(0.15), ending],
                never_whole,
                expect=1,
                patience=1.5,
                settle=0.4,
            )
    for how, ending in (("half-closed", HalfClose()), ("closed", Close())):
        yield Case(
            f"length-cut-{how}",
            f"a body that is shorter than its length, connection {how}",
            "9112 8",
            MUST,
            [post(b"Content-Length: 10", body=b"hello"), Pause(0.15), ending],
            never_whole,
            patience=1.5,
            settle=0.4,
        )
    yield Case(
        "chunk-silent",
        "a client that falls silent within the body is not served as if it had ended",
        "9112 8",
        MUST,
        [_chunked(b"5\r\nhel"), AwaitAnswers()],
        both(never_whole, aborted(400, 408, 502, 504)),
        patience=6,
    )


def cases():
    yield from _valid()
    yield from _sizes()
    yield from _line_ends()
    yield from _extension_sizes()
    yield from _trailers()
    yield from _truncated()
