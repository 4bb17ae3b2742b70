package dev.lychgate.tls;

import dev.lychgate.config.CertificateConfig;
import dev.lychgate.config.ConfigException;
import io.netty.handler.ssl.JdkSslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import java.time.Instant;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * Creates TLS contexts of the JDK for commands that call an admin listener. These commands use the JDK's HTTP client,
 * which supports no other TLS engine.
 */
public final class JdkClientTls {
    private JdkClientTls() {}

    /**
     * Reads the files and builds the context. May block.
     *
     * @param ca a PEM file with the trusted authorities; null for the authorities of the JDK
     * @param own the client certificate; null if the client has no certificate
     * @throws ConfigException if a file is unusable. The message names the file, the reason and a key: {@code ca},
     *     {@code own.chain}, {@code own.key} or {@code own.pkcs12}
     */
    public static SSLContext of(@Nullable String ca, @Nullable CertificateConfig own) {
        CredentialReader reader = new CredentialReader(new TlsFiles(), Instant.now(), SslProvider.JDK);
        SslContextBuilder builder = SslContextBuilder.forClient().sslProvider(SslProvider.JDK);
        if (own != null) {
            Credential shown = reader.read(own, "own");
            builder.keyManager(shown.key(), shown.chain());
        }
        if (ca != null) {
            builder.trustManager(reader.certificates(ca, "ca"));
        }
        try {
            return ((JdkSslContext) builder.build()).context();
        } catch (SSLException e) {
            throw new IllegalStateException("the JDK can't create a TLS context", e);
        }
    }
}
