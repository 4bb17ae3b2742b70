package dev.lychgate.tls;

import dev.lychgate.config.ClientAuth;
import dev.lychgate.config.ConfigException;
import dev.lychgate.config.TlsConfig;
import dev.lychgate.config.TlsVersion;
import io.netty.handler.ssl.OpenSslServerSessionContext;
import io.netty.handler.ssl.OpenSslSessionContext;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import java.security.MessageDigest;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The TLS settings, contexts and certificates of a listener. Generations share one object until the settings or files
 * change. Thread-safe. Immutable, except for the keys of session tickets.
 */
public final class ServerTls {
    private static final Logger LOG = LoggerFactory.getLogger(ServerTls.class);

    /** A warning is logged if a certificate expires within this time. */
    private static final Duration SOON = Duration.ofDays(14);

    private final String listener;
    private final TlsConfig config;
    private final String fingerprint;
    private final List<Site> sites;
    private final Map<String, Site> exact = new HashMap<>();
    private final Map<String, Site> wildcards = new HashMap<>();
    private final @Nullable TicketKeys tickets;

    private ServerTls(
            String listener, TlsConfig config, String fingerprint, List<Site> sites, @Nullable TicketKeys tickets) {
        this.listener = listener;
        this.config = config;
        this.fingerprint = fingerprint;
        this.sites = List.copyOf(sites);
        this.tickets = tickets;
        for (Site site : sites) {
            for (String name : site.names()) {
                if (name.startsWith("*.")) {
                    wildcards.putIfAbsent(name.substring(2), site);
                } else {
                    exact.putIfAbsent(name, site);
                }
            }
        }
    }

    /**
     * Returns whether this object was built with these settings.
     *
     * @param settings the TLS settings of a listener; null if the listener does not use TLS
     */
    public boolean isOf(@Nullable TlsConfig settings) {
        return config.equals(settings);
    }

    /**
     * Reads certificates and keys and builds the contexts. May block.
     *
     * @param protocols the ALPN names of the application protocols, in order of preference; constant for a listener
     * @param key the configuration key, such as {@code listeners[0].tls}
     * @param before the object of the listener in the previous generation; returned if settings and files are unchanged
     * @throws ConfigException if a file is unusable; the message names the file and the reason
     */
    public static ServerTls build(
            String listener,
            TlsConfig config,
            List<String> protocols,
            String key,
            TlsFiles files,
            Instant now,
            @Nullable ServerTls before) {
        String fingerprint = files.fingerprint(config.files());
        if (before != null && before.config.equals(config) && before.fingerprint.equals(fingerprint)) {
            return before;
        }
        SslProvider provider = TlsEngines.choose(config.provider(), key + ".provider");
        boolean openSsl = provider != SslProvider.JDK;
        TicketKeys tickets = null;
        if (openSsl && config.sessions().tickets()) {
            tickets = before != null && before.tickets != null ? before.tickets : new TicketKeys(System.nanoTime());
        }
        CredentialReader reader = new CredentialReader(files, now, provider);
        String ca = config.clientCa();
        List<X509Certificate> clients = ca == null ? List.of() : reader.certificates(ca, key + ".client-ca");
        List<Site> sites = new ArrayList<>();
        for (int i = 0; i < config.certificates().size(); i++) {
            String at = key + ".certificates[" + i + "]";
            Credential credential = reader.read(config.certificates().get(i), at);
            byte[] ocsp = reader.ocsp(config.certificates().get(i), at);
            if (ocsp != null && !openSsl) {
                throw new ConfigException(
                        at + ".ocsp",
                        "set, but the JDK's TLS is in use",
                        "BoringSSL, because only BoringSSL supports stapling");
            }
            SslContext context = context(config, protocols, key, provider, credential, clients, ocsp != null);
            sites.add(new Site(credential, context, ocsp));
            if (context.sessionContext() instanceof OpenSslServerSessionContext sessions) {
                // A session may be resumed in a context other than its own, such as the context of a later generation.
                // Both contexts must have the same host names and admit the same clients (RFC 6066, 3; CVE-2025-23419
                // of nginx).
                sessions.setSessionIdContext(admission(listener, config, credential, clients));
                if (tickets != null) {
                    tickets.giveTo(sessions);
                }
            }
        }
        return new ServerTls(listener, config, fingerprint, sites, tickets);
    }

