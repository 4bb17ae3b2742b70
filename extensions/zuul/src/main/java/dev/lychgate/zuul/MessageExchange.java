package dev.lychgate.zuul;

import com.netflix.zuul.context.SessionContext;
import com.netflix.zuul.message.BoundMessage;
import com.netflix.zuul.message.Header;
import com.netflix.zuul.message.HeaderName;
import com.netflix.zuul.message.Headers;
import com.netflix.zuul.message.ZuulMessage;
import com.netflix.zuul.message.http.HttpQueryParams;
import com.netflix.zuul.message.http.HttpRequestMessageImpl;
import com.netflix.zuul.message.http.HttpResponseMessage;
import com.netflix.zuul.message.http.HttpResponseMessageImpl;
import dev.lychgate.config.IpLiteral;
import dev.lychgate.filter.AttributeKey;
import dev.lychgate.filter.FilterExchange;
import dev.lychgate.filter.FilterMessage;
import dev.lychgate.filter.FilterOutcome;
import dev.lychgate.filter.FilterRequest;
import dev.lychgate.filter.FilterResponse;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The context and the messages of an exchange for filters of Zuul 2. Before a filter runs, its message gets the state
 * of the exchange; afterwards, the exchange gets the changes of the message. Used by one filter at a time.
 */
final class MessageExchange {
    private static final AttributeKey<MessageExchange> KEY = AttributeKey.of("zuul-messages", MessageExchange.class);
    private static final String HOST = "host";
    private static final String NO_BODY =
            "the body is not kept for this filter; add the filter to extensions.zuul.buffer";
    private static final String TEXT = "text/plain; charset=utf-8";

    private final SessionContext context = new SessionContext();
    private @Nullable HttpRequestMessageImpl request;
    private @Nullable HttpResponseMessageImpl response;
    private @Nullable RequestState knownRequest;
    private @Nullable ResponseState knownResponse;
    private boolean needsBody;

    /** The part of a request that filters can change. */
    private record RequestState(
            String method, String path, @Nullable String query, List<Header> headers) {}

    /** The part of a response that filters can change. */
    private record ResponseState(int status, List<Header> headers) {}

    /** Returns the messages of an exchange; null if no filter of Zuul 2 has run. */
    static @Nullable MessageExchange known(FilterExchange exchange) {
        return exchange.get(KEY);
    }

    /** Returns the messages of an exchange. The first filter creates them. */
    static MessageExchange of(FilterExchange exchange) {
        MessageExchange known = known(exchange);
        if (known == null) {
            known = new MessageExchange();
            known.context.setUUID(exchange.getRequestId());
            exchange.set(KEY, known);
        }
        return known;
    }

    SessionContext context() {
        return context;
    }

    /** Records whether the next filter needs the whole body. */
    void needsBody(boolean needs) {
        needsBody = needs;
    }

    boolean needsBody() {
        return needsBody;
    }

    // ---- request

    /** Returns the request with the state of the exchange. */
    HttpRequestMessageImpl request(FilterExchange exchange) {
        FilterRequest from = exchange.getRequest();
        RequestState now = state(from);
        HttpRequestMessageImpl message = request;
        if (message == null) {
            message = new HttpRequestMessageImpl(
                    context,
                    from.getProtocol(),
                    now.method,
                    now.path,
                    HttpQueryParams.parse(now.query),
                    headers(now.headers),
                    IpLiteral.text(exchange.getClientAddress()),
                    from.getScheme(),
                    from.getPort(),
                    from.getHost());
            request = message;
            receive(message, from.getContentLength() != 0, from);
            message.storeInboundRequest();
        } else if (!now.equals(knownRequest)) {
            message.setMethod(now.method);
            message.setPath(now.path);
            message.setQueryParams(HttpQueryParams.parse(now.query));
            message.setHeaders(headers(now.headers));
        }
        receive(message, from.getContentLength() != 0, from);
        knownRequest = now;
        return message;
    }

    private static RequestState state(FilterRequest from) {
        List<Header> headers = new ArrayList<>();
        if (!from.getHost().isEmpty()) {
            headers.add(new Header(new HeaderName("Host"), from.getHost()));
        }
        headers.addAll(list(from));
        if (from.getContentLength() > 0) {
            headers.add(new Header(new HeaderName("Content-Length"), Long.toString(from.getContentLength())));
        }
        return new RequestState(from.getMethod(), from.getPath(), from.getQuery(), headers);
    }

