package dev.lychgate.exchange.filtering;

import dev.lychgate.config.EndpointAddress;
import dev.lychgate.filter.CallResponse;
import dev.lychgate.filter.FilterCall;
import dev.lychgate.generation.Generation;
import dev.lychgate.http.BodyFraming;
import dev.lychgate.http.FieldSyntax;
import dev.lychgate.http.Json;
import dev.lychgate.http.QueryParameters;
import dev.lychgate.http.RequestHead;
import dev.lychgate.upstream.Upstream;
import io.netty.handler.codec.http.DefaultHttpHeadersFactory;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpHeadersFactory;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.util.AsciiString;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Builds a call-out from the method calls of a filter. */
final class CallBuilder implements FilterCall {
    private static final AsciiString USER_AGENT = AsciiString.cached("lychgate");
    /** Creates headers without validation, because {@link FieldSyntax} validates them. */
    private static final HttpHeadersFactory FIELDS =
            DefaultHttpHeadersFactory.headersFactory().withValidation(false);
    /** Maximum number of upstream names in a message. */
    private static final int MOST_NAMES = 20;

    private static final String PLACEHOLDER = "{}";

    private static final byte[] NOTHING = {};

    private final Function<CallRequest, CompletableFuture<CallResponse>> sender;
    private final Upstream upstream;
    /** The headers that the filter has set; null if it has set none. */
    private @Nullable HttpHeaders headers;

    private @Nullable HttpMethod method;
    private String path = "/";
    /** The path of the URL; empty if the URL has no path. The path of the request is appended to this path. */
    private String base = "";

    private @Nullable String query;
    /** Encoded parameters, which are appended to the query of the path; empty if there are none. */
    private String parameters = "";

    private byte[] body = NOTHING;
    private Duration timeout = DEFAULT_TIMEOUT;
    private int maxBody = DEFAULT_MAX_BODY;

    private CallBuilder(Upstream upstream, Function<CallRequest, CompletableFuture<CallResponse>> sender) {
        this.sender = sender;
        this.upstream = upstream;
    }

    /**
     * Begins a call-out to an upstream or a URL.
     *
     * @param name the name of the upstream, or the URL
     * @throws IllegalArgumentException if the configuration does not contain the upstream with this name, or does not
     *     contain the origin of the URL
     */
    static CallBuilder to(
            String name, Generation generation, Function<CallRequest, CompletableFuture<CallResponse>> sender) {
        if (name.indexOf('/') >= 0) {
            return toUrl(name, generation, sender);
        }
        Upstream known = generation.upstream(name);
        if (known == null) {
            String names = generation.upstreams().stream()
                    .map(Upstream::name)
                    .limit(MOST_NAMES)
                    .collect(Collectors.joining(", "));
            throw new IllegalArgumentException("unknown upstream " + name + " (expected: " + names + ")");
        }
        return new CallBuilder(known, sender);
    }

    /**
     * Begins a call-out to a URL. The list {@code filters.call-outs} must contain an origin with the same scheme, host
     * and port.
     */
    private static CallBuilder toUrl(
            String url, Generation generation, Function<CallRequest, CompletableFuture<CallResponse>> sender) {
        int end = EndpointAddress.endOfOrigin(url);
        String origin = EndpointAddress.originOf(url);
        Upstream listed = generation.upstream(origin);
        if (listed == null) {
            throw new IllegalArgumentException("filters.call-outs does not list " + origin);
        }
        CallBuilder call = new CallBuilder(listed, sender);
        String rest = url.substring(end);
        if (rest.startsWith("?")) {
            throw new IllegalArgumentException("the URL has a query but no path (expected: a path before the query)");
        }
        if (!rest.isEmpty()) {
            call.get(rest);
            call.base = call.path.equals("/") ? "" : call.path;
            call.parameters = call.query == null ? "" : call.query;
            call.query = null;
        }
        return call;
    }

