package dev.lychgate.tls;

import dev.lychgate.config.ConfigException;
import dev.lychgate.config.OriginTlsConfig;
import dev.lychgate.config.TlsVersion;
import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslProvider;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import io.netty.util.NetUtil;
import java.time.Instant;
import java.util.List;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import org.jspecify.annotations.Nullable;

/**
 * All it takes to speak TLS with the endpoints of one upstream. The same object from generation to generation until
 * something about it changes: connections are kept by it. Any thread.
 */
public final class OriginTls {
    private final OriginTlsConfig config;
    private final List<String> protocols;
    private final String fingerprint;
    private final SslContext context;

    private OriginTls(OriginTlsConfig config, List<String> protocols, String fingerprint, SslContext context) {
        this.config = config;
        this.protocols = protocols;
        this.fingerprint = fingerprint;
        this.context = context;
        NativeContexts.tie(this, context);
    }

    /**
     * Reads authorities and the certificate, if there are any. May block.
     *
     * @param protocols what may be spoken inside TLS, by its names in ALPN, the most wanted first
     * @param key where it stands in the configuration: {@code upstreams.api.tls}
     * @param before what the upstream had in the generation before; it is what is returned if nothing has changed
     * @throws ConfigException that names the file, and what is wrong with it
     */
    public static OriginTls build(
            OriginTlsConfig config,
            List<String> protocols,
            String key,
            TlsFiles files,
            Instant now,
            @Nullable OriginTls before) {
        String fingerprint = files.fingerprint(config.files());
        if (before != null
                && before.config.equals(config)
                && before.protocols.equals(protocols)
                && before.fingerprint.equals(fingerprint)) {
            return before;
        }
        SslProvider provider = TlsEngines.choose(config.provider(), key + ".provider");
        CredentialReader reader = new CredentialReader(files, now, provider);
        try {
            SslContextBuilder builder = SslContextBuilder.forClient()
                    .sslProvider(provider)
                    .protocols(
                            config.protocols().stream().map(TlsVersion::label).toList())
                    .ciphers(CipherSuites.MODERN, CipherSuites.filter(List.of(), key))
                    .applicationProtocolConfig(TlsEngines.alpn(protocols))
                    .endpointIdentificationAlgorithm(config.verify() ? "HTTPS" : null);
            if (!config.verify()) {
                builder.trustManager(InsecureTrustManagerFactory.INSTANCE);
            } else {
                builder.trustManager(
                        new OriginTrust(config.ca() == null ? null : reader.certificates(config.ca(), key + ".ca")));
            }
            if (config.certificate() != null) {
                Credential ours = reader.read(config.certificate(), key + ".certificate");
                builder.keyManager(ours.key(), ours.chain());
            }
            return new OriginTls(config, protocols, fingerprint, builder.build());
        } catch (SSLException e) {
            ConfigException refused =
                    new ConfigException(key, String.valueOf(e.getMessage()), "settings that TLS can use");
            refused.initCause(e);
            throw refused;
        }
    }

    /** Whether it was made by these settings. */
    public boolean isOf(OriginTlsConfig settings, List<String> spoken) {
        return config.equals(settings) && protocols.equals(spoken);
    }

    /** Whether certificates of endpoints must be good. */
    public boolean verifies() {
        return config.verify();
    }

    /** What an endpoint whose host is {@code host} must have in its certificate. */
    public String nameOf(String host) {
        return config.serverName().isEmpty() ? host : config.serverName();
    }

    /**
     * A handler for one connection, which must be put into its pipeline. It watches no times: that is others' to do.
     *
     * @param name the host name, or IP address, that the certificate must be for; a host name is asked for by SNI
     */
    public SslHandler newHandler(ByteBufAllocator allocator, String name, int port) {
        SslHandler handler = context.newHandler(allocator, name, port);
        handler.setHandshakeTimeoutMillis(0);
        if (NetUtil.createByteArrayFromIpAddressString(name) == null && isSni(name)) {
            SSLParameters parameters = handler.engine().getSSLParameters();
            parameters.setServerNames(List.of(new SNIHostName(name)));
            handler.engine().setSSLParameters(parameters);
        }
        return handler;
    }

    /** Names with underscores are none that SNI could carry, but what container networks have. */
    private static boolean isSni(String name) {
        return name.indexOf('_') < 0;
    }
}
