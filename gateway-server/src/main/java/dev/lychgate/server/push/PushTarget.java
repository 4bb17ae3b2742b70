package dev.lychgate.server.push;

import java.net.URI;
import java.time.Duration;
import java.util.Map;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * Where something is sent to, and how long anybody tries. The settings that it is made of have been checked.
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

    public PushTarget {
        headers = Map.copyOf(headers);
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
