package dev.lychgate.config;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The cache of a route.
 *
 * @param store where responses are stored
 * @param maxEntry the largest body that is stored
 * @param ttl the lifetime of all stored responses; null = each response states its lifetime
 * @param defaultTtl the lifetime of responses that state no lifetime; null = the gateway estimates the lifetime from
 *     the time of the last modification
 * @param key the parts of the request that, in addition to the URI, select a stored response
 * @param allowQuery the only query parameters that select a response; empty = all
 * @param ignoreQuery the query parameters that do not select a response
 * @param methods the methods of requests for which stored responses are sent
 * @param statuses the statuses of responses that may be stored; empty = all that RFC 9111 permits
 * @param staleWhileRevalidate the time for which a stale response is sent while it is validated; null = the response
 *     states the time
 * @param staleIfError the time for which a stale response replaces a failure; null = the response states the time
 * @param coalesce the longest time for which a request waits for the response to an equivalent earlier request; zero =
 *     requests do not wait
 * @param credentials the treatment of responses to requests with credentials
 * @param setCookie whether responses that set cookies may be stored
 * @param targets the names of the targeted cache control fields, such as {@code CDN-Cache-Control}, in order of
 *     preference
 * @param tags the response field that contains tags; operators can purge stored responses by their tags; null = no tags
 * @param clientDirectives whether the gateway obeys {@code Cache-Control} directives in requests
 * @param cacheStatus whether responses report how the cache handled the request
 */
