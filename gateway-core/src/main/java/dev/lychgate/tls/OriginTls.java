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
 * The TLS settings and the TLS context for connections to the endpoints of one upstream. Generations share one object
 * until its settings or files change, because the object is a part of the key of connection pools. Immutable and
 * thread-safe.
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
     * Reads the authorities and the client certificate, if they are configured, and builds the context. May block.
     *
     * @param protocols the ALPN names of the application protocols, in order of preference
     * @param key the configuration key, such as {@code upstreams.api.tls}
     * @param before the object of the upstream in the previous generation; returned if settings and files are unchanged
     * @throws ConfigException if a file is unusable; the message names the file and the reason
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
            throw new ConfigException(key, String.valueOf(e.getMessage()), "usable TLS settings", e);
        }
    }

    /** Returns whether this object was built with these settings. */
    public boolean isOf(OriginTlsConfig settings, List<String> spoken) {
        return config.equals(settings) && protocols.equals(spoken);
    }

    /** Returns whether the certificates of endpoints are verified. */
    public boolean verifies() {
        return config.verify();
    }

    /** Returns the name that the certificate of an endpoint with the host {@code host} must contain. */
    public String nameOf(String host) {
        return config.serverName().isEmpty() ? host : config.serverName();
    }

    /**
     * Creates the TLS handler for the pipeline of one connection. The handler has no handshake timeout; the caller
     * enforces a timeout.
     *
     * @param name the host name or IP address that the certificate must have. A host name is also sent as SNI
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

    /**
     * Returns whether SNI can contain the name. Names with underscores, which occur in container networks, are not
     * allowed in SNI.
     */
    private static boolean isSni(String name) {
        return name.indexOf('_') < 0;
    }
}
