package dev.lychgate.filters.builtin;

import dev.lychgate.config.ByteSize;
import dev.lychgate.config.Form;
import dev.lychgate.config.Key;
import dev.lychgate.filter.Filter;
import dev.lychgate.filter.Headers;
import dev.lychgate.filters.coding.ContentCoding;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The built-in filters, by their names in configuration. */
public final class BuiltinFilters {
    private static final Key<String> FIELD = needed(text(
            "name",
            "the name of a header field; fields of framing and connection, such as Content-Length, are not permitted"));
    private static final Key<String> VALUE = needed(text("value", "the value of the field, in ASCII"));
    private static final Key<String> TO =
            needed(text("to", "the new name; existing fields with the new name are replaced"));
    private static final Key<String> PARAMETER = needed(text("name", "the name of the parameter, decoded"));

    private static final List<String> COMPRESSIBLE = List.of(
            "text/*",
            "application/json",
            "application/*+json",
            "application/xml",
            "application/*+xml",
            "application/javascript",
            "application/x-ndjson",
            "application/yaml",
            "application/wasm",
            "image/svg+xml",
            "font/ttf",
            "font/otf");

    private static final List<FilterKind> ALL = List.of(
            request(
                    "set-request-header",
                    "sets a request field and replaces all fields with that name",
                    HeaderFilters::set,
                    FIELD,
                    VALUE),
            request("add-request-header", "adds a request field", HeaderFilters::add, FIELD, VALUE),
            request("remove-request-header", "removes all request fields with a name", HeaderFilters::remove, FIELD),
            request("rename-request-header", "renames request fields", HeaderFilters::rename, FIELD, TO),
            response(
                    "set-response-header",
                    "sets a response field and replaces all fields with that name",
                    HeaderFilters::set,
                    FIELD,
                    VALUE),
            response("add-response-header", "adds a response field", HeaderFilters::add, FIELD, VALUE),
            response("remove-response-header", "removes all response fields with a name", HeaderFilters::remove, FIELD),
            response("rename-response-header", "renames response fields", HeaderFilters::rename, FIELD, TO),
            new FilterKind(
                    "rewrite-path",
                    "replaces a prefix of the path, or the matches of a pattern; rejects the request with 400 if the"
                            + " result is not a valid path",
                    TargetFilters::rewritePath,
                    regex(
                            "regex",
                            "the regular expression in RE2 syntax, which may compile to at most 2,000 instructions; all"
                                    + " its matches in the path are replaced; set either `regex` or `prefix`"),
                    text("prefix", "the leading path segments that are replaced; set either `regex` or `prefix`"),
                    needed(text("replacement", "the replacement; with `regex` it may contain `$1` and `${name}`"))),
            new FilterKind(
                    "set-path",
                    "sets the path",
                    TargetFilters::setPath,
                    needed(text("path", "the path, without query"))),
            new FilterKind(
                    "set-query-parameter",
                    "sets a query parameter and replaces all parameters with that name",
                    TargetFilters::setParameter,
                    PARAMETER,
                    needed(text("value", "the value of the parameter, decoded"))),
            new FilterKind(
                    "remove-query-parameter",
                    "removes all query parameters with a name",
                    TargetFilters::removeParameter,
                    PARAMETER),
            new FilterKind(
                    "redirect",
                    "responds with a redirect",
                    ResponseFilters::redirect,
                    number("status", "the status: 301, 302, 303, 307 or 308", 302),
                    text(
                            "location",
                            "the target, which may contain `{host}`, `{path}` and `{query}`, as in"
                                    + " `https://{host}{path}{query}`; `{query}` includes the question mark; set"
                                    + " either `location` or `https`"),
                    flag(
                            "https",
                            "redirects to the same URL with HTTPS, unless `X-Forwarded-Proto` of a trusted proxy"
                                    + " states that the client used HTTPS; set either `location` or `https`",
                            false)),
            new FilterKind(
                    "respond",
                    "responds in place of the upstream",
                    ResponseFilters::respond,
                    number("status", "the status, 200 to 599", 200),
                    mapping("headers", "the fields of the response; the default of `Content-Type` is text/plain"),
                    text("body", "the body, sent as UTF-8; no body with status 204 or 304")),
            new FilterKind(
                    "request-id",
                    "adds a field with an id to requests, and the same field to their responses",
                    ResponseFilters::requestId,
                    text("name", "the name of the field", "x-request-id"),
                    flag(
                            "trust",
                            "keeps the id that the client sent in this field, if the request has the field only once"
                                    + " and the id has 1 to 128 characters: letters, digits and `-_.:/+=`; has no"
                                    + " effect on `x-request-id`, which the gateway keeps only from `trusted-proxies`",
                            false),
                    flag("respond", "adds the field to responses as well as to requests", true)),
            new FilterKind(
                    "size-limit",
                    "rejects a request with 413 if its body is longer than a limit: immediately if the request declares"
                            + " its length; if not, as soon as the received part of the body exceeds the limit",
                    ResponseFilters::sizeLimit,
                    needed(size("limit", "the maximum length of a body", null))),
            new FilterKind(
                    "cors",
                    "responds to CORS preflights, and replaces the CORS fields of origin responses",
                    Cors::filters,
                    needed(texts(
                            "origins",
                            "the allowed origins: `*` for all origins, or origins such as `https://app.example.com` and"
                                    + " `https://*.example.com`",
                            null)),
                    flag(
                            "credentials",
                            "allows credentials such as cookies; if it is true, no other setting may be `*`",
                            false),
                    texts("methods", "the allowed methods", List.of("GET", "HEAD", "POST")),
                    texts("headers", "the allowed request fields", null),
                    texts("expose", "the response fields that scripts may read", null),
                    duration(
                            "max-age",
                            "the time for which browsers cache the response to a preflight; if it is not set, the"
                                    + " browser uses its own default")),
            new FilterKind(
                    "compress",
                    "compresses responses for clients that accept a coding",
                    Compress::filters,
                    texts(
                            "codings",
                            "one or more of `zstd`, `br`, `gzip` and `deflate`, in the order of preference",
                            List.of("zstd", "br", "gzip")),
                    texts(
                            "types",
                            "the media types to compress, or patterns such as `text/*` and `application/*+json`; a"
                                    + " pattern matches neither `text/event-stream` nor types with compressed content,"
                                    + " such as `image/png`",
                            COMPRESSIBLE),
                    size(
                            "min-length",
                            "the minimum length of a response before compression; a response that declares a shorter"
                                    + " length is not compressed",
                            ByteSize.ofKiB(1)),
                    number("zstd-level", "the compression level of `zstd`, 1 to 19", ContentCoding.ZSTD.usualLevel())
                            .between(1, 19),
                    number("br-level", "the compression level of `br`, 0 to 11", ContentCoding.BR.usualLevel())
                            .between(0, 11),
                    number(
                                    "gzip-level",
                                    "the compression level of `gzip` and `deflate`, 1 to 9",
                                    ContentCoding.GZIP.usualLevel())
                            .between(1, 9),
                    size(
                            "window",
                            "the window size of `zstd` and `br`, a power of two from 16KiB to 8MiB; a larger window"
                                    + " needs more memory",
                            ByteSize.ofKiB(256))),
            new FilterKind(
                    "decompress",
                    "decodes compressed request bodies, and rejects requests whose bodies exceed its limits",
                    Decompress::filters,
                    texts(
                            "codings",
                            "the codings that the filter decodes; a request with any other coding is rejected with 415",
                            List.of("gzip", "deflate", "br", "zstd")),
                    number(
                                    "max-codings",
                                    "the maximum number of codings of one body; a request with more codings is rejected"
                                            + " with 415",
                                    2)
                            .between(1, 5),
                    size(
                            "max-bytes",
                            "the maximum length of a decoded body; a request with a longer body is rejected with 413",
                            ByteSize.ofMiB(64)),
                    number(
                                    "max-ratio",
                                    "the maximum ratio of decoded to encoded size; a request with a larger ratio is"
                                            + " rejected with 413 if its decoded body exceeds 1 MiB",
                                    200)
                            .atLeast(1),
                    flag("responses", "decodes compressed responses as well as requests", false)));

