package dev.lychgate.config;

import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * How a listener speaks TLS.
 *
 * @param certificates at least one; which one a client gets is decided by the name it asks for, and the first is for all
 *     names that none is for
 * @param protocols what is spoken; default TLS 1.3 and 1.2
 * @param ciphers suites by their IANA names; empty = a modern list, the default
 * @param clientAuth whether clients show certificates; default {@link ClientAuth#NONE}
 * @param clientCa a PEM file with the authorities whose clients are let in; there if, and only if, clients are asked
 * @param identityHeader the field that tells origins who the client is; taken off every request that clients send; null =
 *     they are not told, the default
 * @param provider whose TLS is used; default {@link TlsProvider#AUTO}
 * @param sessions how sessions are resumed
 */
public record TlsConfig(
        List<CertificateConfig> certificates,
        List<TlsVersion> protocols,
        List<String> ciphers,
        ClientAuth clientAuth,
        @Nullable String clientCa,
        @Nullable String identityHeader,
        TlsProvider provider,
        TlsSessionsConfig sessions) {
    public static final List<TlsVersion> DEFAULT_PROTOCOLS = List.of(TlsVersion.TLS_1_3, TlsVersion.TLS_1_2);

    public TlsConfig {
        certificates = Expect.copy(certificates);
        protocols = protocols.isEmpty() ? DEFAULT_PROTOCOLS : Expect.copy(protocols);
        ciphers = Expect.copy(ciphers);
        Expect.that(!certificates.isEmpty(), "certificates", "[]", "at least one certificate");
        Expect.that(
                clientAuth == ClientAuth.NONE || clientCa != null,
                "client-ca",
                "missing",
                "a PEM file with the authorities of client certificates");
        Expect.that(
                clientAuth != ClientAuth.NONE || clientCa == null,
                "client-ca",
                String.valueOf(clientCa),
                "client-auth: optional or required beside it");
        if (identityHeader != null) {
            Expect.that(
                    identityHeader.matches("[A-Za-z0-9][A-Za-z0-9_-]{0,63}"),
                    "identity-header",
                    identityHeader,
                    "the name of a header field, such as client-cert");
            Expect.that(
                    !OwnFields.isReserved(identityHeader) && !OwnFields.isTold(identityHeader),
                    "identity-header",
                    identityHeader,
                    "no field of framing, routing or connection, and none that the gateway writes itself");
            Expect.that(
                    !identityHeader.equalsIgnoreCase("cookie") && !identityHeader.equalsIgnoreCase("authorization"),
                    "identity-header",
                    identityHeader,
                    "no field that clients send, as it is taken off every request");
            Expect.that(
                    clientAuth != ClientAuth.NONE,
                    "identity-header",
                    identityHeader,
                    "client-auth: optional or required beside it");
        }
    }

    /** TLS with every default. */
    public static TlsConfig of(CertificateConfig... certificates) {
        return new TlsConfig(
                List.of(certificates),
                DEFAULT_PROTOCOLS,
                List.of(),
                ClientAuth.NONE,
                null,
                null,
                TlsProvider.AUTO,
                TlsSessionsConfig.DEFAULT);
    }

    /** This TLS with other certificates. */
    public TlsConfig withCertificates(CertificateConfig... others) {
        return new TlsConfig(
                List.of(others), protocols, ciphers, clientAuth, clientCa, identityHeader, provider, sessions);
    }

    /** This TLS with other versions. */
    public TlsConfig withProtocols(TlsVersion... others) {
        return new TlsConfig(
                certificates, List.of(others), ciphers, clientAuth, clientCa, identityHeader, provider, sessions);
    }

    /** This TLS with clients that show certificates. */
    public TlsConfig withClients(ClientAuth auth, String ca, @Nullable String header) {
        return new TlsConfig(certificates, protocols, ciphers, auth, ca, header, provider, sessions);
    }

    /** This TLS by somebody else. */
    public TlsConfig withProvider(TlsProvider other) {
        return new TlsConfig(certificates, protocols, ciphers, clientAuth, clientCa, identityHeader, other, sessions);
    }

    /** Where all of it is read from. */
    public Stream<String> files() {
        return Stream.concat(
                certificates.stream().flatMap(CertificateConfig::files),
                clientCa == null ? Stream.empty() : Stream.of(clientCa));
    }
}
