package dev.lychgate.server.push;

import java.net.URI;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.util.Map;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * Where something is sent to, and how long anybody tries.
 *
 * @param url absolute, http or https, without user and fragment; credentials belong into a header
 * @param headers sent with every request; may hold secrets, so they are never shown
 * @param contentType of the bodies
 * @param timeout how long one try may take, from the connect to the end of the answer
 * @param queueBytes how many bytes of bodies may wait, the one under way included, before they are compressed
 * @param patience how long one body is tried again before it is dropped
 * @param gzip whether bodies are sent compressed
 * @param tls what certificates to trust and to show; null for the JVM's
 */
public record PushTarget(
        URI url,
        Map<String, String> headers,
        String contentType,
        Duration timeout,
        long queueBytes,
        Duration patience,
        boolean gzip,
        @Nullable SSLContext tls) {

    /** How long one body is usually tried. */
    public static final Duration USUAL_PATIENCE = Duration.ofMinutes(2);

    /** @throws IllegalArgumentException if no request could be made of it; the message holds no value of a header */
    public PushTarget {
        headers = Map.copyOf(headers);
        String scheme = String.valueOf(url.getScheme());
        if (!(scheme.equalsIgnoreCase("http") || scheme.equalsIgnoreCase("https")) || url.getHost() == null) {
            throw new IllegalArgumentException("url: expected http://HOST[:PORT]/PATH or https://");
        }
        if (url.getRawUserInfo() != null || url.getRawFragment() != null) {
            throw new IllegalArgumentException("url: expected no user and no fragment; credentials go into a header");
        }
        positive("timeout", timeout);
        positive("patience", patience);
        if (queueBytes <= 0) {
            throw new IllegalArgumentException("queueBytes: " + queueBytes + " (expected: > 0)");
        }
        headers.forEach(PushTarget::check);
        check("content-type", contentType);
    }

    private static void positive(String key, Duration length) {
        if (length.isNegative() || length.isZero()) {
            throw new IllegalArgumentException(key + ": " + length + " (expected: > 0)");
        }
    }

    /** The client would say the same, but it quotes the value. */
    private static void check(String name, String value) {
        try {
            HttpRequest.newBuilder().header(name, value);
        } catch (IllegalArgumentException quotesTheValue) {
            throw new IllegalArgumentException("headers." + name + ": a header of this name or value can't be sent");
        }
    }

    /** Scheme, host and port: all of the URL that is fit for a log, since paths and queries may hold tokens too. */
    public String origin() {
        String port = url.getPort() < 0 ? "" : ":" + url.getPort();
        return url.getScheme() + "://" + url.getHost() + port;
    }

    /** Without the headers and the path. */
    @Override
    public String toString() {
        return "PushTarget[" + origin() + "]";
    }
}
