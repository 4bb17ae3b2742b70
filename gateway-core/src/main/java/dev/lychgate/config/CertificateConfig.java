package dev.lychgate.config;

import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A certificate and its key: either {@code chain} and {@code key}, in PEM, or {@code pkcs12}. All of them are paths.
 *
 * @param chain the certificate, followed by those that lead from it to an authority
 * @param key its key: PKCS#8, PKCS#1 or SEC 1
 * @param pkcs12 a store that holds both
 * @param password of the store, or of an encrypted PKCS#8 key; null = none
 * @param ocsp an OCSP response in DER that is handed to clients; null = none
 */
public record CertificateConfig(
        @Nullable String chain,
        @Nullable String key,
        @Nullable String pkcs12,
        @Nullable String password,
        @Nullable String ocsp) {
    public CertificateConfig {
        if (pkcs12 == null) {
            Expect.that(chain != null, "chain", "missing", "a PEM file, or pkcs12 in its place");
            Expect.that(key != null, "key", "missing", "a PEM file with the key of chain");
        } else {
            Expect.that(chain == null, "chain", "beside pkcs12", "one of the two");
            Expect.that(key == null, "key", "beside pkcs12", "one of the two");
        }
    }

    /** A certificate in PEM whose key is not encrypted. */
    public static CertificateConfig pem(String chain, String key) {
        return new CertificateConfig(chain, key, null, null, null);
    }

    /** A certificate in a PKCS#12 store. */
    public static CertificateConfig store(String pkcs12, String password) {
        return new CertificateConfig(null, null, pkcs12, password, null);
    }

    /** This certificate with an OCSP response. */
    public CertificateConfig withOcsp(String path) {
        return new CertificateConfig(chain, key, pkcs12, password, path);
    }

    /** Where it is read from. */
    public Stream<String> files() {
        return Stream.of(chain, key, pkcs12, ocsp).filter(file -> file != null);
    }

    @Override
    public String toString() {
        return "CertificateConfig[chain=" + chain + ", key=" + key + ", pkcs12=" + pkcs12 + ", password="
                + (password == null ? "none" : "***") + ", ocsp=" + ocsp + "]";
    }
}
