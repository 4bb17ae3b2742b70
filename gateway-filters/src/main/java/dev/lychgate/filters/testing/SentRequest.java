package dev.lychgate.filters.testing;

import dev.lychgate.http.Cookies;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A request as the origin of a test has received it, parsed from the received bytes. */
public final class SentRequest {
    private final String method;
    private final String path;
    private final @Nullable String query;
    private final HttpHeaders headers;
    private final byte[] body;

    SentRequest(HttpRequest head, byte[] body) {
        int question = head.uri().indexOf('?');
        this.method = head.method().name();
        this.path = question < 0 ? head.uri() : head.uri().substring(0, question);
        this.query = question < 0 ? null : head.uri().substring(question + 1);
        this.headers = head.headers();
        this.body = body;
    }

    public String getMethod() {
        return method;
    }

    /** Returns the path without the query. */
    public String getPath() {
        return path;
    }

    /** Returns the query without the question mark; null if there is none. */
    public @Nullable String getQuery() {
        return query;
    }

    /** Returns the value of the field Host; null if there is none. */
    public @Nullable String getHost() {
        return headers.get(HttpHeaderNames.HOST);
    }

    public Fields getHeaders() {
        return new Fields(headers);
    }

    /** Returns the first value of a header field; null if there is no such field. */
    public @Nullable String header(String name) {
        return headers.get(name);
    }

    public Map<String, String> getCookies() {
        return Cookies.of(headers);
    }

    public byte[] getBody() {
        return body.clone();
    }

    /** Returns the body, decoded as UTF-8. */
    public String getText() {
        return new String(body, StandardCharsets.UTF_8);
    }

    @Override
    public String toString() {
        return method + " " + path + (query == null ? "" : "?" + query);
    }
}
