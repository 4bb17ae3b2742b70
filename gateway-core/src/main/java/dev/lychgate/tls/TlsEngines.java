package dev.lychgate.tls;

import dev.lychgate.config.ConfigException;
import dev.lychgate.config.TlsProvider;
import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ApplicationProtocolConfig.Protocol;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectedListenerFailureBehavior;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectorFailureBehavior;
import io.netty.handler.ssl.OpenSsl;
import io.netty.handler.ssl.SslProvider;
import java.util.List;

/** Selects the TLS engine and describes the choice for the log. */
public final class TlsEngines {
    /** The name of a system property that the JDK's TLS implementation reads at its first use, and never again. */
    private static final String NO_RENEGOTIATION = "jdk.tls.rejectClientInitiatedRenegotiation";

    static {
        // Renegotiation is disabled, because a client could use it to force repeated handshakes on one connection.
        // BoringSSL disables it by default.
        if (System.getProperty(NO_RENEGOTIATION) == null) {
            System.setProperty(NO_RENEGOTIATION, "true");
        }
    }

    private TlsEngines() {}

    /** Returns whether BoringSSL's native library is usable on this machine. */
    public static boolean hasNative() {
        return OpenSsl.isAvailable();
    }

    /**
     * Returns the TLS provider for the setting {@code wanted} on this machine. Engines of BoringSSL are
     * reference-counted and have no finalizers; the TLS handler of a connection releases its engine.
     *
     * @param key the configuration key
     * @throws ConfigException if {@code wanted} names BoringSSL, and BoringSSL is not available
     */
    static SslProvider choose(TlsProvider wanted, String key) {
        return switch (wanted) {
            case AUTO -> hasNative() ? SslProvider.OPENSSL_REFCNT : SslProvider.JDK;
            case JDK -> SslProvider.JDK;
            case OPENSSL -> {
                if (!hasNative()) {
                    throw new ConfigException(key, "openssl", "auto or jdk, because " + whyNot());
                }
                yield SslProvider.OPENSSL_REFCNT;
            }
        };
    }

    /**
     * Describes the TLS engine that the gateway uses for the setting {@code wanted}, and the reason for this choice.
     * Used in the log.
     */
    public static String explain(TlsProvider wanted) {
        boolean bySettings = wanted != TlsProvider.AUTO;
        if (bySettings ? wanted == TlsProvider.OPENSSL : hasNative()) {
            return OpenSsl.versionString() + " (netty-tcnative)" + (bySettings ? ", as configured" : "");
        }
        return "JDK " + Runtime.version() + (bySettings ? ", as configured" : ": " + whyNot());
    }

    private static String whyNot() {
        Throwable cause = OpenSsl.unavailabilityCause();
        return "BoringSSL's native library cannot be used: "
                + (cause == null ? "it is disabled" : String.valueOf(cause.getMessage()));
    }

    /**
     * Returns the ALPN settings. If client and server have no protocol in common, the handshake continues without ALPN,
     * and HTTP/1.1 is assumed. The BoringSSL engine cannot send a fatal alert in this case.
     *
     * @see <a href="https://www.rfc-editor.org/rfc/rfc7301">RFC 7301 ALPN</a>
     */
    static ApplicationProtocolConfig alpn(List<String> protocols) {
        return new ApplicationProtocolConfig(
                Protocol.ALPN, SelectorFailureBehavior.NO_ADVERTISE, SelectedListenerFailureBehavior.ACCEPT, protocols);
    }
}
