package dev.lychgate.authorization;

import dev.lychgate.config.ByteSize;
import dev.lychgate.config.ConfigException;
import dev.lychgate.config.Form;
import dev.lychgate.config.Key;
import dev.lychgate.config.Keys;
import dev.lychgate.extension.ContributedFilter;
import dev.lychgate.filter.BodyNeed;
import dev.lychgate.http.FieldSyntax;
import dev.lychgate.http.ForwardingFields;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The settings of {@code ext-authz}.
 *
 * @param requestHeaders the request fields that the service receives, in lower case; {@code *} for all
 * @param upstreamHeaders the request fields that the service may set, in lower case
 * @param clientHeaders the fields of a denial that the client receives, in lower case
 */
record ExtAuthzSettings(
        String upstream,
        Protocol protocol,
        String path,
        List<String> requestHeaders,
        List<String> upstreamHeaders,
        List<String> clientHeaders,
        Map<String, String> context,
        ByteSize withRequestBody,
        LongBody longBody,
        ByteSize bodyBuffer,
        Duration timeout,
        OnFailure onFailure,
        int failureStatus,
        List<CacheField> cacheBy,
        Duration cacheTime,
        int cacheEntries,
        Mode mode,
        int order) {
    /** The form of check requests. */
    enum Protocol {
        HTTP,
        GRPC
    }

    /** The effect of a body that is longer than {@code with-request-body}. */
    enum LongBody {
        REFUSE,
        TRUNCATE
    }

    /** The effect of a check without a verdict. */
    enum OnFailure {
        CLOSED,
        OPEN
    }

    /** The only item of {@code request-headers} if the service receives all request fields. */
    static final String ALL = "*";

    private static final Key<String> UPSTREAM = Key.typed("upstream", Form.UPSTREAM, "authz")
            .required("the name of an upstream")
            .about("the upstream of the service");
    private static final Key<Protocol> PROTOCOL = Key.choice("protocol", Protocol.HTTP)
            .about("`http` = the service decides by the status of its response; `grpc` = the service has"
                    + " `envoy.service.auth.v3.Authorization`, and the upstream uses HTTP/2");
    private static final Key<String> PATH = Key.typed("path", Form.TEXT, "")
            .matching("(/[!-~&&[^?#{}]]*[!-~&&[^?#{}/]])?", "a path that begins with / and does not end with /")
            .absent("none")
            .about("with `protocol: http`, the prefix of the path in requests to the service");
    private static final Key<List<String>> REQUEST_HEADERS = Key.typed(
                    "request-headers", Form.oneOrList(Form.FIELD_NAME), List.of("authorization", "cookie"))
            .about("the request fields that the service receives; `*` = all, except fields of the connection");
    private static final Key<List<String>> UPSTREAM_HEADERS = Key.typed(
                    "upstream-headers", Form.oneOrList(Form.FIELD_NAME), List.<String>of())
            .about("the request fields that the service may set for the origin; fields with these names from the client"
                    + " are removed first");
    private static final Key<List<String>> CLIENT_HEADERS = Key.typed(
                    "client-headers",
                    Form.oneOrList(Form.FIELD_NAME),
                    List.of("www-authenticate", "location", "set-cookie", "cache-control"))
            .about("the response fields of the service that the client receives with a denial, in addition to"
                    + " `content-type`");
    private static final Key<Map<String, String>> CONTEXT = Key.texts("context", "name")
            .about("with `protocol: grpc`, the `context_extensions` of the requests to the service");
    private static final Key<ByteSize> WITH_REQUEST_BODY = Key.size("with-request-body", "0")
            .atMost("1MiB")
            .about("the maximum length of a request body that the service receives; 0 = no body");
    private static final Key<LongBody> LONG_BODY = Key.choice("long-body", LongBody.REFUSE)
            .about("the effect of a body that is longer than `with-request-body`: `refuse` = the request is rejected"
                    + " with 413; `truncate` = the service receives the beginning of the body");
    private static final Key<ByteSize> BODY_BUFFER = Key.size("body-buffer", "1MiB")
            .between("1KiB", "64MiB")
            .about("with `long-body: truncate`, the maximum length of a request body, which is kept in memory during"
                    + " the check");
    private static final Key<Duration> TIMEOUT =
            Key.duration("timeout", "500ms").between("100ms", "1m").about("the timeout of a check");
    private static final Key<OnFailure> ON_FAILURE = Key.choice("on-failure", OnFailure.CLOSED)
            .about("the effect of a check without a verdict: `closed` = the request is rejected with `failure-status`;"
                    + " `open` = the request continues");
    private static final Key<Integer> FAILURE_STATUS = Key.number("failure-status", 503)
            .between(400, 599)
            .about("the status of the response to requests that are rejected without a verdict");
    private static final Key<List<CacheField>> CACHE_BY = Key.typed(
                    "cache-by", Form.oneOrList(CacheField.FORM), List.<CacheField>of())
            .about("the parts of a request that form the cache key of a verdict: `method`, `host`, `path`, `query`,"
                    + " `scheme`, `client`, `route`, `subject`, `header:NAME` and `cookie:NAME`; empty = no cache");
    private static final Key<Duration> CACHE_TIME = Key.duration("cache-time", "10s")
            .between("100ms", "1h")
            .about("the time for which a cached verdict is used");
    private static final Key<Integer> CACHE_ENTRIES = Key.number("cache-entries", 10_000)
            .between(2, 1_000_000)
            .about("the maximum number of cached verdicts, rounded up to an even number");
    private static final Key<Mode> MODE = Key.choice("mode", Mode.ENFORCE)
            .about("`enforce` = denied requests are rejected; `shadow` = denials are logged and counted, and every"
                    + " request continues unchanged");

    static final Keys<ExtAuthzSettings> KEYS = Keys.reading(
            values -> new ExtAuthzSettings(
                    values.get(UPSTREAM),
                    values.get(PROTOCOL),
                    values.get(PATH),
                    values.get(REQUEST_HEADERS),
                    values.get(UPSTREAM_HEADERS),
                    values.get(CLIENT_HEADERS),
                    values.get(CONTEXT),
                    values.get(WITH_REQUEST_BODY),
                    values.get(LONG_BODY),
                    values.get(BODY_BUFFER),
                    values.get(TIMEOUT),
                    values.get(ON_FAILURE),
                    values.get(FAILURE_STATUS),
                    values.get(CACHE_BY),
                    values.get(CACHE_TIME),
                    values.get(CACHE_ENTRIES),
                    values.get(MODE),
                    values.get(ContributedFilter.ORDER)),
            UPSTREAM,
            PROTOCOL,
            PATH,
            REQUEST_HEADERS,
            UPSTREAM_HEADERS,
            CLIENT_HEADERS,
            CONTEXT,
            WITH_REQUEST_BODY,
            LONG_BODY,
            BODY_BUFFER,
            TIMEOUT,
            ON_FAILURE,
            FAILURE_STATUS,
            CACHE_BY,
            CACHE_TIME,
            CACHE_ENTRIES,
            MODE,
            ContributedFilter.ORDER);

    /**
     * Checks the settings.
     *
     * @throws ConfigException if a field may not be sent or set, or if settings contradict each other
     */
    ExtAuthzSettings {
        requestHeaders = lowerCase(requestHeaders);
        upstreamHeaders = lowerCase(upstreamHeaders);
        clientHeaders = lowerCase(clientHeaders);
        require(requestHeaders, "request-headers", false);
        require(upstreamHeaders, "upstream-headers", true);
        require(clientHeaders, "client-headers", false);
        if (requestHeaders.contains(ALL) && requestHeaders.size() > 1) {
            throw new ConfigException("request-headers", requestHeaders, "* alone, or names");
        }
        if (protocol == Protocol.GRPC && !path.isEmpty()) {
            throw new ConfigException("path", path, "no path with protocol: grpc");
        }
        if (protocol == Protocol.HTTP && !context.isEmpty()) {
            throw new ConfigException("context", context, "no context without protocol: grpc");
        }
        if (!cacheBy.isEmpty() && withRequestBody.bytes() > 0) {
            throw new ConfigException(
                    "cache-by",
                    cacheBy,
                    "no cache-by together with with-request-body, because a cached verdict does not depend on the"
                            + " body");
        }
        if (longBody == LongBody.TRUNCATE && bodyBuffer.bytes() < withRequestBody.bytes()) {
            throw new ConfigException("body-buffer", bodyBuffer, "at least the value of with-request-body");
        }
    }

    private static List<String> lowerCase(List<String> names) {
        return names.stream().map(name -> name.toLowerCase(Locale.ROOT)).toList();
    }

    /**
     * Refuses names of fields that the gateway itself writes.
     *
     * @param forwarded whether the fields are part of the forwarded request
     */
    private static void require(List<String> names, String key, boolean forwarded) {
        for (String name : names) {
            boolean told = forwarded && (ForwardingFields.contains(name) || ForwardingFields.isProxy(name));
            if (!FieldSyntax.isSettable(name) || told) {
                throw new ConfigException(key, name, "a field that the gateway does not write itself");
            }
            if (forwarded && name.equals(ALL)) {
                throw new ConfigException(key, name, "names of fields");
            }
        }
    }

    /** Returns the body that a check needs. */
    BodyNeed body() {
        if (withRequestBody.bytes() == 0) {
            return BodyNeed.NONE;
        }
        return BodyNeed.whole((longBody == LongBody.TRUNCATE ? bodyBuffer : withRequestBody).asInt());
    }
}
