package dev.lychgate.config;

import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * How TLS is spoken with the endpoints of an upstream.
 */
public record OriginTlsConfig(
        boolean verify,
        @Nullable String ca,
        @Nullable CertificateConfig certificate,
        String serverName,
        List<TlsVersion> protocols,
        TlsProvider provider) {
    private static final Key<Boolean> VERIFY = Key.flag("verify", true)
            .about("whether certificates must be good, and for the endpoint; `false` lets anybody on the way be "
                    + "the origin, and is warned of in every generation");

    private static final Key<String> CA =
            Key.file("ca").absent("the JDK's").about("PEM: the authorities that are believed");
    private static final Key<CertificateConfig> CERTIFICATE = Key.section(
                    "certificate", null, CertificateConfig::ofClient)
            .absent("none")
            .about("what the gateway shows if an origin asks");
    private static final Key<String> SERVER_NAME = Key.typed("server-name", Form.TEXT, "")
            .absent("the endpoint's host")
            .about("what is asked for by SNI and must stand in the certificate; beside `srv` this or `ca` is "
                    + "required, for DNS could name anybody");
    private static final Key<List<TlsVersion>> PROTOCOLS = Key.typed(
                    "protocols",
                    Form.list(Form.choice(TlsVersion.class, TlsVersion::label)),
                    TlsConfig.DEFAULT_PROTOCOLS)
            .about("the versions that are spoken");
    private static final Key<TlsProvider> PROVIDER =
            Key.choice("provider", TlsProvider.AUTO).about("as `listeners[].tls.provider`");

    static final Keys<OriginTlsConfig> KEYS =
            Keys.of(OriginTlsConfig::new, VERIFY, CA, CERTIFICATE, SERVER_NAME, PROTOCOLS, PROVIDER);

    public static final OriginTlsConfig DEFAULT = KEYS.defaults();

    public OriginTlsConfig {
        protocols = protocols.isEmpty() ? TlsConfig.DEFAULT_PROTOCOLS : Expect.copy(protocols);
        Expect.that(verify || ca == null, "ca", String.valueOf(ca), "verify: true, or the key left out");
        Expect.that(
                certificate == null || certificate.ocsp() == null,
                "certificate",
                "ocsp",
                "the key left out: only servers hand it out");
        Expect.that(
                serverName.isEmpty() || serverName.matches("(?=.{1,253}$)[A-Za-z0-9_-]{1,63}(\\.[A-Za-z0-9_-]{1,63})*"),
                "server-name",
                serverName,
                "a host name");
    }

    /** This with authorities of one's own. */
    public OriginTlsConfig withCa(String file) {
        return new OriginTlsConfig(verify, file, certificate, serverName, protocols, provider);
    }

    /** This with whatever certificate they show. */
    public OriginTlsConfig unverified() {
        return new OriginTlsConfig(false, null, certificate, serverName, protocols, provider);
    }

    /** This with a certificate of ours. */
    public OriginTlsConfig withCertificate(CertificateConfig ours) {
        return new OriginTlsConfig(verify, ca, ours, serverName, protocols, provider);
    }

    /** This with another name for all of them. */
    public OriginTlsConfig withServerName(String name) {
        return new OriginTlsConfig(verify, ca, certificate, name, protocols, provider);
    }

    /** This by somebody else. */
    public OriginTlsConfig withProvider(TlsProvider other) {
        return new OriginTlsConfig(verify, ca, certificate, serverName, protocols, other);
    }

    /** Where all of it is read from. */
    public Stream<String> files() {
        return Stream.concat(
                certificate == null ? Stream.empty() : certificate.files(),
                ca == null ? Stream.empty() : Stream.of(ca));
    }
}
