package dev.lychgate.config;

import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The TLS settings of a listener. */
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

    private static final Key<List<CertificateConfig>> CERTIFICATES = Key.typed(
                    "certificates", Form.list(Form.section(CertificateConfig::read)), List.of(CertificateConfig.NONE))
            .called("list")
            .atLeast(1)
            .required("at least one certificate")
            .about("the certificates; the server name that a client requests (SNI) selects a certificate for exactly "
                    + "this name, or else a certificate with a matching wildcard, or else the first certificate");
    private static final Key<List<TlsVersion>> PROTOCOLS = Key.typed(
                    "protocols", Form.list(Form.choice(TlsVersion.class, TlsVersion::label)), DEFAULT_PROTOCOLS)
            .about("the versions of TLS");
    private static final Key<List<String>> CIPHERS = Key.list("ciphers", Form.TEXT)
            .absent("a modern list")
            .about("the cipher suites by their IANA names, in the order of preference");
    private static final Key<ClientAuth> CLIENT_AUTH = Key.choice("client-auth", ClientAuth.NONE)
            .about("the policy on client certificates; a certificate that a client sends must be valid, even with "
                    + "`optional`");
    private static final Key<String> CLIENT_CA = Key.file("client-ca")
            .absent("**required** unless `client-auth` is `none`")
            .about("PEM: the authorities that issue the accepted client certificates");
    private static final Key<String> IDENTITY_HEADER = Key.text("identity-header")
            .called("field name")
            .matching("[A-Za-z0-9][A-Za-z0-9_-]{0,63}", "the name of a header field, such as client-cert")
            .about("the header field that sends the client certificate to origins ([RFC "
                    + "9440](https://www.rfc-editor.org/rfc/rfc9440)); the gateway removes this field, in any "
                    + "spelling, from every request of a client");
    private static final Key<TlsProvider> PROVIDER = Key.choice("provider", TlsProvider.AUTO)
            .about("the implementation of TLS: `auto` = BoringSSL if its native library supports the machine, or else "
                    + "the TLS of the JDK");
    private static final Key<TlsSessionsConfig> SESSIONS = Key.section("sessions", TlsSessionsConfig.KEYS)
            .about("the resumption of sessions without a full handshake");

    static final Keys<TlsConfig> KEYS = Keys.of(
            TlsConfig::new,
            CERTIFICATES,
            PROTOCOLS,
            CIPHERS,
            CLIENT_AUTH,
            CLIENT_CA,
            IDENTITY_HEADER,
            PROVIDER,
            SESSIONS);

    public TlsConfig {
        CERTIFICATES.check(certificates);
        IDENTITY_HEADER.check(identityHeader);
        certificates = Expect.copy(certificates);
        protocols = protocols.isEmpty() ? DEFAULT_PROTOCOLS : Expect.copy(protocols);
        ciphers = Expect.copy(ciphers);
        Expect.that(
                clientAuth == ClientAuth.NONE || clientCa != null,
                "client-ca",
                "missing",
                "a PEM file with the authorities of client certificates");
        Expect.that(
                clientAuth != ClientAuth.NONE || clientCa == null,
                "client-ca",
                String.valueOf(clientCa),
                "only together with client-auth: optional or required");
        if (identityHeader != null) {
            Expect.that(
                    !OwnFields.isReserved(identityHeader) && !OwnFields.isTold(identityHeader),
                    "identity-header",
                    identityHeader,
                    "a field that does not concern framing, routing or the connection, and that the gateway does not "
                            + "write itself");
            Expect.that(
                    !identityHeader.equalsIgnoreCase("cookie") && !identityHeader.equalsIgnoreCase("authorization"),
                    "identity-header",
                    identityHeader,
                    "a header field that clients do not send, because the gateway removes the field from every "
                            + "request");
            Expect.that(
                    clientAuth != ClientAuth.NONE,
                    "identity-header",
                    identityHeader,
                    "only together with client-auth: optional or required");
        }
    }

    /** Creates settings with these certificates, and with the defaults for all other components. */
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

    /** Returns these settings with other TLS versions. */
    public TlsConfig withProtocols(TlsVersion... others) {
        return Copy.of(this, "protocols", List.of(others));
    }

    /** Returns these settings with another policy for client certificates. */
    public TlsConfig withClients(ClientAuth auth, String ca, @Nullable String header) {
        return new TlsConfig(certificates, protocols, ciphers, auth, ca, header, provider, sessions);
    }

    /** Returns these settings with another provider. */
    public TlsConfig withProvider(TlsProvider other) {
        return new TlsConfig(certificates, protocols, ciphers, clientAuth, clientCa, identityHeader, other, sessions);
    }

    /** Returns the paths of all certificate files. */
    public Stream<String> files() {
        return Stream.concat(
                certificates.stream().flatMap(CertificateConfig::files),
                clientCa == null ? Stream.empty() : Stream.of(clientCa));
    }
}
