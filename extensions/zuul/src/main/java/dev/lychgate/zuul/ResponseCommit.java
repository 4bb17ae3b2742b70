package dev.lychgate.zuul;

import com.netflix.util.Pair;
import com.netflix.zuul.context.RequestContext;
import dev.lychgate.config.ByteSize;
import dev.lychgate.filter.FilterExchange;
import dev.lychgate.filter.FilterOutcome;
import dev.lychgate.filter.FilterResponse;
import dev.lychgate.zuul.servlet.ResponseView;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Transfers the response of the context to the response of the exchange. */
final class ResponseCommit {
    /** Fields that the gateway itself writes. */
    static final Set<String> FRAMING = Set.of(
            "connection",
            "content-length",
            "expect",
            "host",
            "keep-alive",
            "proxy-connection",
            "te",
            "trailer",
            "transfer-encoding",
            "upgrade");

    private static final String CONTENT_TYPE = "content-type";
    private static final int GZIP = 0x8b1f;

    private final RequestContext context;
    private final ResponseView servlet;
    private final ByteSize limit;
    private final Map<String, List<String>> received = new LinkedHashMap<>();
    private @Nullable FilterExchange current;
    private @Nullable OriginBody originBody;
    /** The bytes of the stream that filters have set in place of the body of the origin. */
    private byte @Nullable [] replaced;

    private boolean known;
    private boolean committed;

    ResponseCommit(RequestContext context, ResponseView servlet, ByteSize limit) {
        this.context = context;
        this.servlet = servlet;
        this.limit = limit;
    }

    /** Discards the response, because the exchange has failed and another response follows. */
    void begin() {
        known = false;
        committed = false;
        replaced = null;
        context.getZuulResponseHeaders()
                .removeIf(field -> received.getOrDefault(field.first().toLowerCase(Locale.ROOT), List.of())
                        .contains(field.second()));
        received.clear();
    }

    /**
     * Copies the first response to the context. Later calls copy nothing.
     *
     * @param local whether the context already contains the response
     */
    void onResponse(FilterExchange exchange, boolean local) {
        current = exchange;
        if (known) {
            return;
        }
        known = true;
        if (local) {
            return;
        }
        FilterResponse response = exchange.getResponse();
        context.setResponseStatusCode(response.getStatus());
        response.getHeaders().forEach((name, value) -> {
            context.addOriginResponseHeader(name, value);
            String key = name.toLowerCase(Locale.ROOT);
            if (!FRAMING.contains(key)) {
                context.addZuulResponseHeader(name, value);
                received.computeIfAbsent(key, absent -> new ArrayList<>()).add(value);
            }
        });
        long length = response.getContentLength();
        context.setOriginContentLength(length < 0 ? null : Long.valueOf(length));
        context.setResponseGZipped(isGzip(response.getHeaders().get("content-encoding")));
        OriginBody body = new OriginBody(this::body);
        originBody = body;
        context.setResponseDataStream(body);
    }

    private static boolean isGzip(@Nullable String coding) {
        return coding != null && coding.toLowerCase(Locale.ROOT).contains("gzip");
    }

    private byte[] body() {
        FilterExchange exchange = current;
        if (exchange == null) {
            throw new IllegalStateException("the response body is used while no filter of its exchange runs");
        }
        try {
            return exchange.getResponse().getBody();
        } catch (IllegalStateException e) {
            throw new IllegalStateException(
                    "the response body is not kept for this filter; add the filter to extensions.zuul.buffer", e);
        }
    }

    /** Returns whether filters have set a body. */
    boolean hasBody() {
        return context.getResponseBody() != null || isStreamReplaced() || servlet.length() > 0;
    }

    private boolean isStreamReplaced() {
        InputStream stream = context.getResponseDataStream();
        return replaced != null || (stream != null && stream != originBody);
    }

    /** Reads the stream that filters have set, on the thread of a filter, because the stream may block. */
    void readStream() throws IOException {
        InputStream stream = context.getResponseDataStream();
        if (stream == null || stream == originBody || context.getResponseBody() != null) {
            return;
        }
        byte[] bytes = stream.readNBytes(Math.toIntExact(limit.bytes()) + 1);
        if (bytes.length > limit.bytes()) {
            throw new IOException("the body that a filter has set is longer than extensions.zuul.body-limit");
        }
        replaced = bytes;
        context.setResponseDataStream(new ByteArrayInputStream(bytes));
    }