public record CacheConfig(
        Store store,
        ByteSize maxEntry,
        @Nullable Duration ttl,
        @Nullable Duration defaultTtl,
        List<CacheKeyPart> key,
        List<String> allowQuery,
        List<String> ignoreQuery,
        List<String> methods,
        Set<Integer> statuses,
        @Nullable Duration staleWhileRevalidate,
        @Nullable Duration staleIfError,
        Duration coalesce,
        Credentials credentials,
        boolean setCookie,
        List<String> targets,
        @Nullable String tags,
        boolean clientDirectives,
        boolean cacheStatus) {
    /** The storage of responses. */
    public enum Store {
        /** The memory of the gateway. */
        MEMORY
    }

    /** The treatment of responses to requests with credentials. */
    public enum Credentials {
        /** A response is stored only if its header fields explicitly permit this. */
        RESPECT,
        /** Credentials in a request have no effect on whether the response is stored. */
        IGNORE
    }

    private static final Form.Rule PARAMETER =
            new Form.Rule("[^&=;#\\s*]{1,127}\\*?", "the name of a query parameter, or a prefix such as utm_*");

    private static final Key<Store> STORE =
            Key.choice("store", Store.MEMORY).about("the place of stored responses: the `memory` of the gateway");
    private static final Key<ByteSize> MAX_ENTRY = Key.size("max-entry", "1MiB")
            .between("1KiB", "64MiB")
            .about("the largest body that is stored; longer bodies are forwarded, but not stored");
    private static final Key<Duration> TTL = Key.typed("ttl", Form.DURATION, null)
            .between("1s", "240h")
            .absent("as the response states")
            .about("the lifetime of all responses that may be stored, in place of the lifetime in the response; it "
                    + "does not override `no-store`, `no-cache` and `private`, and does not apply to failures");
    private static final Key<Duration> DEFAULT_TTL = Key.typed("default-ttl", Form.DURATION, null)
            .between("1s", "240h")
            .absent("estimated")
            .about("the lifetime of responses that state no lifetime; without this key, a tenth of the time since "
                    + "`Last-Modified`, at most one day");
    private static final Key<List<CacheKeyPart>> KEY = Key.typed(
                    "key", Form.oneOrList(CacheKeyPart.FORM), List.<CacheKeyPart>of())
            .absent("only the URI")
            .about("the parts of a request that select a stored response in addition to the URI and to the fields "
                    + "in `Vary`: `header:NAME` or `cookie:NAME`, at most eight");
    private static final Key<List<String>> ALLOW_QUERY = Key.list("allow-query", Form.TEXT.matching(PARAMETER))
            .atMost(64)
            .about("the only query parameters that select a stored response; not together with `ignore-query`");
    private static final Key<List<String>> IGNORE_QUERY = Key.list("ignore-query", Form.TEXT.matching(PARAMETER))
            .atMost(64)
            .about("the query parameters that do not select a stored response, such as `utm_*`; the origin still "
                    + "receives them, so its responses must not depend on them");
    private static final Key<List<String>> METHODS = Key.typed(
                    "methods", Form.list(Form.TEXT.matching("GET|HEAD", "GET or HEAD")), List.of("GET", "HEAD"))
            .atLeast(1)
            .about("the methods of requests for which stored responses are sent; only responses to GET are stored");
    private static final Key<Set<Integer>> STATUSES = Key.typed(
                    "statuses", Form.set(Form.NUMBER.within(new Form.Range(200, 599, false))), Set.<Integer>of())
            .called("list")
            .absent("as RFC 9111 permits")
            .about("the only statuses of responses that are stored; `ttl` and `default-ttl` apply to them; 205, 206, "
                    + "304 and statuses that describe the request, such as 416 and 429, are never stored");
    private static final Key<Duration> STALE_WHILE_REVALIDATE = Key.typed("stale-while-revalidate", Form.DURATION, null)
            .atMost("240h")
            .absent("as the response states")
            .about("the time after the end of the lifetime for which a response is still sent while the gateway "
                    + "validates it in the background");
    private static final Key<Duration> STALE_IF_ERROR = Key.typed("stale-if-error", Form.DURATION, null)
            .atMost("240h")
            .absent("as the response states")
            .about("the time after the end of the lifetime for which a response is sent in place of a failure: "
                    + "no response, or 500, 502, 503 or 504");
    private static final Key<Duration> COALESCE = Key.duration("coalesce", "5s")
            .atMost("1m")
            .about("the longest time for which a request waits for the response to an earlier request with the same "
                    + "cache key, so that the origin receives only the earlier request; `0` = the origin receives all "
                    + "requests");
    private static final Key<Credentials> CREDENTIALS = Key.choice("credentials", Credentials.RESPECT)
            .about("`respect` = a response to a request with `Authorization`, cookies or a client certificate is "
                    + "stored only if it contains `public`, `s-maxage` or `must-revalidate`; `ignore` = such a "
                    + "response is stored like all others");
    private static final Key<Boolean> SET_COOKIE = Key.flag("set-cookie", false)
            .about("whether responses with `Set-Cookie` are stored; if they are, all clients receive the same cookie");
    private static final Key<List<String>> TARGETS = Key.typed(
                    "targets", Form.list(Form.FIELD_NAME), List.of("cdn-cache-control"))
            .atMost(8)
            .about("the [targeted fields](cache.md#targeted-fields) that replace `Cache-Control` for this gateway, "
                    + "the first one preferred");
    private static final Key<String> TAGS = Key.typed("tags", Form.FIELD_NAME, null)
            .called("text")
            .absent("no tags")
            .about("the response field, such as `cache-tag`, with the tags by which responses are "
                    + "[purged](cache.md#purging), separated by white space or commas");
    private static final Key<Boolean> CLIENT_DIRECTIVES = Key.flag("client-directives", true)
            .about("whether the cache honors `Cache-Control` in requests; browsers send this field when a user reloads "
                    + "a page, for example. `false` protects the origin from clients that demand fresh responses");
    private static final Key<Boolean> CACHE_STATUS = Key.flag("cache-status", true)
            .about("whether responses contain `Cache-Status`, which reports how the cache handled the request");

    /** The settings that an empty section {@code cache} configures: all keys have their defaults. */
    public static final CacheConfig DEFAULT = read(Key.DEFAULTS);

    public CacheConfig {
        MAX_ENTRY.check(maxEntry);
        TTL.check(ttl);
        DEFAULT_TTL.check(defaultTtl);
        ALLOW_QUERY.check(allowQuery);
        IGNORE_QUERY.check(ignoreQuery);
        METHODS.check(methods);
        STATUSES.check(statuses);
        STALE_WHILE_REVALIDATE.check(staleWhileRevalidate);
        STALE_IF_ERROR.check(staleIfError);
        COALESCE.check(coalesce);
        TARGETS.check(targets);
        TAGS.check(tags);
        key = Expect.copy(key);
        allowQuery = Expect.copy(allowQuery);
        ignoreQuery = Expect.copy(ignoreQuery);
        methods = Expect.copy(methods);
        statuses = Set.copyOf(statuses);
        targets = Expect.copy(targets);
        Expect.that(key.size() <= 8, "key", key, "at most eight parts");
        Expect.that(
                allowQuery.isEmpty() || ignoreQuery.isEmpty(),
                "ignore-query",
                ignoreQuery,
                "either allow-query or ignore-query");
    }

    static CacheConfig read(Key.Values values) {
        return new CacheConfig(
                values.get(STORE),
                values.get(MAX_ENTRY),
                values.get(TTL),
                values.get(DEFAULT_TTL),
                values.get(KEY),
                values.get(ALLOW_QUERY),
                values.get(IGNORE_QUERY),
                values.get(METHODS),
                values.get(STATUSES),
                values.get(STALE_WHILE_REVALIDATE),
                values.get(STALE_IF_ERROR),
                values.get(COALESCE),
                values.get(CREDENTIALS),
                values.get(SET_COOKIE),
                values.get(TARGETS),
                values.get(TAGS),
                values.get(CLIENT_DIRECTIVES),
                values.get(CACHE_STATUS));
    }

    /** Returns these settings with a different maximum size of stored bodies. */
    public CacheConfig withMaxEntry(ByteSize other) {
        return Copy.of(this, "maxEntry", other);
    }

    /**
     * Returns these settings with a fixed lifetime for all stored responses; null = each response states its lifetime.
     */
    public CacheConfig withTtl(@Nullable Duration other) {
        return Copy.of(this, "ttl", other);
    }

    /** Returns these settings with a lifetime for responses that state no lifetime. */
    public CacheConfig withDefaultTtl(@Nullable Duration other) {
        return Copy.of(this, "defaultTtl", other);
    }

    /** Returns these settings with other parts of the key, such as {@code header:x-tenant}. */
    public CacheConfig withKey(String... parts) {
        return Copy.of(this, "key", Stream.of(parts).map(CacheKeyPart::parse).toList());
    }

    /** Returns these settings, changed so that only the query parameters {@code names} select a response. */
    public CacheConfig withAllowedQuery(String... names) {
        return Copy.of(this, "allowQuery", List.of(names));
    }

    /** Returns these settings with another list of query parameters that do not select a response. */
    public CacheConfig withIgnoredQuery(String... names) {
        return Copy.of(this, "ignoreQuery", List.of(names));
    }

    /** Returns these settings with other methods. */
    public CacheConfig withMethods(String... others) {
        return Copy.of(this, "methods", List.of(others));
    }

    /** Returns these settings, changed so that only responses with the statuses {@code only} are stored. */
    public CacheConfig withStatuses(Integer... only) {
        return Copy.of(this, "statuses", Set.of(only));
    }

    /** Returns these settings with the times for which stale responses are sent. */
    public CacheConfig withStale(@Nullable Duration whileRevalidate, @Nullable Duration ifError) {
        return Copy.of(Copy.of(this, "staleWhileRevalidate", whileRevalidate), "staleIfError", ifError);
    }

    /**
     * Returns these settings with a different limit on the time for which a request waits for the response to an
     * equivalent earlier request.
     */
    public CacheConfig withCoalesce(Duration other) {
        return Copy.of(this, "coalesce", other);
    }

    /** Returns these settings with a different treatment of responses to requests with credentials. */
    public CacheConfig withCredentials(Credentials other) {
        return Copy.of(this, "credentials", other);
    }

    /** Returns these settings, changed to store or not to store responses that set cookies. */
    public CacheConfig withSetCookie(boolean stored) {
        return Copy.of(this, "setCookie", stored);
    }

    /** Returns these settings with another response field that contains the tags; null = no tags. */
    public CacheConfig withTags(@Nullable String field) {
        return Copy.of(this, "tags", field);
    }

    /** Returns these settings, changed to obey or to ignore {@code Cache-Control} directives in requests. */
    public CacheConfig withClientDirectives(boolean count) {
        return Copy.of(this, "clientDirectives", count);
    }
}
