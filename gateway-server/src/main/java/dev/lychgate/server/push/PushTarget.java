package dev.lychgate.server.push;

import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * The destination of a push and its time limits, from validated settings.
 *
 * @param url absolute, http or https, without user and fragment; credentials must be in a header
 * @param headers returns the headers of a request; called for each request, so that a changed secret takes effect. The
 *     values are never shown
 * @param timeout timeout of one attempt, from the connect to the end of the response
 * @param queueBytes limit of queued bytes before compression, including the body that is being sent
 * @param patience the time after which the push drops a body that it could not send
 * @param tls the trusted certificates and the client certificate; null for the certificates that the JVM trusts
 */
public record PushTarget(
        URI url,
        Supplier<Map<String, String>> headers,
        String contentType,
        Duration timeout,
        long queueBytes,
        Duration patience,
        boolean gzip,
        @Nullable SSLContext tls) {

    /** The default time after which a push drops a body that it could not send. */
    public static final Duration USUAL_PATIENCE = Duration.ofMinutes(2);

    /**
     * Returns the scheme, the host and the port. Only this part of the URL is safe to log, because paths and queries
     * may contain tokens.
     */
    public String origin() {
        String port = url.getPort() < 0 ? "" : ":" + url.getPort();
        return url.getScheme() + "://" + url.getHost() + port;
    }

    /** Returns a text without the headers and the path. */
    @Override
    public String toString() {
        return "PushTarget[" + origin() + "]";
    }
}
