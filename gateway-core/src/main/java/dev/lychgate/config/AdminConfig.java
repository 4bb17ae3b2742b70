package dev.lychgate.config;

import java.net.InetAddress;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The admin listener, whose clients may change the gateway. A listener that other machines can reach must therefore
 * require a token or a client certificate.
 *
 * @param token a token with all roles; null if there is none
 * @param operators the operators, each with a separate credential. If the list is not empty, the listener accepts a
 *     client certificate only if an entry of this list names the certificate
 */
public record AdminConfig(
        BindAddress address,
        int connections,
        @Nullable String token,
        @Nullable String tokenFile,
        @Nullable TlsConfig tls,
        List<OperatorConfig> operators)
        implements WrittenConfig.Section {
    private static final Key<String> CLIENT_CA = Key.file("client-ca")
            .about("PEM: the authorities that issue the certificates of operators; a client with such a "
                    + "certificate needs no token");
    private static final Key<BindAddress> ADDRESS = Key.typed(
                    "address", Form.text("`host:port`", BindAddress::parse), BindAddress.LOOPBACK)
            .required("host:port, such as 127.0.0.1:8081")
            .about("the address to bind, which no other listener may use; an address that other machines can reach, "
                    + "such as `0.0.0.0` or `[::]`, needs `token`, `token-file`, `operators` or `tls.client-ca`; see "
                    + "[security](admin.md#access-control)");
    private static final Key<Integer> CONNECTIONS = Key.number("connections", 64)
            .unit("connections")
            .between(64, 65_536)
            .about("the maximum number of open connections; at this limit, the connection that has been idle for the "
                    + "longest time is closed for a new one");
    private static final Key<String> TOKEN = Key.typed("token", Form.SECRET, null)
            .matching(Form.SECRET_RULE)
            .about("the token that every request carries as `Authorization: Bearer`; 16 to 256 characters "
                    + "of ASCII without blanks; preferably a [secret](secrets.md) such as `${file:PATH}`");
    private static final Key<String> TOKEN_FILE = Key.file("token-file")
            .about("a file whose first line is the token, in place of `token`; the gateway reads the file again for "
                    + "each generation");
    private static final Key<TlsConfig> TLS = Key.section("tls", null, AdminConfig::readTls)
            .absent("no TLS")
            .about("the TLS settings of the admin listener");

    private static final Key<List<OperatorConfig>> OPERATORS = Key.list("operators", Form.section(OperatorConfig::read))
            .about("the [operators](admin.md#operators) with their names, roles and credentials");

    static final Keys<AdminConfig> KEYS =
            Keys.of(AdminConfig::new, ADDRESS, CONNECTIONS, TOKEN, TOKEN_FILE, TLS, OPERATORS);

    public AdminConfig {
        CONNECTIONS.check(connections);
        TOKEN.check(token);
        operators = Expect.copy(operators);
        Expect.that(tokenFile == null || !tokenFile.isBlank(), "token-file", String.valueOf(tokenFile), "a path");
        Expect.that(token == null || tokenFile == null, "token-file", "set together with token", "only one of the two");
        Expect.that(
                isLocal(address) || asks(token, tokenFile, tls, operators),
                "address",
                address,
                "a loopback address such as 127.0.0.1:8081, or at least one of token, token-file, operators and "
                        + "tls.client-ca; without them, any client that reaches the listener could change the gateway");
        for (int i = 0; i < operators.size(); i++) {
            String certificate = operators.get(i).certificate();
            Expect.that(
                    certificate == null || (tls != null && tls.clientCa() != null),
                    "operators[" + i + "].certificate",
                    String.valueOf(certificate),
                    "only together with tls.client-ca");
        }
    }

    static AdminConfig read(Key.Values values) {
        values.excludes("token-file", "token", null);
        return KEYS.read(values);
    }

    @Override
    public void complete(Map<String, @Nullable Object> section) {
        if (tls != null) {
            Map<String, @Nullable Object> own =
                    WrittenConfig.of(tls.certificates().get(0));
            own.put(CLIENT_CA.name(), WrittenConfig.write(CLIENT_CA, tls.clientCa()));
            section.put(TLS.name(), own);
        }
    }

    /** Creates a listener without operators. */
    public AdminConfig(
            BindAddress address,
            int connections,
            @Nullable String token,
            @Nullable String tokenFile,
            @Nullable TlsConfig tls) {
        this(address, connections, token, tokenFile, tls, List.of());
    }

    /** Creates a listener without authentication, for loopback addresses. */
    public AdminConfig(BindAddress address) {
        this(address, CONNECTIONS.otherwise(), null, null, null);
    }

    /** Returns this listener with a token. */
    public AdminConfig withToken(String other) {
        return new AdminConfig(address, connections, other, null, tls, operators);
    }

    /** Returns this listener with these operators. */
    public AdminConfig withOperators(List<OperatorConfig> others) {
        return new AdminConfig(address, connections, token, tokenFile, tls, others);
    }

    /**
     * Returns this listener with TLS.
     *
     * @param clientCa a PEM file with the authorities that issue the operators' certificates; null = no client
     *     certificates
     */
    public AdminConfig withTls(CertificateConfig certificate, @Nullable String clientCa) {
        return new AdminConfig(address, connections, token, tokenFile, tls(certificate, clientCa), operators);
    }

    /**
     * Returns the TLS settings. Client certificates are optional in the handshake, because health probes have no
     * certificates. The listener responds to unauthenticated requests with an error.
     */
    public static TlsConfig tls(CertificateConfig certificate, @Nullable String clientCa) {
        TlsConfig tls = TlsConfig.of(certificate);
        return clientCa == null ? tls : tls.withClients(ClientAuth.OPTIONAL, clientCa, null);
    }

    private static TlsConfig readTls(Key.Values values) {
        String clientCa = values.get(CLIENT_CA);
        return tls(CertificateConfig.ofClient(values), clientCa);
    }

    private static boolean asks(
            @Nullable String token,
            @Nullable String tokenFile,
            @Nullable TlsConfig tls,
            List<OperatorConfig> operators) {
        return token != null || tokenFile != null || !operators.isEmpty() || (tls != null && tls.clientCa() != null);
    }

    /** Returns whether clients of the listener must authenticate. */
    public boolean asks() {
        return asks(token, tokenFile, tls, operators);
    }

    /** Returns whether only this machine can reach the listener. */
    public boolean isLocal() {
        return isLocal(address);
    }

    private static boolean isLocal(BindAddress address) {
        InetAddress ip = IpLiteral.address(address.host());
        return ip == null ? address.host().equals("localhost") : ip.isLoopbackAddress();
    }

    /** Returns warnings about settings that are accepted but insecure, one sentence for each. */
    public List<String> warnings() {
        return isLocal() || tls != null
                ? List.of()
                : List.of("admin.address: " + address
                        + " is not a loopback address; without admin.tls the token and all responses can be"
                        + " read on the network path");
    }

    /** Returns the paths of the token files and of the TLS files. */
    public Stream<String> files() {
        Stream<String> tokens = Stream.concat(
                Stream.ofNullable(tokenFile),
                operators.stream().map(OperatorConfig::tokenFile).flatMap(Stream::ofNullable));
        return Stream.concat(tokens, tls == null ? Stream.empty() : tls.files());
    }

    /** Omits the token. */
    @Override
    public String toString() {
        return "AdminConfig[address=" + address + ", connections=" + connections + ", token="
                + (token == null ? "none" : "***") + ", tokenFile=" + tokenFile + ", tls=" + tls + ", operators="
                + operators + "]";
    }
}
