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

/** Selects the TLS engine and reports the choice. */
public final class TlsEngines {
    /** A system property, which the JDK's TLS reads once, at its first use. */
    private static final String NO_RENEGOTIATION = "jdk.tls.rejectClientInitiatedRenegotiation";

    static {
        // Otherwise a client could force repeated handshakes on one connection. BoringSSL allows no renegotiation by
        // default.
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
     * Resolves {@code wanted} on this machine. BoringSSL engines are reference-counted and have no finalizers: their
     * handlers release them.
     *
     * @param key configuration key
     * @throws ConfigException if the engine was configured explicitly and is not available
     */
    static SslProvider choose(TlsProvider wanted, String key) {
        return switch (wanted) {
            case AUTO -> hasNative() ? SslProvider.OPENSSL_REFCNT : SslProvider.JDK;
            case JDK -> SslProvider.JDK;
            case OPENSSL -> {
                if (!hasNative()) {
                    throw new ConfigException(key, "openssl", "auto or jdk: " + whyNot());
                }
                yield SslProvider.OPENSSL_REFCNT;
            }
        };
    }

    /** Describes, for the log, the engine that {@code wanted} resolves to, and the reason. */
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
     * Returns the ALPN settings. Without a common protocol, the handshake continues without ALPN, and HTTP/1.1 is
     * assumed: BoringSSL's engine does not support a fatal alert.
     *
     * @see <a href="https://www.rfc-editor.org/rfc/rfc7301">RFC 7301 ALPN</a>
     */
    static ApplicationProtocolConfig alpn(List<String> protocols) {
        return new ApplicationProtocolConfig(
                Protocol.ALPN, SelectorFailureBehavior.NO_ADVERTISE, SelectedListenerFailureBehavior.ACCEPT, protocols);
    }
}
