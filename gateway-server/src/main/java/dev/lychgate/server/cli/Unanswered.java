package dev.lychgate.server.cli;

import dev.lychgate.config.Durations;
import dev.lychgate.server.terminal.Printable;
import java.net.ConnectException;
import java.net.http.HttpTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertificateException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import javax.net.ssl.SSLException;

/**
 * Explains to users why no admin listener responded. The explanation replaces the JDK's messages, which are written for
 * developers.
 */
final class Unanswered {
    /** The TLS alerts with which a listener refuses the client certificate. */
    private static final Set<String> ABOUT_OURS = Set.of(
            "bad_certificate",
            "unsupported_certificate",
            "certificate_revoked",
            "certificate_expired",
            "certificate_unknown",
            "unknown_ca",
            "certificate_required");

    private Unanswered() {}

    /**
     * Returns the reason as printable text, because some failures quote bytes of a server that may not be a gateway.
     */
    static String why(String url, Throwable failure, Duration patience) {
        return Printable.escaped(words(url, failure, patience));
    }

    private static String words(String url, Throwable failure, Duration patience) {
        List<Throwable> causes = causes(failure);
        if (has(causes, UnresolvedAddressException.class)) {
            return "the host name is unknown";
        }
        if (has(causes, HttpTimeoutException.class)) {
            return "no complete response arrived within " + Durations.print(patience);
        }
        if (has(causes, ConnectException.class)) {
            return "can't connect";
        }
        if (has(causes, CertPathBuilderException.class) || has(causes, CertPathValidatorException.class)) {
            return "the certificate of the server is not trusted; set the file of its authority with --ca";
        }
        if (has(causes, SSLException.class)) {
            return tls(causes);
        }
        // A TLS listener closes a connection on which it receives plain HTTP.
        String text = String.valueOf(failure.getMessage());
        boolean dumb = text.contains("received no bytes") || text.contains("Connection reset");
        return dumb && url.startsWith("http://")
                ? "the server closed the connection; if the server uses TLS, use --admin https://HOST:PORT"
                : failure.toString();
    }

    private static String tls(List<Throwable> causes) {
        for (Throwable cause : causes) {
            String text = String.valueOf(cause.getMessage());
            if (cause instanceof CertificateException) {
                return "the certificate of the server is for another host: " + text;
            }
            if (text.contains("nrecognized SSL message")) {
                return "the server does not use TLS; use --admin HOST:PORT";
            }
            if (text.contains("fatal alert") && ABOUT_OURS.stream().anyMatch(text::contains)) {
                return "the server does not accept the client certificate: " + text;
            }
        }
        return causes.get(0).toString();
    }

    private static boolean has(List<Throwable> causes, Class<? extends Throwable> kind) {
        return causes.stream().anyMatch(kind::isInstance);
    }

    private static List<Throwable> causes(Throwable failure) {
        List<Throwable> causes = new ArrayList<>();
        for (Throwable one = failure; one != null && causes.size() < 16; one = one.getCause()) {
            causes.add(one);
        }
        return causes;
    }
}
