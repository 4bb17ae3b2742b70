package dev.lychgate.filters.builtin;

import static dev.lychgate.filters.builtin.Setting.optional;
import static dev.lychgate.filters.builtin.Setting.required;

import dev.lychgate.config.ByteSize;
import dev.lychgate.config.ConfigException;
import dev.lychgate.config.FilterConfig;
import dev.lychgate.filter.Filter;
import dev.lychgate.filters.coding.ContentCoding;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** All filters that come with the gateway, by the names that configuration has for them. */
public final class BuiltinFilters {
    private static final Setting FIELD =
            required("name", Setting.Type.TEXT, "the field, none of framing or connection");
    private static final Setting VALUE = required("value", Setting.Type.TEXT, "its value, in ASCII");
    private static final Setting TO =
            required("to", Setting.Type.TEXT, "its new name; fields of that name are replaced");
    private static final Setting PARAMETER = required("name", Setting.Type.TEXT, "the parameter, decoded");

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
                    HeaderChange::set,
                    FIELD,
                    VALUE),
            request("add-request-header", "adds a request field", HeaderChange::add, FIELD, VALUE),
            request("remove-request-header", "removes all request fields of a name", HeaderChange::remove, FIELD),
            request("rename-request-header", "gives request fields another name", HeaderChange::rename, FIELD, TO),
            response(
                    "set-response-header",
                    "sets an answer's field, in place of all of that name",
                    HeaderChange::set,
                    FIELD,
                    VALUE),
            response("add-response-header", "adds a field to the answer", HeaderChange::add, FIELD, VALUE),
            response(
                    "remove-response-header",
                    "removes all fields of a name from the answer",
                    HeaderChange::remove,
                    FIELD),
            response(
                    "rename-response-header",
                    "gives fields of the answer another name",
                    HeaderChange::rename,
                    FIELD,
                    TO),
            new FilterKind(
                    "rewrite-path",
                    "replaces a prefix of the path, or what a pattern matches in it; if no path comes of it, 400",
                    s -> List.of(new ChangePath(s, PathChange.rewrite(s))),
                    optional(
                            "regex",
                            Setting.Type.REGEX,
                            "what is replaced, each time it occurs (RE2, at most 2,000 instructions); this or `prefix`"),
                    optional("prefix", Setting.Type.TEXT, "the leading segments that are replaced; this or `regex`"),
                    required(
                            "replacement",
                            Setting.Type.TEXT,
                            "what takes its place; with `regex` it may hold `$1` and `${name}`")),
            new FilterKind(
                    "set-path",
                    "sets the path",
                    s -> List.of(new ChangePath(s, PathChange.fixed(s))),
                    required("path", Setting.Type.TEXT, "the path, without query")),
            new FilterKind(
                    "set-query-parameter",
                    "sets a query parameter, in place of all of that name",
                    s -> List.of(new ChangeQuery(s, QueryChange.set(s))),
                    PARAMETER,
                    required("value", Setting.Type.TEXT, "its value, decoded")),
            new FilterKind(
                    "remove-query-parameter",
                    "removes all query parameters of a name",
                    s -> List.of(new ChangeQuery(s, QueryChange.remove(s))),
                    PARAMETER),
            new FilterKind(
                    "redirect",
                    "sends the client elsewhere",
                    s -> List.of(new Redirect(s)),
                    optional("status", Setting.Type.NUMBER, "301, 302, 303, 307 or 308")
                            .or(302),
                    optional(
                            "location",
                            Setting.Type.TEXT,
                            "the target; may hold `{host}`, `{path}` and `{query}`; this or `https`"),
                    optional(
                                    "https",
                                    Setting.Type.FLAG,
                                    "the same place by HTTPS, unless a trusted proxy's `X-Forwarded-Proto` says that it came so; this or `location`")
                            .or(false)),
            new FilterKind(
                    "respond",
                    "answers in place of the upstream",
                    s -> List.of(new Respond(s)),
                    optional("status", Setting.Type.NUMBER, "200 to 599").or(200),
                    optional(
                            "headers",
                            Setting.Type.MAPPING,
                            "fields of the answer; `Content-Type` is text/plain if none is said"),
                    optional("body", Setting.Type.TEXT, "sent as UTF-8; none with 204 and 304")),
            new FilterKind(
                    "request-id",
                    "gives requests an id in a field of their own, and answers the same",
                    RequestId::filters,
                    optional("name", Setting.Type.TEXT, "the field").or("x-request-id"),
                    optional(
                                    "trust",
                                    Setting.Type.FLAG,
                                    "keep the client's, if it is one field of 1 to 128 letters, digits and `-_.:/+=`; not for `x-request-id`, which `trusted-proxies` decides")
                            .or(false),
                    optional("respond", Setting.Type.FLAG, "whether answers get it, too")
                            .or(true)),
            new FilterKind(
                    "size-limit",
                    "answers request bodies beyond a limit with 413: at once if their length is said, else when they pass it",
                    s -> List.of(new SizeLimit(s)),
                    required("limit", Setting.Type.SIZE, "the longest body that passes")),
            new FilterKind(
                    "cors",
                    "answers CORS preflights, and says who may read answers, in place of what the origin says",
                    BuiltinFilters::cors,
                    required(
                            "origins",
                            Setting.Type.TEXTS,
                            "`*`, or origins such as `https://app.example.com` and `https://*.example.com`"),
                    optional("credentials", Setting.Type.FLAG, "whether cookies may be sent; not with `*` anywhere")
                            .or(false),
                    optional("methods", Setting.Type.TEXTS, "methods that may be used")
                            .or(List.of("GET", "HEAD", "POST")),
                    optional("headers", Setting.Type.TEXTS, "request fields that may be sent"),
                    optional("expose", Setting.Type.TEXTS, "fields of the answer that may be read"),
                    optional(
                            "max-age",
                            Setting.Type.DURATION,
                            "how long a preflight's answer holds; the browser's own if none")),
            new FilterKind(
                    "compress",
                    "compresses answers for clients that take it",
                    Compress::filters,
                    optional(
                                    "codings",
                                    Setting.Type.TEXTS,
                                    "`zstd`, `br`, `gzip` and `deflate`, the one to prefer first")
                            .or(List.of("zstd", "br", "gzip")),
                    optional(
                                    "types",
                                    Setting.Type.TEXTS,
                                    "types that are compressed, or patterns such as `text/*` and `application/*+json`; patterns don't reach what is compressed already, nor `text/event-stream`")
                            .or(COMPRESSIBLE),
                    optional("min-length", Setting.Type.SIZE, "shorter answers go as they are, if their length is said")
                            .or(ByteSize.ofKiB(1)),
                    optional("zstd-level", Setting.Type.NUMBER, "how hard `zstd` tries, 1 to 19")
                            .between(1, 19)
                            .or(ContentCoding.ZSTD.usualLevel()),
                    optional("br-level", Setting.Type.NUMBER, "how hard `br` tries, 0 to 11")
                            .between(0, 11)
                            .or(ContentCoding.BR.usualLevel()),
                    optional("gzip-level", Setting.Type.NUMBER, "how hard `gzip` and `deflate` try, 1 to 9")
                            .between(1, 9)
                            .or(ContentCoding.GZIP.usualLevel()),
                    optional(
                                    "window",
                                    Setting.Type.SIZE,
                                    "how far back `zstd` and `br` look, a power of two from 16KiB to 8MiB; more takes more memory")
                            .or(ByteSize.ofKiB(256))),
            new FilterKind(
                    "decompress",
                    "decodes request bodies that are compressed, within limits",
                    Decompress::filters,
                    optional("codings", Setting.Type.TEXTS, "those that are decoded; with others, 415")
                            .or(List.of("gzip", "deflate", "br", "zstd")),
                    optional("max-codings", Setting.Type.NUMBER, "how many may be applied to one body; with more, 415")
                            .between(1, 5)
                            .or(2),
                    optional("max-bytes", Setting.Type.SIZE, "the longest a body may become; beyond it, 413")
                            .or(ByteSize.ofMiB(64)),
                    optional(
                                    "max-ratio",
                                    Setting.Type.NUMBER,
                                    "how many times its own size a body may become, beyond the first MiB; beyond it, 413")
                            .between(1, 999_999_999)
                            .or(200),
                    optional("answers", Setting.Type.FLAG, "whether answers are decoded, too")
                            .or(false)));

    private BuiltinFilters() {}

    private interface Change {
        HeaderChange of(Settings settings);
    }

    private static FilterKind request(String name, String about, Change change, Setting... settings) {
        return new FilterKind(name, about, s -> List.of(new ChangeRequestHeader(s, change.of(s))), settings);
    }

    private static FilterKind response(String name, String about, Change change, Setting... settings) {
        return new FilterKind(name, about, s -> List.of(new ChangeResponseHeader(s, change.of(s))), settings);
    }

    private static List<Filter> cors(Settings settings) {
        CorsPolicy policy = CorsPolicy.of(settings);
        return List.of(new CorsPreflight(settings, policy), new CorsFields(settings, policy));
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