    @Override
    public FilterCall method(String name, String target, Object... segments) {
        HttpMethod sent = RequestTarget.method(name);
        String whole = filled(target, segments);
        int question = whole.indexOf('?');
        String own = question < 0 ? whole : whole.substring(0, question);
        String relative = own.isEmpty() ? "" : RequestTarget.path(own);
        path = base.isEmpty() && relative.isEmpty() ? "/" : RequestTarget.path(base + relative);
        query = question < 0 ? null : RequestTarget.query(whole.substring(question + 1));
        method = sent;
        return this;
    }

    private static String filled(String path, Object... segments) {
        if (segments.length == 0 && path.indexOf(PLACEHOLDER) < 0) {
            return path;
        }
        int question = segments.length == 0 ? path.indexOf('?') : -1;
        if (question >= 0) {
            // A query of a client may contain {}. Without segments, the query is therefore sent unchanged.
            return filled(path.substring(0, question)) + path.substring(question);
        }
        String[] parts = path.split("\\{}", -1);
        if (parts.length != segments.length + 1) {
            throw new IllegalArgumentException("the path has " + (parts.length - 1)
                    + " placeholders {}, but the number of segments is " + segments.length);
        }
        StringBuilder whole = new StringBuilder(parts[0]);
        for (int i = 0; i < segments.length; i++) {
            String segment = Objects.requireNonNull(segments[i], "a path segment is null")
                    .toString();
            boolean dots = segment.equals(".") || segment.equals("..");
            if (segment.isEmpty() || dots || segment.indexOf('/') >= 0 || segment.indexOf('\\') >= 0) {
                throw new IllegalArgumentException("a path segment is empty, consists of dots or contains a slash");
            }
            whole.append(QueryParameters.encoded(segment)).append(parts[i + 1]);
        }
        return whole.toString();
    }

    @Override
    public FilterCall query(String name, String value) {
        String pair = QueryParameters.encoded(name) + "=" + QueryParameters.encoded(value);
        parameters = parameters.isEmpty() ? pair : parameters + "&" + pair;
        return this;
    }

    @Override
    public FilterCall header(String name, String value) {
        HttpHeaders given = headers;
        if (given == null) {
            given = FIELDS.newHeaders();
            headers = given;
        }
        given.set(name, FieldSyntax.settable(name, value));
        return this;
    }

    @Override
    public FilterCall body(byte[] bytes, String type) {
        Objects.requireNonNull(bytes, "a body is null");
        header("content-type", type);
        body = bytes;
        return this;
    }

    @Override
    public FilterCall json(@Nullable Object value) {
        return body(Json.write(value).getBytes(StandardCharsets.UTF_8), "application/json");
    }

    @Override
    public FilterCall timeout(Duration length) {
        if (length.isZero() || length.isNegative()) {
            throw new IllegalArgumentException("the timeout of a call-out is " + length + " (expected: > 0)");
        }
        timeout = length;
        return this;
    }

    @Override
    public FilterCall maxBody(int bytes) {
        if (bytes < 0) {
            throw new IllegalArgumentException(
                    "the limit of the response body is " + bytes + " bytes (expected: 0 or more)");
        }
        maxBody = bytes;
        return this;
    }

    @Override
    public CompletableFuture<CallResponse> send() {
        HttpMethod sent = method;
        if (sent == null) {
            throw new IllegalStateException(
                    "the call-out has no method and no path; call get, post or method before send");
        }
        // A copy, because a filter may send the call-out again.
        HttpHeaders fields = headers == null ? FIELDS.newHeaders() : headers.copy();
        if (!fields.contains(HttpHeaderNames.USER_AGENT)) {
            fields.set(HttpHeaderNames.USER_AGENT, USER_AGENT);
        }
        RequestHead head = new RequestHead(sent, false, path, wholeQuery(), "", fields);
        boolean expectsBody =
                sent.equals(HttpMethod.POST) || sent.equals(HttpMethod.PUT) || sent.equals(HttpMethod.PATCH);
        if (expectsBody || body.length > 0) {
            head.frame(BodyFraming.LENGTH, body.length);
        }
        return sender.apply(new CallRequest(upstream, head, body, timeout.toNanos(), maxBody));
    }

    private @Nullable String wholeQuery() {
        if (parameters.isEmpty()) {
            return query;
        }
        return query == null || query.isEmpty() ? parameters : query + "&" + parameters;
    }
}