    private static SslContext context(
            TlsConfig config,
            List<String> protocols,
            String key,
            SslProvider provider,
            Credential credential,
            List<X509Certificate> clients,
            boolean ocsp) {
        try {
            SslContextBuilder builder = SslContextBuilder.forServer(credential.key(), credential.chain())
                    .sslProvider(provider)
                    .protocols(
                            config.protocols().stream().map(TlsVersion::label).toList())
                    .ciphers(CipherSuites.of(config.ciphers()), CipherSuites.filter(config.ciphers(), key + ".ciphers"))
                    .applicationProtocolConfig(TlsEngines.alpn(protocols))
                    .clientAuth(
                            switch (config.clientAuth()) {
                                case NONE -> io.netty.handler.ssl.ClientAuth.NONE;
                                case OPTIONAL -> io.netty.handler.ssl.ClientAuth.OPTIONAL;
                                case REQUIRED -> io.netty.handler.ssl.ClientAuth.REQUIRE;
                            })
                    .sessionTimeout(config.sessions().lifetime().toSeconds())
                    // The engines interpret 0 as "no limit".
                    .sessionCacheSize(Math.max(1, config.sessions().cache()))
                    .enableOcsp(ocsp);
            Groups.limit(builder, provider, Groups.of(credential.leaf()));
            if (clients.isEmpty()) {
                builder.trustManager(new NoTrust());
            } else if (provider != SslProvider.JDK) {
                builder.trustManager(ClientTrust.of(clients));
            } else {
                builder.trustManager(clients);
            }
            SslContext context = builder.build();
            if (config.sessions().cache() == 0 && context.sessionContext() instanceof OpenSslSessionContext sessions) {
                sessions.setSessionCacheEnabled(false);
            }
            return context;
        } catch (SSLException | IllegalArgumentException e) {
            if (e instanceof ConfigException refused) {
                throw refused;
            }
            throw new ConfigException(
                    key, credential.file() + ": " + e.getMessage(), "a usable certificate and usable TLS settings", e);
        }
    }

    private static byte[] admission(
            String listener, TlsConfig config, Credential credential, List<X509Certificate> clients) {
        try {
            MessageDigest digest = TlsFiles.sha256();
            digest.update((listener + ' ' + config.clientAuth() + ' ' + credential.names())
                    .getBytes(java.nio.charset.StandardCharsets.UTF_8));
            for (X509Certificate client : clients) {
                digest.update(client.getEncoded());
            }
            return digest.digest();
        } catch (CertificateEncodingException e) {
            throw new IllegalStateException("a certificate was read, but can't be encoded again", e);
        }
    }

    /**
     * Returns the certificate for a host name. An exact match takes precedence over a wildcard match; if no certificate
     * matches, returns the first certificate.
     */
    public Site site(@Nullable String hostName) {
        if (hostName == null) {
            return sites.get(0);
        }
        String name = hostName.toLowerCase(Locale.ROOT);
        if (name.endsWith(".")) {
            name = name.substring(0, name.length() - 1);
        }
        Site found = exact.get(name);
        if (found == null) {
            int dot = name.indexOf('.');
            found = dot <= 0 ? null : wildcards.get(name.substring(dot + 1));
        }
        return found == null ? sites.get(0) : found;
    }

    /** Returns all certificates, in configuration order. */
    public List<Site> sites() {
        return sites;
    }

    /** Returns whether client certificates are requested. */
    public boolean asksClients() {
        return config.clientAuth() != ClientAuth.NONE;
    }

    /** Rotates the keys of session tickets if a rotation is due. Costs one comparison if no rotation is due. */
    public void turnTickets(long now) {
        if (tickets != null && tickets.isDue(now)) {
            tickets.turn(now);
            for (Site site : sites) {
                if (site.context().sessionContext() instanceof OpenSslSessionContext sessions) {
                    tickets.giveTo(sessions);
                }
            }
        }
    }

    /** Logs a warning for each certificate that expires soon. */
    public void warn(Instant now) {
        for (Site site : sites) {
            if (site.notAfter().isBefore(now.plus(SOON))) {
                LOG.warn(
                        "listener {}: the certificate for {} expires on {}; replace it before clients reject it",
                        listener,
                        site.name(),
                        site.notAfter());
            }
        }
    }
}
