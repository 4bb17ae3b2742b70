package dev.lychgate.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The combinations of settings that would send a password unencrypted, or that TLS would need. */
class EtcdConfigTest {
    private static final EtcdUser USER = new EtcdUser("lychgate", "secret");
    private static final CertificateConfig CERTIFICATE = CertificateConfig.pem("client.pem", "client.key");

    private static EtcdConfig config(
            List<String> endpoints,
            @Nullable EtcdUser user,
            @Nullable String ca,
            @Nullable CertificateConfig certificate) {
        List<URI> urls = endpoints.stream().map(URI::create).toList();
        return new EtcdConfig(urls, "/lychgate", user, ca, certificate, Duration.ofSeconds(2));
    }

    @ParameterizedTest
    @ValueSource(strings = {"http://10.0.0.5:2379", "http://etcd.example:2379", "http://127.0.0.1.example:2379"})
    void refusesAPasswordOverHttp(String remote) {
        for (List<String> endpoints : List.of(List.of(remote), List.of("https://10.0.0.6:2379", remote))) {
            assertThatThrownBy(() -> config(endpoints, USER, null, null))
                    .isInstanceOf(ConfigException.class)
                    .hasMessage("endpoints: http (expected: https URLs or loopback addresses, because the password is"
                            + " sent to the members)");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"https://10.0.0.5:2379", "http://127.0.0.1:2379", "http://[::1]:2379", "http://localhost:2379"})
    void acceptsAPasswordOverTlsAndOnTheSameMachine(String endpoint) {
        assertThat(config(List.of(endpoint), USER, null, null).user()).isEqualTo(USER);
    }

    @Test
    void refusesSettingsOfTlsWithHttp() {
        List<String> mixed = List.of("https://10.0.0.6:2379", "http://127.0.0.1:2379");
        assertThatThrownBy(() -> config(mixed, null, "ca.pem", null))
                .hasMessage("ca: set together with http URLs (expected: https URLs, or neither ca nor certificate)");
        assertThatThrownBy(() -> config(mixed, null, null, CERTIFICATE))
                .hasMessage(
                        "certificate: set together with http URLs (expected: https URLs, or neither ca nor certificate)");
        assertThat(config(List.of("https://10.0.0.6:2379"), null, "ca.pem", CERTIFICATE)
                        .ca())
                .isEqualTo("ca.pem");
    }
}
