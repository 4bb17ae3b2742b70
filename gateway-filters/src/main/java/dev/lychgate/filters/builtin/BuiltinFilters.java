package dev.lychgate.filters.builtin;

import static dev.lychgate.filters.builtin.Setting.duration;
import static dev.lychgate.filters.builtin.Setting.flag;
import static dev.lychgate.filters.builtin.Setting.mapping;
import static dev.lychgate.filters.builtin.Setting.needed;
import static dev.lychgate.filters.builtin.Setting.number;
import static dev.lychgate.filters.builtin.Setting.size;
import static dev.lychgate.filters.builtin.Setting.text;
import static dev.lychgate.filters.builtin.Setting.texts;

import dev.lychgate.config.ByteSize;
import dev.lychgate.config.ConfigException;
import dev.lychgate.config.FilterConfig;
import dev.lychgate.filter.Filter;
import dev.lychgate.filter.Headers;
import dev.lychgate.filters.coding.ContentCoding;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** All filters that come with the gateway, by the names that configuration has for them. */
public final class BuiltinFilters {
    private static final Setting FIELD = needed(text("name", "the field, none of framing or connection"));
    private static final Setting VALUE = needed(text("value", "its value, in ASCII"));
    private static final Setting TO = needed(text("to", "its new name; fields of that name are replaced"));
    private static final Setting PARAMETER = needed(text("name", "the parameter, decoded"));

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
                    "sets a request field, in place of all of that name",
                    HeaderFilters::set,
                    FIELD,
                    VALUE),
            request("add-request-header", "adds a request field", HeaderFilters::add, FIELD, VALUE),
            request("remove-request-header", "removes all request fields of a name", HeaderFilters::remove, FIELD),
            request("rename-request-header", "gives request fields another name", HeaderFilters::rename, FIELD, TO),
            response(
                    "set-response-header",
                    "sets an answer's field, in place of all of that name",
                    HeaderFilters::set,
                    FIELD,
                    VALUE),
            response("add-response-header", "adds a field to the answer", HeaderFilters::add, FIELD, VALUE),
            response(
                    "remove-response-header",
                    "removes all fields of a name from the answer",
                    HeaderFilters::remove,
                    FIELD),
            response(
                    "rename-response-header",
                    "gives fields of the answer another name",
                    HeaderFilters::rename,
                    FIELD,
                    TO),
            new FilterKind(
                    "rewrite-path",
                    "replaces a prefix of the path, or what a pattern matches in it; if no path comes of it, 400",
                    TargetFilters::rewritePath,
                    Setting.regex(
                            "regex",
                            "what is replaced, each time it occurs (RE2, at most 2,000 instructions); this or `prefix`"),
                    text("prefix", "the leading segments that are replaced; this or `regex`"),
                    needed(text("replacement", "what takes its place; with `regex` it may hold `$1` and `${name}`"))),
            new FilterKind(
                    "set-path",
                    "sets the path",
                    TargetFilters::setPath,
                    needed(text("path", "the path, without query"))),
            new FilterKind(
                    "set-query-parameter",
                    "sets a query parameter, in place of all of that name",
                    TargetFilters::setParameter,
                    PARAMETER,
                    needed(text("value", "its value, decoded"))),
            new FilterKind(
                    "remove-query-parameter",
                    "removes all query parameters of a name",
                    TargetFilters::removeParameter,
                    PARAMETER),
            new FilterKind(
                    "redirect",
                    "sends the client elsewhere",
                    ResponseFilters::redirect,
                    number("status", "301, 302, 303, 307 or 308", 302),
                    text("location", "the target; may hold `{host}`, `{path}` and `{query}`; this or `https`"),
                    flag(
                            "https",
                            "the same place by HTTPS, unless a trusted proxy's `X-Forwarded-Proto` says that it came so; this or `location`",
                            false)),
            new FilterKind(
                    "respond",
                    "answers in place of the upstream",
                    ResponseFilters::respond,
                    number("status", "200 to 599", 200),
                    mapping("headers", "fields of the answer; `Content-Type` is text/plain if none is said"),
                    text("body", "sent as UTF-8; none with 204 and 304")),
            new FilterKind(
                    "request-id",
                    "gives requests an id in a field of their own, and answers the same",
                    ResponseFilters::requestId,
                    text("name", "the field", "x-request-id"),
                    flag(
                            "trust",
                            "keep the client's, if it is one field of 1 to 128 letters, digits and `-_.:/+=`; not for `x-request-id`, which `trusted-proxies` decides",
                            false),
                    flag("respond", "whether answers get it, too", true)),
            new FilterKind(
                    "size-limit",
                    "answers request bodies beyond a limit with 413: at once if their length is said, else when they pass it",
                    ResponseFilters::sizeLimit,
                    needed(size("limit", "the longest body that passes", null))),
            new FilterKind(
                    "cors",
                    "answers CORS preflights, and says who may read answers, in place of what the origin says",
                    Cors::filters,
                    needed(texts(
                            "origins",
                            "`*`, or origins such as `https://app.example.com` and `https://*.example.com`",
                            null)),
                    flag("credentials", "whether cookies may be sent; not with `*` anywhere", false),
                    texts("methods", "methods that may be used", List.of("GET", "HEAD", "POST")),
                    texts("headers", "request fields that may be sent", null),
                    texts("expose", "fields of the answer that may be read", null),
                    duration("max-age", "how long a preflight's answer holds; the browser's own if none")),
            new FilterKind(
                    "compress",
                    "compresses answers for clients that take it",
                    Compress::filters,
                    texts(
                            "codings",
                            "`zstd`, `br`, `gzip` and `deflate`, the one to prefer first",
                            List.of("zstd", "br", "gzip")),
                    texts(
                            "types",
                            "types that are compressed, or patterns such as `text/*` and `application/*+json`; patterns don't reach what is compressed already, nor `text/event-stream`",
                            COMPRESSIBLE),
                    size("min-length", "shorter answers go as they are, if their length is said", ByteSize.ofKiB(1)),
                    number("zstd-level", "how hard `zstd` tries, 1 to 19", ContentCoding.ZSTD.usualLevel())
                            .between(1, 19),
                    number("br-level", "how hard `br` tries, 0 to 11", ContentCoding.BR.usualLevel())
                            .between(0, 11),
                    number("gzip-level", "how hard `gzip` and `deflate` try, 1 to 9", ContentCoding.GZIP.usualLevel())
                            .between(1, 9),
                    size(
                            "window",
                            "how far back `zstd` and `br` look, a power of two from 16KiB to 8MiB; more takes more memory",
                            ByteSize.ofKiB(256))),
            new FilterKind(
                    "decompress",
                    "decodes request bodies that are compressed, within limits",
                    Decompress::filters,
                    texts(
                            "codings",
                            "those that are decoded; with others, 415",
                            List.of("gzip", "deflate", "br", "zstd")),
                    number("max-codings", "how many may be applied to one body; with more, 415", 2)
                            .between(1, 5),
                    size("max-bytes", "the longest a body may become; beyond it, 413", ByteSize.ofMiB(64)),
                    number(
                                    "max-ratio",
                                    "how many times its own size a body may become, beyond the first MiB; beyond it, 413",
                                    200)
                            .between(1, Setting.MOST),
                    flag("answers", "whether answers are decoded, too", false)));

    private BuiltinFilters() {}

    private static FilterKind request(
            String name, String about, Function<Settings, Consumer<Headers>> change, Setting... settings) {
        return new FilterKind(name, about, s -> HeaderFilters.ofRequests(s, change), settings);
    }

    private static FilterKind response(
            String name, String about, Function<Settings, Consumer<Headers>> change, Setting... settings) {
        return new FilterKind(name, about, s -> HeaderFilters.ofResponses(s, change), settings);
    }

    /** In the order in which the documentation has them. */
    public static List<FilterKind> all() {
        return ALL;
    }

    /** Their names, in the same order. */
    public static List<String> names() {
        return ALL.stream().map(FilterKind::name).toList();
    }

    /** Whether {@code filter} is one of ours. */
    public static boolean isBuiltIn(Filter filter) {
        return filter instanceof Builtin;
    }

    /** The kind of that name; null if there is none. */
    public static @Nullable FilterKind find(String name) {
        return ALL.stream().filter(kind -> kind.name().equals(name)).findFirst().orElse(null);
    }

    /**
     * Makes a filter.
     *
     * @return what is to run, each in its phase; at least one
     * @throws ConfigException if there is none of that name, or its settings can't be used
     */
    public static List<Filter> make(FilterConfig config) {
        FilterKind kind = find(config.name());
        if (kind == null) {
            throw new ConfigException("filter", config.name(), "one of " + String.join(", ", names()));
        }
        return kind.make(config, "");
    }
}
