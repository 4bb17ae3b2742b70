package dev.lychgate.tls;

import io.netty.util.NetUtil;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/**
 * Verifies origin certificates by the rules of the JDK, with one exception. The JDK falls back to the Common Name if a
 * certificate has no subjectAltName of type dNSName; this class never uses the Common Name. For IP addresses, no
 * exception is needed, because the JDK requires a subjectAltName of type iPAddress. Immutable and thread-safe.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9525#section-6.3">RFC 9525, 6.3 Matching the DNS Domain Name
 *     Portion</a>
 */
final class OriginTrust extends NoTrust {
    private final X509ExtendedTrustManager rules;

    /**
     * Creates a trust manager for the certificates of origins.
     *
     * @param authorities the trust anchors; null for the authorities of the JDK
     */
    OriginTrust(@Nullable List<X509Certificate> authorities) {
        rules = ClientTrust.rules(authorities);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
            throws CertificateException {
        rules.checkServerTrusted(chain, authType, engine);
        boolean address = NetUtil.createByteArrayFromIpAddressString(engine.getPeerHost()) != null;
        if (!address
                && ClientCertificate.names(chain[0], ClientCertificate.DNS_NAME).isEmpty()) {
            throw new CertificateException("No subject alternative DNS name is present");
        }
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return rules.getAcceptedIssuers();
    }
}
