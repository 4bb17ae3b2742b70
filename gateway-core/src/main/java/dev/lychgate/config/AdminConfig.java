package dev.lychgate.config;

import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The listener for operators. Whoever is let in may change the gateway, so one that others than this machine can reach is
 * refused unless it asks them who they are: for a token, or for a certificate.
 *
 * @param address where it binds
 * @param token what has to come with every request as {@code Authorization: Bearer}; 16 to 256 characters; null = none
 * @param tokenFile a file whose first line is the token; null = none. Read at the start and with each generation
 * @param tls how it speaks TLS; null = it does not. With a {@code client-ca}, a certificate of it does for a token
 */
public record AdminConfig(
        BindAddress address,
        @Nullable String token,
        @Nullable String tokenFile,
        @Nullable TlsConfig tls) {
    public AdminConfig {
        if (token != null) {
            Expect.secret("token", token);
        }
        Expect.that(tokenFile == null || !tokenFile.isBlank(), "token-file", String.valueOf(tokenFile), "a path");
        Expect.that(token == null || tokenFile == null, "token-file", "beside token", "one of the two");
        Expect.that(
                isLocal(address) || asks(token, tokenFile, tls),
                "address",
                address,
                "a loopback address such as 127.0.0.1:8081, or beside this one token, token-file or tls with client-ca:"
                        + " whoever reaches it could change the gateway");
    }

    /** A listener that asks nobody for anything: for the loopback. */
    public AdminConfig(BindAddress address) {
        this(address, null, null, null);
    }

    /** This listener with a token. */
    public AdminConfig withToken(String other) {
        return new AdminConfig(address, other, null, tls);
    }

    /** This listener with TLS. @param clientCa a PEM file with the authorities of operators' certificates; null = none */
    public AdminConfig withTls(CertificateConfig certificate, @Nullable String clientCa) {
        return new AdminConfig(address, token, tokenFile, tls(certificate, clientCa));
    }

    /**
     * How it speaks TLS. Certificates are asked for and not demanded: probes have none, and all else is for the listener to
     * refuse, in words.
     */
    public static TlsConfig tls(CertificateConfig certificate, @Nullable String clientCa) {
        TlsConfig tls = TlsConfig.of(certificate);
        return clientCa == null ? tls : tls.withClients(ClientAuth.OPTIONAL, clientCa, null);
    }

    private static boolean asks(@Nullable String token, @Nullable String tokenFile, @Nullable TlsConfig tls) {
        return token != null || tokenFile != null || (tls != null && tls.clientCa() != null);
    }

    /** Whether whoever asks has to say who they are. */
    public boolean asks() {
        return asks(token, tokenFile, tls);
    }

    /** Whether only this machine reaches it. */
    public boolean isLocal() {
        return isLocal(address);
    }

    private static boolean isLocal(BindAddress address) {
        InetAddress ip = NetUtil.createInetAddressFromIpAddressString(address.host());
        return ip == null ? address.host().equals("localhost") : ip.isLoopbackAddress();
    }

    /** What is unwise about it, but no reason to refuse it; one sentence each. */
    public List<String> warnings() {
        return isLocal() || tls != null
                ? List.of()
                : List.of(
                        "admin.address: " + address
                                + " is no loopback address, and without admin.tls the token and all answers can be read on the way");
    }

    /** Where the token and all of TLS is read from. */
    public Stream<String> files() {
        return Stream.concat(
                tokenFile == null ? Stream.empty() : Stream.of(tokenFile), tls == null ? Stream.empty() : tls.files());
    }

    /** Without the token. */
    @Override
    public String toString() {
        return "AdminConfig[address=" + address + ", token=" + (token == null ? "none" : "***") + ", tokenFile="
                + tokenFile + ", tls=" + tls + "]";
    }
}