    private BuiltinFilters() {}

    private static FilterKind request(
            String name, String about, Function<Settings, Consumer<Headers>> change, Key<?>... settings) {
        return new FilterKind(name, about, s -> HeaderFilters.ofRequests(s, change), settings);
    }

    private static FilterKind response(
            String name, String about, Function<Settings, Consumer<Headers>> change, Key<?>... settings) {
        return new FilterKind(name, about, s -> HeaderFilters.ofResponses(s, change), settings);
    }

    private static <T> Key<T> needed(Key<T> key) {
        return key.required(key.about());
    }

    private static Key<String> text(String name, String about) {
        return Key.text(name).about(about);
    }

    private static Key<String> text(String name, String about, String otherwise) {
        return Key.typed(name, Form.TEXT, otherwise).about(about);
    }

    private static Key<String> regex(String name, String about) {
        return Key.typed(name, Form.REGEX, null).about(about);
    }

    private static Key<Integer> number(String name, String about, int otherwise) {
        return Key.number(name, otherwise).about(about);
    }

    private static Key<Boolean> flag(String name, String about, boolean otherwise) {
        return Key.flag(name, otherwise).about(about);
    }

    private static Key<Duration> duration(String name, String about) {
        return Key.typed(name, Form.DURATION, null).about(about);
    }

    private static Key<ByteSize> size(String name, String about, @Nullable ByteSize otherwise) {
        return Key.typed(name, Form.SIZE, otherwise).about(about);
    }

    private static Key<List<String>> texts(String name, String about, @Nullable List<String> otherwise) {
        return Key.typed(name, Form.oneOrList(Form.TEXT), otherwise).about(about);
    }

    private static Key<Map<String, String>> mapping(String name, String about) {
        return Key.typed(name, Form.mapping(Form.TEXT, "name"), null)
                .called("mapping of texts")
                .about(about);
    }

    /** Returns all kinds of built-in filters, in the order of the documentation. */
    public static List<FilterKind> all() {
        return ALL;
    }

    /** Returns the names of all kinds of built-in filters, in the order of the documentation. */
    public static List<String> names() {
        return ALL.stream().map(FilterKind::name).toList();
    }

    public static boolean isBuiltIn(Filter filter) {
        return filter instanceof Builtin;
    }

    /** Returns the kind of built-in filter with this name; null if there is none. */
    public static @Nullable FilterKind find(String name) {
        return ALL.stream().filter(kind -> kind.name().equals(name)).findFirst().orElse(null);
    }
}
