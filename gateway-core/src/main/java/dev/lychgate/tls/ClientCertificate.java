package dev.lychgate.tls;

import java.security.cert.CertificateEncodingException;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Base64;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;

/**
 * A verified client certificate.
 *
 * @param subject subject name, as in RFC 2253: {@code CN=billing,O=Example}
 * @param issuer issuer name
 * @param names subject alternative names: host names, addresses, URIs (including SPIFFE ids) and e-mail addresses
 * @param serial serial number, in lower-case hexadecimal digits
 * @param fingerprint SHA-256 digest, in lower-case hexadecimal digits
 * @param notAfter end of the validity period
 * @param der the certificate in DER, encoded in Base64
 * @param uris the elements of {@code names} that are URIs
 * @param authority whether the certificate may sign certificates or revocation lists. Such a certificate does not
 *     identify a workload
 */
public record ClientCertificate(
        String subject,
        String issuer,
        List<String> names,
        String serial,
        String fingerprint,
        Instant notAfter,
        String der,
        List<String> uris,
        boolean authority) {
    /** Types of alternative names with a text form: e-mail address, host name, URI, IP address. */
    private static final List<Integer> TEXTS = List.of(1, 2, 6, 7);

    private static final List<Integer> URI = List.of(6);

    /**
     * The bit of the key usage that permits a key to sign certificates (RFC 5280, 4.2.1.3). {@code CRL_SIGN} is the bit
     * that permits a key to sign revocation lists.
     */
    private static final int KEY_CERT_SIGN = 5;

    private static final int CRL_SIGN = 6;

    /** The type of subject alternative names that are host names. */
    static final List<Integer> DNS_NAME = List.of(2);

    public ClientCertificate {
        names = List.copyOf(names);
        uris = List.copyOf(uris);
    }

    /** Returns the names that are not URIs: host names, addresses and e-mail addresses. */
    public List<String> plainNames() {
        return names.stream().filter(name -> !uris.contains(name)).toList();
    }

    static ClientCertificate of(X509Certificate certificate) {
        byte[] der;
        try {
            der = certificate.getEncoded();
        } catch (CertificateEncodingException e) {
            throw new IllegalStateException("a certificate was read, but can't be encoded again", e);
        }
        return new ClientCertificate(
                certificate.getSubjectX500Principal().getName(),
                certificate.getIssuerX500Principal().getName(),
                safeNames(certificate, TEXTS),
                certificate.getSerialNumber().toString(16),
                HexFormat.of().formatHex(TlsFiles.sha256().digest(der)),
                certificate.getNotAfter().toInstant(),
                Base64.getEncoder().encodeToString(der),
                safeNames(certificate, URI),
                isAuthority(certificate));
    }

    private static boolean isAuthority(X509Certificate certificate) {
        boolean[] usage = certificate.getKeyUsage();
        // The path length is -1 for a certificate without the flag cA.
        return certificate.getBasicConstraints() >= 0 || (usage != null && (usage[KEY_CERT_SIGN] || usage[CRL_SIGN]));
    }

    private static List<String> safeNames(X509Certificate certificate, List<Integer> kinds) {
        try {
            return names(certificate, kinds);
        } catch (CertificateParsingException e) {
            return List.of();
        }
    }

    /**
     * Returns the subject alternative names of {@code certificate} whose types are in {@code kinds} (RFC 5280,
     * 4.2.1.6).
     */
    static List<String> names(X509Certificate certificate, List<Integer> kinds) throws CertificateParsingException {
        Collection<List<?>> all = certificate.getSubjectAlternativeNames();
        return all == null
                ? List.of()
                : all.stream()
                        .filter(name -> kinds.contains(name.get(0)))
                        .map(name -> String.valueOf(name.get(1)))
                        .toList();
    }

    /**
     * Returns the value of the header field Client-Cert for this certificate.
     *
     * @see <a href="https://www.rfc-editor.org/rfc/rfc9440#section-2.2">RFC 9440, 2.2</a>
     */
    public String field() {
        return ":" + der + ":";
    }
}
