package dev.lychgate.server.push;

import java.net.ConnectException;
import java.net.http.HttpTimeoutException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLException;

/**
 * Describes failures of the HTTP client of the JDK with fixed texts, because the messages of the client may quote the
 * response.
 */
public final class ClientFailure {
    private ClientFailure() {}

    /** Returns the cause of the exception with which a future of the client has failed. */
    public static Throwable cause(Throwable reported) {
        return reported instanceof CompletionException && reported.getCause() != null ? reported.getCause() : reported;
    }

    public static String reason(Throwable cause) {
        if (cause instanceof TimeoutException || cause instanceof HttpTimeoutException) {
            return "no response in time";
        }
        if (cause instanceof ConnectException) {
            return "can't connect";
        }
        return cause instanceof SSLException ? "TLS: " + cause.getMessage() : "the connection failed";
    }
}
