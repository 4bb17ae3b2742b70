package dev.lychgate.tls;

import io.netty.handler.ssl.OpenSslCertificateException;
import io.netty.internal.tcnative.CertificateVerifier;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertPathValidatorException.BasicReason;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/**
 * Verifies client certificates for BoringSSL by the rules of the JDK. Passes the reason for the rejection of a
 * certificate to BoringSSL, so that the client receives the matching alert. Without a reason, BoringSSL would send
 * {@code internal_error}. Immutable and thread-safe.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc8446#section-6.2">RFC 8446, 6.2 Error Alerts</a>
 */
final class ClientTrust extends NoTrust {
    private final X509ExtendedTrustManager rules;

    private ClientTrust(X509ExtendedTrustManager rules) {
        this.rules = rules;
    }

    /** Returns a trust manager that trusts the certificates that {@code authorities} have issued. */
    static ClientTrust of(List<X509Certificate> authorities) {
        return new ClientTrust(rules(authorities));
    }

    /**
     * Returns a trust manager with the rules of the JDK and with {@code authorities} as trust anchors. If
     * {@code authorities} is null, the trust anchors are the authorities of the JDK.
     */
    static X509ExtendedTrustManager rules(@Nullable List<X509Certificate> authorities) {
        try {
            TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            factory.init(authorities == null ? null : store(authorities));
            for (TrustManager manager : factory.getTrustManagers()) {
                if (manager instanceof X509ExtendedTrustManager rules) {
                    return rules;
                }
            }
            throw new IllegalStateException("the JDK has no trust manager for X.509");
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalStateException("certificates were read, but can't be used as trust anchors", e);
        }
    }

    private static KeyStore store(List<X509Certificate> authorities) throws GeneralSecurityException, IOException {
        KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
        trusted.load(null, null);
        for (int i = 0; i < authorities.size(); i++) {
            trusted.setCertificateEntry(Integer.toString(i), authorities.get(i));
        }
        return trusted;
    }

    private static OpenSslCertificateException named(CertificateException failure) {
        return new OpenSslCertificateException(String.valueOf(failure.getMessage()), failure, reason(failure));
    }

    /** Returns the verification result for which BoringSSL sends the alert that matches {@code failure}. */
    private static int reason(CertificateException failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof CertificateExpiredException) {
                return CertificateVerifier.X509_V_ERR_CERT_HAS_EXPIRED;
            }
            if (cause instanceof CertificateNotYetValidException) {
                return CertificateVerifier.X509_V_ERR_CERT_NOT_YET_VALID;
            }
            if (cause instanceof CertPathValidatorException path && path.getReason() == BasicReason.INVALID_SIGNATURE) {
                return CertificateVerifier.X509_V_ERR_CERT_REJECTED;
            }
        }
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof CertPathBuilderException || cause instanceof CertPathValidatorException) {
                return CertificateVerifier.X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY;
            }
        }
        // The path is valid, but the certificate must not be used for client authentication.
        return CertificateVerifier.X509_V_ERR_INVALID_PURPOSE;
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
            throws CertificateException {
        try {
            rules.checkClientTrusted(chain, authType, engine);
        } catch (CertificateException e) {
            throw named(e);
        }
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return rules.getAcceptedIssuers();
    }
}