    /** Applies the changes of the request to the exchange. */
    void applyRequest(FilterExchange exchange) {
        HttpRequestMessageImpl message = request;
        RequestState before = knownRequest;
        if (message == null || before == null) {
            return;
        }
        FilterRequest to = exchange.getRequest();
        if (!message.getMethod().equals(before.method)) {
            to.setMethod(message.getMethod());
        }
        if (!message.getPath().equals(before.path)) {
            to.setPath(message.getPath());
        }
        HttpQueryParams query = message.getQueryParams();
        if (!query.equals(HttpQueryParams.parse(before.query))) {
            String encoded = query.toEncodedString();
            to.setQuery(encoded.isEmpty() ? null : encoded);
        }
        String host = message.getHeaders().getFirst(HOST);
        if (host != null && !host.equals(to.getHost())) {
            to.setHost(host);
        }
        applyHeaders(before.headers, message.getHeaders(), to);
        byte[] body = BoundMessage.takeBody(message);
        if (body != null) {
            to.setBody(body);
        }
        knownRequest = state(to);
    }

    // ---- response

    /** Returns the response with the state of the exchange. */
    HttpResponseMessageImpl response(FilterExchange exchange) {
        FilterResponse from = exchange.getResponse();
        ResponseState now = new ResponseState(from.getStatus(), list(from));
        HttpResponseMessageImpl message = response;
        if (message == null) {
            HttpRequestMessageImpl of = request == null ? request(exchange) : request;
            message = new HttpResponseMessageImpl(context, headers(now.headers), of, now.status);
            response = message;
            receive(message, from.getContentLength() != 0, from);
            message.storeInboundResponse();
        } else if (!now.equals(knownResponse)) {
            message.setStatus(now.status);
            message.setHeaders(headers(now.headers));
        }
        receive(message, from.getContentLength() != 0, from);
        knownResponse = now;
        return message;
    }

    /** Applies the changes of the response to the exchange. */
    void applyResponse(FilterExchange exchange) {
        HttpResponseMessageImpl message = response;
        ResponseState before = knownResponse;
        if (message == null || before == null) {
            return;
        }
        FilterResponse to = exchange.getResponse();
        byte[] body = BoundMessage.takeBody(message);
        if (body != null) {
            to.setBody(body);
        }
        if (message.getStatus() != before.status) {
            to.setStatus(message.getStatus());
        }
        applyHeaders(before.headers, message.getHeaders(), to);
        knownResponse = new ResponseState(to.getStatus(), list(to));
    }

    /** Replaces the message of the exchange by the message that a filter has returned. */
    void take(@Nullable ZuulMessage result) {
        if (result instanceof HttpRequestMessageImpl other) {
            request = other;
        } else if (result instanceof HttpResponseMessageImpl other) {
            response = other;
        }
    }

    /** Converts a response that filters have created to an outcome. */
    static FilterOutcome outcome(HttpResponseMessage created) {
        FilterOutcome.Respond outcome = FilterOutcome.respond(created.getStatus());
        byte[] body = created.getBody();
        if (body != null && body.length > 0) {
            outcome.body(body, created.getHeaders().getFirst("content-type", TEXT));
        }
        created.getHeaders().entries().stream()
                .filter(header ->
                        !ResponseCommit.FRAMING.contains(header.getName().getNormalised()))
                .forEach(header -> outcome.header(header.getKey(), header.getValue()));
        return outcome;
    }

    // ---- both

    private static void receive(com.netflix.zuul.message.ZuulMessageImpl message, boolean hasBody, FilterMessage from) {
        BoundMessage.receive(message, hasBody, () -> {
            try {
                return from.getBody();
            } catch (IllegalStateException e) {
                throw new IllegalStateException(NO_BODY, e);
            }
        });
    }

    private static List<Header> list(FilterMessage from) {
        List<Header> headers = new ArrayList<>();
        from.getHeaders().forEach((name, value) -> headers.add(new Header(new HeaderName(name), value)));
        return headers;
    }

    private static Headers headers(List<Header> from) {
        Headers headers = new Headers();
        from.forEach(header -> headers.add(header.getName(), header.getValue()));
        return headers;
    }

    /** Changes only the headers that filters have changed. */
    private static void applyHeaders(List<Header> before, Headers wanted, FilterMessage to) {
        Map<String, List<Header>> old = byName(before);
        Map<String, List<Header>> now = byName(wanted.entries());
        old.keySet().stream().filter(name -> !now.containsKey(name)).forEach(to.getHeaders()::remove);
        now.forEach((name, headers) -> {
            if (!headers.equals(old.get(name))) {
                to.getHeaders().remove(name);
                headers.forEach(header -> to.getHeaders().add(header.getKey(), header.getValue()));
            }
        });
    }

    private static Map<String, List<Header>> byName(Iterable<Header> headers) {
        Map<String, List<Header>> all = new LinkedHashMap<>();
        for (Header header : headers) {
            String name = header.getKey().toLowerCase(Locale.ROOT);
            if (!ResponseCommit.FRAMING.contains(name)) {
                all.computeIfAbsent(name, absent -> new ArrayList<>()).add(header);
            }
        }
        return all;
    }
}
