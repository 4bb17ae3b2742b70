package dev.lychgate.tls;

import io.netty.handler.ssl.OpenSslContextOption;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import java.lang.reflect.Method;
import java.security.cert.X509Certificate;
import java.security.interfaces.ECPublicKey;
import java.util.List;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The key exchange groups of a listener: the groups that all current clients support and, if the TLS engine supports
 * it, the quantum-resistant hybrid group. In JDK 20 and later, the groups can be set per connection. In earlier
 * versions, only a system property can change them. Thread-safe.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc8446#section-4.2.7">RFC 8446, 4.2.7 Supported Groups</a>
 */
final class Groups {
    private static final Logger LOG = LoggerFactory.getLogger(Groups.class);

    private static final List<String> MODERN = List.of("X25519MLKEM768", "x25519", "secp256r1", "secp384r1");
    /** The groups for a server with a P-521 key. With TLS 1.2, such a server must offer the curve P-521 in addition. */
    private static final List<String> MODERN_AND_LARGEST =
            List.of("X25519MLKEM768", "x25519", "secp256r1", "secp384r1", "secp521r1");

    private static final int LARGEST_BITS = 521;

    private static final @Nullable Method SET_OF_JDK = setOfJdk();

    private Groups() {}

    /** Returns the groups for a listener with {@code certificate}, in order of preference. */
    static List<String> of(X509Certificate certificate) {
        boolean largest = certificate.getPublicKey() instanceof ECPublicKey key
                && key.getParams().getOrder().bitLength() == LARGEST_BITS;
        return largest ? MODERN_AND_LARGEST : MODERN;
    }

    /** Sets the groups of a BoringSSL context; JDK contexts have no such option. */
    static void limit(SslContextBuilder builder, SslProvider provider, List<String> groups) {
        if (provider != SslProvider.JDK) {
            builder.option(OpenSslContextOption.GROUPS, groups.toArray(String[]::new));
        }
    }

    /** Sets the groups of a JDK engine, if the JDK supports groups per connection. */
    static void limit(SSLEngine engine, List<String> groups) {
        Method set = SET_OF_JDK;
        if (set == null) {
            return;
        }
        try {
            SSLParameters parameters = engine.getSSLParameters();
            set.invoke(parameters, (Object) groups.toArray(String[]::new));
            engine.setSSLParameters(parameters);
        } catch (ReflectiveOperationException | IllegalArgumentException e) {
            LOG.debug("the JDK rejected the gateway's key exchange groups and uses its own", e);
        }
    }

    private static @Nullable Method setOfJdk() {
        try {
            return SSLParameters.class.getMethod("setNamedGroups", String[].class);
        } catch (NoSuchMethodException e) {
            return null;
        }
    }
}
