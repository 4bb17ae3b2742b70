package dev.lychgate.tls;

import io.netty.handler.ssl.NotSslRecordException;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.util.List;
import java.util.Locale;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** The reason for a failed TLS handshake, derived from the exceptions and messages of the TLS engines. */
public enum TlsFault {
    /** The peer sent HTTP without TLS. */
    PLAINTEXT,
    /** The peer sent bytes that are neither TLS nor HTTP. */
    GARBAGE,
    /** The handshake exceeded its timeout. */
    TIMEOUT,
    /** The peer closed or reset the connection. */
    CLOSED,
    /** A required certificate is missing. */
    NO_CERTIFICATE,
    /** The certificate has expired. */
    EXPIRED,
    /** The certificate is not valid yet. */
    NOT_YET_VALID,
    /** The certificate has no subjectAltName for the host. */
    WRONG_HOST,
    /** The certificate's authority is not trusted, or the certificate is malformed. */
    UNTRUSTED,
    /** Client and server have no TLS version or no cipher suite in common. */
    NOTHING_IN_COMMON,
    /** The peer sent an alert, in most cases because it rejects the gateway's certificate. */
    REFUSED,
    /** The handshake failed for another reason. */
    OTHER;

    private static final List<String> DISAGREEMENTS = List.of(
            "no shared cipher",
            "no cipher suites in common",
            "unsupported protocol",
            "not supported by server",
            "no appropriate protocol",
            "protocol version",
            "client requested protocol");

    private final String label = name().toLowerCase(Locale.ROOT).replace('_', '-');

    /** Returns the metric label, for example {@code no-certificate}. */
    public String label() {
        return label;
    }

    /** Classifies an exception from a handshake. */
    public static TlsFault of(Throwable failure) {
        boolean broken = false;
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof CertificateExpiredException) {
                return EXPIRED;
            }
            if (cause instanceof CertificateNotYetValidException) {
                return NOT_YET_VALID;
            }
            String text = String.valueOf(cause.getMessage());
            if (isOfHost(text)) {
                return WRONG_HOST;
            }
            broken |= cause instanceof CertificateException;
        }
        return broken ? UNTRUSTED : ofTexts(failure);
    }

    private static TlsFault ofTexts(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            TlsFault found = ofText(cause);
            if (found != null) {
                return found;
            }
        }
        return OTHER;
    }

    private static @Nullable TlsFault ofText(Throwable cause) {
        if (cause instanceof NotSslRecordException) {
            return GARBAGE;
        }
        if (cause instanceof ClosedChannelException) {
            return CLOSED;
        }
        String text =
                String.valueOf(cause.getMessage()).toLowerCase(Locale.ROOT).replace('_', ' ');
        if (text.contains("did not return a certificate") || text.contains("empty client certificate chain")) {
            return NO_CERTIFICATE;
        }
        if (DISAGREEMENTS.stream().anyMatch(text::contains)) {
            return NOTHING_IN_COMMON;
        }
        if (text.contains("alert")) {
            return REFUSED;
        }
        return cause instanceof IOException && !(cause instanceof SSLException) ? CLOSED : null;
    }

    private static boolean isOfHost(String text) {
        return text.startsWith("No subject alternative")
                || text.startsWith("No name matching")
                || text.contains("HOSTNAME_MISMATCH")
                || text.contains("Hostname mismatch");
    }
}
