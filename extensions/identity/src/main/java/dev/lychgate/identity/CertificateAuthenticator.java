package dev.lychgate.identity;

import dev.lychgate.extension.ContributedAuthenticator;
import dev.lychgate.filter.Authentication;
import dev.lychgate.filter.Authenticator;
import dev.lychgate.filter.FilterExchange;
import dev.lychgate.filter.Identity;
import dev.lychgate.tls.ClientCertificate;
import dev.lychgate.tls.TlsSession;
import java.time.Clock;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Accepts requests on connections with a client certificate. The handshake has verified the certificate: its chain, its
 * purpose and its validity at that time. This class decides which name of the certificate is the identity, and whether
 * this name is accepted. Header fields in which a proxy describes the certificate of its client are ignored.
 *
 * @see <a href="https://github.com/spiffe/spiffe/blob/main/standards/X509-SVID.md#52-leaf-validation">X509-SVID, 5.2
 *     Leaf Validation</a>
 */
final class CertificateAuthenticator implements Authenticator {
    static final String SCHEME = "client-certificate";

    private final CertificateSettings settings;
    private final Set<String> exact;
    private final List<SpiffePattern> patterns;
    private final Clock clock;

    CertificateAuthenticator(CertificateSettings settings, Clock clock) {
        this.settings = settings;
        boolean spiffe = settings.subject() == CertificateSettings.Subject.SPIFFE_ID;
        this.exact = spiffe ? Set.of() : Set.copyOf(settings.allow());
        this.patterns =
                spiffe ? settings.allow().stream().map(SpiffePattern::parse).toList() : List.of();
        this.clock = clock;
    }

    /** Returns the declaration of this authenticator for the configuration. */
    static ContributedAuthenticator<VerifierThreads, ?> contributed() {
        return new ContributedAuthenticator<>(
                "client-certificate",
                "accepts the client certificate of the TLS connection, which may be an X.509-SVID of SPIFFE",
                CertificateSettings.KEYS,
                (threads, settings, name) -> new CertificateAuthenticator(settings, Clock.systemUTC()));
    }

    /** Returns null: the TLS handshake requests certificates, and HTTP has no scheme for them. */
    @Override
    public @Nullable String challenge() {
        return null;
    }

    @Override
    public CompletionStage<Authentication> authenticate(FilterExchange exchange) {
        TlsSession tls = exchange.getTls();
        ClientCertificate certificate = tls == null ? null : tls.clientCertificate();
        return CompletableFuture.completedFuture(certificate == null ? Authentication.absent() : judge(certificate));
    }

    private Authentication judge(ClientCertificate certificate) {
        // A connection or a resumed session may last longer than a short-lived certificate is valid.
        if (!Instant.ofEpochMilli(clock.millis()).isBefore(certificate.notAfter())) {
            return Authentication.refused(401, null, "the client certificate has expired");
        }
        return switch (settings.subject()) {
            case DN -> named(certificate, certificate.subject(), "the client certificate has no subject");
            case NAME -> {
                List<String> names = certificate.plainNames();
                yield named(
                        certificate,
                        names.size() == 1 ? names.get(0) : "",
                        "the client certificate needs exactly one alternative name that is not a URI");
            }
            case SPIFFE_ID -> workload(certificate);
        };
    }

    private Authentication named(ClientCertificate certificate, String subject, String otherwise) {
        if (subject.isEmpty()) {
            return forbidden(otherwise);
        }
        if (!exact.isEmpty() && !exact.contains(subject)) {
            return forbidden("the subject of the client certificate is not accepted");
        }
        return Authentication.accepted(
                new Identity(SCHEME, certificate.issuer(), subject, claims(certificate, subject)));
    }

    private Authentication workload(ClientCertificate certificate) {
        if (certificate.authority()) {
            return forbidden("the client certificate belongs to a certificate authority");
        }
        if (certificate.uris().size() != 1) {
            return forbidden("the client certificate needs exactly one URI");
        }
        SpiffeId id = SpiffeId.parse(certificate.uris().get(0));
        if (id == null) {
            return forbidden("the URI of the client certificate is not the SPIFFE id of a workload");
        }
        if (!settings.trustDomains().contains(id.trustDomain())) {
            return forbidden("the trust domain of the client certificate is not accepted");
        }
        if (!patterns.isEmpty() && patterns.stream().noneMatch(pattern -> pattern.matches(id))) {
            return forbidden("the SPIFFE id of the client certificate is not accepted");
        }
        Map<String, Object> claims = claims(certificate, id.toString());
        claims.put("spiffe_id", id.toString());
        claims.put("trust_domain", id.trustDomain());
        claims.put("spiffe_path", id.path());
        return Authentication.accepted(new Identity(SCHEME, SpiffeId.SCHEME + id.trustDomain(), id.toString(), claims));
    }

    private static Map<String, Object> claims(ClientCertificate certificate, String subject) {
        Map<String, Object> claims = new LinkedHashMap<>();
        claims.put(ApiKey.SUBJECT, subject);
        claims.put("subject_dn", certificate.subject());
        claims.put("issuer_dn", certificate.issuer());
        claims.put("names", certificate.plainNames());
        claims.put("uris", certificate.uris());
        claims.put("serial", certificate.serial());
        claims.put("fingerprint", certificate.fingerprint());
        claims.put("not_after", certificate.notAfter().getEpochSecond());
        return claims;
    }

    private static Authentication forbidden(String detail) {
        return Authentication.refused(403, null, detail);
    }
}