    boolean isCommitted() {
        return committed;
    }

    /** Returns the state of the response in the context, to detect later changes. */
    List<Object> state() {
        List<Object> all = new ArrayList<>(context.getZuulResponseHeaders());
        all.addAll(servlet.headers());
        all.add(servlet.getStatus());
        all.addAll(bodyState());
        return all;
    }

    /** Returns the state of the body in the context, to detect changes. */
    List<Object> bodyState() {
        InputStream stream = context.getResponseDataStream();
        return List.of(
                String.valueOf(context.getResponseBody()),
                servlet.length(),
                stream == null ? 0 : System.identityHashCode(stream));
    }

    /**
     * Applies the response in the context to the response of the exchange. Calls after the first call have no effect.
     */
    void apply(FilterExchange exchange) {
        if (committed) {
            return;
        }
        committed = true;
        current = null;
        FilterResponse response = exchange.getResponse();
        byte[] body = newBody();
        if (body != null) {
            response.setBody(body);
        }
        if (response.getStatus() != servlet.getStatus()) {
            response.setStatus(servlet.getStatus());
        }
        applyHeaders(response);
        String type = response.getHeaders().get(CONTENT_TYPE);
        if (type != null && context.getResponseBody() != null) {
            response.getHeaders().set(CONTENT_TYPE, withCharset(type));
        }
        if (replaced != null && body == replaced && context.getResponseGZipped() && isGzip(body)) {
            response.getHeaders().set("content-encoding", "gzip");
        }
    }

    private static boolean isGzip(byte[] body) {
        return body.length > 1 && ((body[0] & 0xff) | (body[1] & 0xff) << 8) == GZIP;
    }

    /** Returns the body that filters have set; null if there is none. */
    private byte @Nullable [] newBody() {
        byte[] written = servlet.written();
        String text = context.getResponseBody();
        if (text == null) {
            return written.length > 0 ? written : replaced;
        }
        byte[] bytes = text.getBytes(servlet.charset());
        if (written.length == 0) {
            return bytes;
        }
        byte[] both = Arrays.copyOf(written, written.length + bytes.length);
        System.arraycopy(bytes, 0, both, written.length, bytes.length);
        return both;
    }

    /** Returns the response in the context as an outcome, for failures after which no outbound filter runs. */
    FilterOutcome.Respond respond() {
        FilterOutcome.Respond response = FilterOutcome.respond(servlet.getStatus());
        byte[] body = newBody();
        if (body != null) {
            response.body(body, withCharset("text/plain"));
            received.put(CONTENT_TYPE, List.of(withCharset("text/plain")));
        }
        fields().forEach((name, fields) -> fields.forEach(field -> response.header(field.first(), field.second())));
        return response;
    }

    /** Adds the charset of the body to a media type. The filter of Zuul that sends the response does the same. */
    private String withCharset(String type) {
        return type.toLowerCase(Locale.ROOT).contains("charset=")
                ? type
                : type + ";charset=" + servlet.charset().name();
    }

    /** Changes only the fields that filters have changed. */
    private void applyHeaders(FilterResponse response) {
        Map<String, List<Pair<String, String>>> wanted = fields();
        for (String name : received.keySet()) {
            if (!wanted.containsKey(name)) {
                response.getHeaders().remove(name);
            }
        }
        wanted.forEach((name, fields) -> {
            List<String> values = fields.stream().map(Pair::second).toList();
            if (!values.equals(received.get(name))) {
                response.getHeaders().remove(name);
                fields.forEach(field -> response.getHeaders().add(field.first(), field.second()));
            }
        });
    }

    /** Returns the fields that the response gets, by their names in lower case. */
    private Map<String, List<Pair<String, String>>> fields() {
        Map<String, List<Pair<String, String>>> fields = new LinkedHashMap<>();
        List<Pair<String, String>> all = new ArrayList<>(servlet.headers());
        all.addAll(context.getZuulResponseHeaders());
        for (Pair<String, String> field : all) {
            String name = field.first().toLowerCase(Locale.ROOT);
            if (!FRAMING.contains(name)) {
                fields.computeIfAbsent(name, key -> new ArrayList<>()).add(field);
            }
        }
        return fields;
    }
}
