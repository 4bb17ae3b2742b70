package dev.lychgate.config;

import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * How TLS is spoken with the endpoints of an upstream.
 *
 * @param verify whether their certificates must be good, and for them; default true
 * @param ca a PEM file with the authorities that are believed; null = those of the JDK, the default
 * @param certificate what we show if we are asked; null = nothing, the default
 * @param serverName what is asked for by SNI and must stand in the certificate; empty = each endpoint's host, the default
 * @param protocols what is spoken; default TLS 1.3 and 1.2
 * @param provider whose TLS is used; default {@link TlsProvider#AUTO}
 */
public record OriginTlsConfig(
        boolean verify,
        @Nullable String ca,
        @Nullable CertificateConfig certificate,
        String serverName,
        List<TlsVersion> protocols,
        TlsProvider provider) {
    public static final OriginTlsConfig DEFAULT =
            new OriginTlsConfig(true, null, null, "", TlsConfig.DEFAULT_PROTOCOLS, TlsProvider.AUTO);

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
