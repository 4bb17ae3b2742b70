package dev.lychgate.server.yaml;

import dev.lychgate.config.AdminConfig;
import dev.lychgate.config.CertificateConfig;
import dev.lychgate.config.ClientAuth;
import dev.lychgate.config.OriginTlsConfig;
import dev.lychgate.config.TlsConfig;
import dev.lychgate.config.TlsProvider;
import dev.lychgate.config.TlsSessionsConfig;
import dev.lychgate.config.TlsVersion;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads {@code tls} of listeners and upstreams. Paths are relative to the configuration file. */
final class TlsReader {
    private static final CertificateConfig NO_CERTIFICATE = CertificateConfig.pem("none", "none");
    private static final TlsConfig NONE = TlsConfig.of(NO_CERTIFICATE);

    private final String file;

    /** @param file the configuration file */
    TlsReader(String file) {
        this.file = file;
    }

    /** As listeners speak it; null if nothing stands there. */
    @Nullable
    TlsConfig listener(Element element) {
        return element.sectionOrNull(s -> s.build(
                () -> new TlsConfig(
                        certificates(s.required("certificates", "at least one certificate")),
                        versions(s),
                        s.get("ciphers").list("of suites", suite -> suite.text("")),
                        s.get("client-auth").choice(ClientAuth.NONE, ClientAuth.values()),
                        path(s.get("client-ca")),
                        s.get("identity-header").textOrNull(),
                        s.get("provider").choice(TlsProvider.AUTO, TlsProvider.values()),
                        s.get("sessions").section(TlsSessionsConfig.DEFAULT, TlsReader::sessions)),
                NONE));
    }

    /** As it is spoken with origins; null if nothing stands there. */
    @Nullable
    OriginTlsConfig origin(Element element) {
        OriginTlsConfig d = OriginTlsConfig.DEFAULT;
        return element.sectionOrNull(s -> s.build(
                () -> new OriginTlsConfig(
                        s.flag("verify", d.verify()),
                        path(s.get("ca")),
                        s.get("certificate").sectionOrNull(this::own),
                        s.get("server-name").text(d.serverName()),
                        versions(s),
                        s.get("provider").choice(d.provider(), TlsProvider.values())),
                d));
    }

    /** As the admin listener speaks it; null if nothing stands there. */
    @Nullable
    TlsConfig admin(Element element) {
        return element.sectionOrNull(s ->
                s.build(() -> AdminConfig.tls(certificate(s, null), path(s.get("client-ca"))), NONE));
    }

    private static List<TlsVersion> versions(Section s) {
        return s.get("protocols").list("of versions", version -> version.parsed(TlsVersion.TLS_1_3, TlsVersion::parse));
    }

    /** An empty list is refused; where there is none at all, that has been said already. */
    private List<CertificateConfig> certificates(Element element) {
        List<CertificateConfig> certificates = element.list("certificates", this::certificate);
        return certificates.isEmpty() && !element.isList() ? List.of(NO_CERTIFICATE) : certificates;
    }

    private CertificateConfig certificate(Element element) {
        return element.section(s -> certificate(s, path(s.get("ocsp"))));
    }

    private CertificateConfig own(Section s) {
        return certificate(s, null);
    }

    private CertificateConfig certificate(Section s, @Nullable String ocsp) {
        return s.build(
                () -> new CertificateConfig(
                        path(s.get("chain")),
                        path(s.get("key")),
                        path(s.get("pkcs12")),
                        s.get("password").secretOrNull(),
                        ocsp),
                NO_CERTIFICATE);
    }

    private static TlsSessionsConfig sessions(Section s) {
        TlsSessionsConfig d = TlsSessionsConfig.DEFAULT;
        return s.build(
                () -> new TlsSessionsConfig(
                        s.flag("tickets", d.tickets()),
                        s.number("cache", d.cache()),
                        s.duration("lifetime", d.lifetime())),
                d);
    }

    private @Nullable String path(Element element) {
        return element.present()
                ? element.parsed(
                        "none", text -> Path.of(file).resolveSibling(text).toString())
                : null;
    }
}
