package dev.lychgate.config;

import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A certificate and its key: either the PEM files {@code chain} and {@code key}, or the store {@code pkcs12}. The
 * components contain paths of files, except {@code password}.
 */
public record CertificateConfig(
        @Nullable String chain,
        @Nullable String key,
        @Nullable String pkcs12,
        @Nullable String password,
        @Nullable String ocsp) {
    /** Placeholder that replaces a refused certificate while the rest of the file is read. */
    static final CertificateConfig NONE = pem("none", "none");

    private static final Key<String> CHAIN = Key.file("chain")
            .about("PEM: the certificate, followed by the intermediate certificates up to an authority; set either "
                    + "`chain` and `key`, or `pkcs12`");
    private static final Key<String> KEY =
            Key.file("key").about("PEM: the private key, in one of these [formats](tls.md#key-formats)");
    private static final Key<String> PKCS12 =
            Key.file("pkcs12").about("a PKCS#12 store with one private key and its certificates");
    private static final Key<String> PASSWORD = Key.typed("password", Form.SECRET, null)
            .about("the password of the store, or of a key in encrypted PKCS#8; in ASCII");
    private static final Key<String> OCSP = Key.file("ocsp")
            .about("an OCSP response in DER that the gateway sends to clients (stapled); with BoringSSL only");

    static final Keys<CertificateConfig> KEYS = Keys.of(CertificateConfig::new, CHAIN, KEY, PKCS12, PASSWORD, OCSP);

    public CertificateConfig {
        if (pkcs12 == null) {
            Expect.that(chain != null, "chain", "missing", "a PEM file, or the key pkcs12 in place of chain and key");
            Expect.that(key != null, "key", "missing", "a PEM file with the private key of the certificate in chain");
        } else {
            Expect.that(chain == null, "chain", "set together with pkcs12", "only one of the two");
            Expect.that(key == null, "key", "set together with pkcs12", "only one of the two");
        }
    }

    /** Reads the section of a client certificate. This section lacks the settings that only servers use. */
    static CertificateConfig ofClient(Key.Values values) {
        values.either("chain key", "pkcs12");
        return new CertificateConfig(
                values.get(CHAIN), values.get(KEY), values.get(PKCS12), values.get(PASSWORD), null);
    }

    static CertificateConfig read(Key.Values values) {
        values.either("chain key", "pkcs12");
        return KEYS.read(values);
    }

    /** Creates a certificate in PEM with an unencrypted key. */
    public static CertificateConfig pem(String chain, String key) {
        return new CertificateConfig(chain, key, null, null, null);
    }

    /** Creates a certificate in a PKCS#12 store. */
    public static CertificateConfig store(String pkcs12, String password) {
        return new CertificateConfig(null, null, pkcs12, password, null);
    }

    /** Returns this certificate with an OCSP response. */
    public CertificateConfig withOcsp(String path) {
        return new CertificateConfig(chain, key, pkcs12, password, path);
    }

    /** Returns the paths of the files that contain the certificate, its key and its OCSP response. */
    public Stream<String> files() {
        return Stream.of(chain, key, pkcs12, ocsp).filter(file -> file != null);
    }

    @Override
    public String toString() {
        return "CertificateConfig[chain=" + chain + ", key=" + key + ", pkcs12=" + pkcs12 + ", password="
                + (password == null ? "none" : "***") + ", ocsp=" + ocsp + "]";
    }
}
