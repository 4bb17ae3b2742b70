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

/** Decides whose TLS is used, and says so. */
public final class TlsEngines {
    /** Read once by the JDK's TLS, when it is first used. */
    private static final String NO_RENEGOTIATION = "jdk.tls.rejectClientInitiatedRenegotiation";

    static {
        // A client could have one handshake after the other made on one connection; BoringSSL allows none of itself.
        if (System.getProperty(NO_RENEGOTIATION) == null) {
            System.setProperty(NO_RENEGOTIATION, "true");
        }
    }

    private TlsEngines() {}

    /** Whether BoringSSL's native library fits this machine. */
    public static boolean hasNative() {
        return OpenSsl.isAvailable();
    }

    /**
     * What {@code wanted} comes to on this machine. Engines of BoringSSL are counted references, without finalizers: their
     * handlers let go of them.
     *
     * @param key where it stands in the configuration
     * @throws ConfigException if it was asked for by name and is not to be had
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

    /** What {@code wanted} comes to, and why, for people. */
    public static String explain(TlsProvider wanted) {
        boolean bySettings = wanted != TlsProvider.AUTO;
        if (bySettings ? wanted == TlsProvider.OPENSSL : hasNative()) {
            return OpenSsl.versionString() + " by netty-tcnative" + (bySettings ? ", as configured" : "");
        }
        return "the JDK's (" + Runtime.version() + ")" + (bySettings ? ", as configured" : ": " + whyNot());
    }

    private static String whyNot() {
        Throwable cause = OpenSsl.unavailabilityCause();
        return "BoringSSL's native library can't be used here: "
                + (cause == null ? "it is switched off" : String.valueOf(cause.getMessage()));
    }

    /**
     * How the protocol inside TLS is negotiated. A client that offers none of {@code protocols} is taken to speak HTTP/1.1,
     * the only choice that BoringSSL's engine leaves.
     *
     * @see <a href="https://www.rfc-editor.org/rfc/rfc7301">RFC 7301 ALPN</a>
     */
    static ApplicationProtocolConfig alpn(List<String> protocols) {
        return new ApplicationProtocolConfig(
                Protocol.ALPN, SelectorFailureBehavior.NO_ADVERTISE, SelectedListenerFailureBehavior.ACCEPT, protocols);
    }
}
