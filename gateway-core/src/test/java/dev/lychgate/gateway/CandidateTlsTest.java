package dev.lychgate.gateway;

import static dev.lychgate.gateway.Candidates.CANARY;
import static dev.lychgate.gateway.Candidates.included;
import static dev.lychgate.gateway.Candidates.numbering;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.chain.FilterSet;
import dev.lychgate.config.CertificateConfig;
import dev.lychgate.config.EndpointConfig;
import dev.lychgate.config.OriginTlsConfig;
import dev.lychgate.config.RouteAction;
import dev.lychgate.config.TlsConfig;
import dev.lychgate.config.UpstreamConfig;
import dev.lychgate.generation.Generation;
import dev.lychgate.testing.Certificates;
import dev.lychgate.testing.TlsClient;
import dev.lychgate.testing.WithEachTlsProvider;
import java.io.IOException;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Certificates that are renewed while a candidate lives. */
@Tag("slow")
class CandidateTlsTest extends WithEachTlsProvider {
    private static final Certificates CA = Certificates.authority("Test Authority");

    private TlsConfig site(String name) {
        return TlsConfig.of(Certificates.pem(directory, "site", CA.issue(name))).withProvider(provider);
    }

    private static void assertServed(Running gateway, String subject, String stable, String candidate)
            throws IOException {
        try (TlsClient client =
                TlsClient.connect(gateway.gateway().address("main"), CA.context(null), "lychgate.test")) {
            assertThat(client.raw().send(Candidates.get("")).readResponse().body())
                    .isEqualTo(stable);
            assertThat(client.raw().send(Candidates.get(CANARY)).readResponse().body())
                    .isEqualTo(candidate);
            assertThat(client.serverSubject()).isEqualTo("CN=" + subject);
        }
    }

    @Test
    void aRenewedCertificateOfTheListenerStaysAfterThePromotion() throws Exception {
        Setup setup =
                new Setup().tls(site("old.test")).route("all", "/**", new RouteAction.Respond(204, Map.of(), null));
        try (Running gateway = setup.filters(numbering()).start()) {
            gateway.gateway().introduce(setup.config(), numbering(), included());
            assertServed(gateway, "old.test", "1", "2");

            site("new.test");
            gateway.gateway().apply(setup.config());
            assertServed(gateway, "new.test", "3", "2");

            gateway.gateway().promote();
            assertServed(gateway, "new.test", "2", "2");
        }
    }

    @Test
    void aRenewedCertificateTowardsOriginsIsUsedByTheCandidateToo() {
        CertificateConfig own = Certificates.pem(directory, "client", CA.issue("old-client"));
        UpstreamConfig upstream = UpstreamConfig.of("origin", EndpointConfig.parse("https://127.0.0.1:9"))
                .withTls(OriginTlsConfig.DEFAULT.withCertificate(own));
        Setup setup = new Setup().upstream(upstream);
        try (Running gateway = setup.start()) {
            Generation candidate = gateway.gateway().introduce(setup.config(), FilterSet.EMPTY, included());
            Object before = tls(candidate);
            assertThat(before).isSameAs(tls(gateway.gateway().generation()));

            Certificates.pem(directory, "client", CA.issue("new-client"));
            Generation stable = gateway.gateway().apply(setup.config());
            assertThat(tls(stable)).isNotSameAs(before);
            assertThat(tls(Objects.requireNonNull(gateway.gateway().candidate())))
                    .isSameAs(tls(stable));
        }
    }

    private static Object tls(Generation of) {
        return Objects.requireNonNull(
                Objects.requireNonNull(of.upstream("origin")).tls());
    }
}
