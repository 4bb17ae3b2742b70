package dev.lychgate.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lychgate.config.ConfigException;
import dev.lychgate.config.PlainValues;
import dev.lychgate.filter.Authentication;
import dev.lychgate.filter.Identity;
import dev.lychgate.tls.ClientCertificate;
import dev.lychgate.tls.TlsSession;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class CertificateAuthenticatorTest {
    private static final Instant NOW = Instant.parse("2027-01-01T00:00:00Z");
    private static final Instant LATER = NOW.plusSeconds(3_600);
    private static final String ID = "spiffe://prod.example/ns/billing/sa/api";
    private static final Map<String, Object> OF_WORKLOADS =
            Map.of("subject", "spiffe-id", "trust-domains", List.of("prod.example", "edge.example"));

    private static CertificateSettings settings(Map<String, Object> values) {
        return CertificateSettings.KEYS.read(PlainValues.of(values));
    }

    private static ClientCertificate certificate(String subject, List<String> plain, List<String> uris) {
        List<String> names = Stream.concat(plain.stream(), uris.stream()).toList();
        return new ClientCertificate(subject, "CN=ca", names, "1f", "ab12", LATER, "AA==", uris, false);
    }

    private static ClientCertificate workload(String... uris) {
        return certificate("O=SPIRE", List.of("api.billing"), List.of(uris));
    }

    private static Authentication result(
            Map<String, Object> settings, @Nullable ClientCertificate certificate, Instant time) {
        CertificateAuthenticator authenticator =
                new CertificateAuthenticator(settings(settings), Clock.fixed(time, ZoneOffset.UTC));
        return authenticator
                .authenticate(
                        Requests.over(new TlsSession("TLSv1.3", "TLS_AES_128_GCM_SHA256", null, false, certificate)))
                .toCompletableFuture()
                .join();
    }

    private static String ask(Map<String, Object> settings, ClientCertificate certificate) {
        return Asked.text(result(settings, certificate, NOW));
    }

    private static Identity identity(Map<String, Object> settings, ClientCertificate certificate) {
        return ((Authentication.Accepted) result(settings, certificate, NOW)).identity();
    }

    private static Map<String, Object> with(Map<String, Object> settings, List<String> allow) {
        Map<String, Object> all = new LinkedHashMap<>(settings);
        all.put("allow", allow);
        return all;
    }

    @Test
    void leavesConnectionsWithoutACertificateToOtherAuthenticators() {
        CertificateAuthenticator authenticator =
                new CertificateAuthenticator(settings(Map.of()), Clock.fixed(NOW, ZoneOffset.UTC));
        assertThat(authenticator
                        .authenticate(Requests.over(null))
                        .toCompletableFuture()
                        .join())
                .isEqualTo(Authentication.absent());
        assertThat(result(Map.of(), null, NOW)).isEqualTo(Authentication.absent());
        assertThat(authenticator.challenge()).isNull();
    }

    @Test
    void takesTheDistinguishedNameByDefault() {
        ClientCertificate certificate =
                certificate("CN=billing,O=Example", List.of("billing.example"), List.of("urn:x:1"));
        Identity identity = identity(Map.of(), certificate);
        assertThat(identity.scheme()).isEqualTo("client-certificate");
        assertThat(identity.issuer()).isEqualTo("CN=ca");
        assertThat(identity.subject()).isEqualTo("CN=billing,O=Example");
        assertThat(identity.claims())
                .isEqualTo(Map.of(
                        "sub", "CN=billing,O=Example",
                        "subject_dn", "CN=billing,O=Example",
                        "issuer_dn", "CN=ca",
                        "names", List.of("billing.example"),
                        "uris", List.of("urn:x:1"),
                        "serial", "1f",
                        "fingerprint", "ab12",
                        "not_after", LATER.getEpochSecond()));
        assertThat(ask(Map.of(), certificate("", List.of("a"), List.of())))
                .isEqualTo("403 the client certificate has no subject");
    }

    /** Patterns could be satisfied by a name with commas or by a longer name, so a subject is compared as a whole. */
    @Test
    void acceptsOnlyTheListedSubjectsAsAWhole() {
        Map<String, Object> settings = Map.of("allow", List.of("CN=billing,O=Example"));
        assertThat(ask(settings, certificate("CN=billing,O=Example", List.of(), List.of())))
                .isEqualTo("accepted CN=billing,O=Example");
        for (String other : List.of(
                "CN=billing\\,O=Example",
                "CN=billing,O=Example,C=DE",
                "CN=BILLING,O=Example",
                "O=Example,CN=billing")) {
            assertThat(ask(settings, certificate(other, List.of(), List.of())))
                    .as(other)
                    .isEqualTo("403 the subject of the client certificate is not accepted");
        }
    }

    @Test
    void takesTheOnlyAlternativeNameIfConfigured() {
        Map<String, Object> settings = Map.of("subject", "name", "allow", List.of("billing.example"));
        assertThat(ask(settings, certificate("CN=x", List.of("billing.example"), List.of(ID))))
                .isEqualTo("accepted billing.example");
        assertThat(ask(settings, certificate("CN=billing.example", List.of("other.example"), List.of())))
                .isEqualTo("403 the subject of the client certificate is not accepted");
        for (List<String> names : List.of(List.<String>of(), List.of("billing.example", "other.example"))) {
            assertThat(ask(settings, certificate("CN=billing.example", names, List.of(ID))))
                    .isEqualTo("403 the client certificate needs exactly one alternative name that is not a URI");
        }
    }

    @Test
    void takesTheSpiffeIdOfAWorkload() {
        Identity identity = identity(OF_WORKLOADS, workload(ID));
        assertThat(identity.issuer()).isEqualTo("spiffe://prod.example");
        assertThat(identity.subject()).isEqualTo(ID);
        assertThat(identity.claims())
                .containsEntry("sub", ID)
                .containsEntry("spiffe_id", ID)
                .containsEntry("trust_domain", "prod.example")
                .containsEntry("spiffe_path", "/ns/billing/sa/api")
                .containsEntry("names", List.of("api.billing"));
    }

    /** X509-SVID, 5.2: the certificate is a leaf, and has exactly one URI, with the scheme spiffe and a path. */
    @Test
    void refusesCertificatesThatAreNoSvidsOfWorkloads() {
        String one = "403 the client certificate needs exactly one URI";
        assertThat(ask(OF_WORKLOADS, workload())).isEqualTo(one);
        assertThat(ask(OF_WORKLOADS, workload(ID, ID))).isEqualTo(one);
        assertThat(ask(OF_WORKLOADS, workload(ID, "https://example.org/"))).isEqualTo(one);
        ClientCertificate authority =
                new ClientCertificate("O=SPIRE", "CN=ca", List.of(ID), "1f", "ab12", LATER, "AA==", List.of(ID), true);
        assertThat(ask(OF_WORKLOADS, authority))
                .isEqualTo("403 the client certificate belongs to a certificate authority");
        for (String uri : List.of(
                "https://prod.example/ns/billing",
                "spiffe://prod.example",
                "spiffe://prod.example/",
                "spiffe:/prod.example/a",
                "spiffe:///a",
                "SPIFFE://prod.example/a",
                "spiffe://PROD.example/a",
                "spiffe://prod.example:443/a",
                "spiffe://user@prod.example/a",
                "spiffe://prod.example/a/",
                "spiffe://prod.example//a",
                "spiffe://prod.example/a/../b",
                "spiffe://prod.example/./a",
                "spiffe://prod.example/%61",
                "spiffe://prod.example/a?b",
                "spiffe://prod.example/a#b",
                "spiffe://prod.example/a b",
                "spiffe://prod.example/ä",
                "spiffe://prod.example/" + "a".repeat(2_027),
                "spiffe://" + "a".repeat(256) + "/a")) {
            assertThat(ask(OF_WORKLOADS, workload(uri)))
                    .as(uri)
                    .isEqualTo("403 the URI of the client certificate is not the SPIFFE id of a workload");
        }
        assertThat(ask(OF_WORKLOADS, workload("spiffe://prod.example/" + "a".repeat(2_026))))
                .startsWith("accepted");
    }

    @Test
    void acceptsTheTrustDomainsAndIdsThatAreListed() {
        assertThat(ask(OF_WORKLOADS, workload("spiffe://edge.example/a")))
                .isEqualTo("accepted spiffe://edge.example/a");
        for (String uri :
                List.of("spiffe://example/a", "spiffe://prod.example.evil.test/a", "spiffe://xprod.example/a")) {
            assertThat(ask(OF_WORKLOADS, workload(uri)))
                    .isEqualTo("403 the trust domain of the client certificate is not accepted");
        }
        Map<String, Object> some =
                with(OF_WORKLOADS, List.of("spiffe://prod.example/ns/*/sa/api", "spiffe://edge.example/ns/**"));
        for (String uri : List.of(ID, "spiffe://edge.example/ns/a", "spiffe://edge.example/ns/a/b/c")) {
            assertThat(ask(some, workload(uri))).isEqualTo("accepted " + uri);
        }
        for (String uri : List.of(
                "spiffe://prod.example/ns/billing/sa/api/x",
                "spiffe://prod.example/ns/billing/sa",
                "spiffe://prod.example/ns/a/b/sa/api",
                "spiffe://prod.example/ns/billing/sa/API",
                "spiffe://edge.example/ns",
                "spiffe://edge.example/nsx/a",
                "spiffe://edge.example/a/ns/b")) {
            assertThat(ask(some, workload(uri)))
                    .as(uri)
                    .isEqualTo("403 the SPIFFE id of the client certificate is not accepted");
        }
    }

    /** A connection may last longer than a short-lived certificate. */
    @Test
    void refusesACertificateThatHasExpiredSinceTheHandshake() {
        assertThat(Asked.text(result(OF_WORKLOADS, workload(ID), LATER.minusMillis(1))))
                .isEqualTo("accepted " + ID);
        assertThat(Asked.text(result(OF_WORKLOADS, workload(ID), LATER)))
                .isEqualTo("401 the client certificate has expired");
    }

    @Test
    void refusesSettingsThatCannotMatch() {
        refused(
                Map.of("subject", "spiffe-id"),
                "trust-domains: missing (expected: the trust domains whose ids are accepted)");
        refused(
                Map.of("trust-domains", List.of("prod.example")),
                "trust-domains: [prod.example] (expected: no trust-domains, which apply only to subject: spiffe-id)");
        refused(
                Map.of("subject", "spiffe-id", "trust-domains", List.of("spiffe://prod.example")),
                "trust-domains: spiffe://prod.example (expected: a trust domain in lower case, such as example.org)");
        refused(Map.of("allow", List.of("")), "allow: an empty text (expected: the complete subject)");
        refused(
                with(OF_WORKLOADS, List.of("spiffe://other.example/a")),
                "allow: spiffe://other.example/a (expected: an id in one of the trust-domains)");
        for (String pattern : List.of(
                "*",
                "prod.example/a",
                "spiffe://prod.example",
                "spiffe://*/a",
                "spiffe://prod.example/**/a",
                "spiffe://prod.example/a*",
                "spiffe://prod.example/",
                "spiffe://prod.example/a/..",
                "spiffe://prod.example/a//b")) {
            refused(
                    with(OF_WORKLOADS, List.of(pattern)),
                    "allow: " + pattern
                            + " (expected: a SPIFFE id with a path, such as spiffe://example.org/ns/*/sa/billing or"
                            + " spiffe://example.org/ns/prod/**)");
        }
    }

    private static void refused(Map<String, Object> settings, String message) {
        assertThatThrownBy(() -> settings(settings))
                .isInstanceOf(ConfigException.class)
                .hasMessage(message);
    }
}
