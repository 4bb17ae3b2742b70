package dev.lychgate.config;

import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The TLS settings for connections to the endpoints of an upstream. */
public record OriginTlsConfig(
        boolean verify,
        @Nullable String ca,
        @Nullable CertificateConfig certificate,
        String serverName,
        List<TlsVersion> protocols,
        TlsProvider provider) {
    private static final Key<Boolean> VERIFY = Key.flag("verify", true)
            .about("verifies that certificates are valid and issued for the endpoint; with `false`, any machine on the "
                    + "network path can impersonate the origin, and every generation logs a warning");

    private static final Key<String> CA = Key.file("ca").absent("the JDK's").about("PEM: the trusted authorities");
    private static final Key<CertificateConfig> CERTIFICATE = Key.section(
                    "certificate", null, CertificateConfig::ofClient)
            .absent("none")
            .about("the client certificate that the gateway sends if an origin requests one");
    private static final Key<String> SERVER_NAME = Key.typed("server-name", Form.TEXT, "")
            .absent("the endpoint's host")
            .about("the server name that the gateway sends in the handshake (SNI) and that the certificate must "
                    + "contain; with `srv`, `server-name` or `ca` is required, because DNS could return any name");
    private static final Key<List<TlsVersion>> PROTOCOLS = Key.typed(
                    "protocols",
                    Form.list(Form.choice(TlsVersion.class, TlsVersion::label)),
                    TlsConfig.DEFAULT_PROTOCOLS)
            .about("the versions of TLS");
    private static final Key<TlsProvider> PROVIDER = Key.choice("provider", TlsProvider.AUTO)
            .about("the implementation of TLS, with the same choices as `listeners[].tls.provider`");

    static final Keys<OriginTlsConfig> KEYS =
            Keys.of(OriginTlsConfig::new, VERIFY, CA, CERTIFICATE, SERVER_NAME, PROTOCOLS, PROVIDER);

    public static final OriginTlsConfig DEFAULT = KEYS.defaults();

    public OriginTlsConfig {
        protocols = protocols.isEmpty() ? TlsConfig.DEFAULT_PROTOCOLS : Expect.copy(protocols);
        Expect.that(verify || ca == null, "ca", String.valueOf(ca), "verify: true, or the key left out");
        Expect.that(
                certificate == null || certificate.ocsp() == null,
                "certificate",
                "contains ocsp",
                "a certificate without ocsp, because only servers send OCSP responses");
        Expect.that(
                serverName.isEmpty() || serverName.matches("(?=.{1,253}$)[A-Za-z0-9_-]{1,63}(\\.[A-Za-z0-9_-]{1,63})*"),
                "server-name",
                serverName,
                "a host name");
    }

    /** Returns these settings with another file of trusted authorities. */
    public OriginTlsConfig withCa(String file) {
        return new OriginTlsConfig(verify, file, certificate, serverName, protocols, provider);
    }

    /** Returns these settings without verification. */
    public OriginTlsConfig unverified() {
        return new OriginTlsConfig(false, null, certificate, serverName, protocols, provider);
    }

    /** Returns these settings with a client certificate. */
    public OriginTlsConfig withCertificate(CertificateConfig ours) {
        return new OriginTlsConfig(verify, ca, ours, serverName, protocols, provider);
    }

    /** Returns these settings with this server name for all endpoints. */
    public OriginTlsConfig withServerName(String name) {
        return new OriginTlsConfig(verify, ca, certificate, name, protocols, provider);
    }

    /** Returns these settings with another provider. */
    public OriginTlsConfig withProvider(TlsProvider other) {
        return new OriginTlsConfig(verify, ca, certificate, serverName, protocols, other);
    }

    /** Returns the paths of all certificate files. */
    public Stream<String> files() {
        return Stream.concat(
                certificate == null ? Stream.empty() : certificate.files(),
                ca == null ? Stream.empty() : Stream.of(ca));
    }
}
