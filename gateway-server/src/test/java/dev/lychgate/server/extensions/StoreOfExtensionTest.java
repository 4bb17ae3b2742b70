package dev.lychgate.server.extensions;

import static dev.lychgate.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.lychgate.Lychgate;
import dev.lychgate.server.admin.Generations;
import dev.lychgate.server.reload.FileGateway;
import dev.lychgate.server.reload.RefusedException;
import dev.lychgate.server.terminal.JsonValue;
import dev.lychgate.server.terminal.RateLimitsText;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.RawMessage;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rate limits with a store that an extension contributes: refusals without it, and what operators see. */
@Tag("slow")
class StoreOfExtensionTest {
    /** Grants everything until it is lost, by the system property {@code NAME.lost}. */
    private static final String STORE = """
            package sample;

            import dev.lychgate.config.*;
            import dev.lychgate.extension.*;
            import dev.lychgate.limit.BucketStore;
            import java.util.List;

            public final class Storing implements Extension<Storing.Settings, Storing.Store> {
                public record Settings(int gateways) {}

                private static final Key<Integer> GATEWAYS = Key.number("gateways", 3).about("the gateways");

                @Override
                public Keys<Settings> keys() {
                    return Keys.of(Settings::new, GATEWAYS);
                }

                @Override
                public List<ContributedFilter<Store, ?>> filters() {
                    return List.of();
                }

                @Override
                public Store open(Settings settings) {
                    return new Store(settings.gateways());
                }

                public record Store(int gateways) implements BucketStore {
                    @Override
                    public void ask(Bucket bucket, long owed, long wanted, Outcome outcome) {
                        if (Boolean.getBoolean("NAME.lost")) {
                            outcome.failed();
                        } else {
                            outcome.granted(wanted, bucket.burst(), 0);
                        }
                    }

                    @Override
                    public int parts() {
                        return 1;
                    }

                    @Override
                    public int partOf(String name) {
                        return 0;
                    }

                    @Override
                    public long deadline() {
                        return 10_000_000;
                    }
                }
            }
            """;

    @TempDir
    Path home = Path.of("");

    private Path directory = Path.of("");

    @BeforeEach
    void install() throws Exception {
        directory = Files.createDirectories(home.resolve("extensions"));
        System.setProperty(InstalledExtensions.DIRECTORY, directory.toString());
        for (String name : new String[] {"storing", "another"}) {
            ExtensionJars.of(name)
                    .with("Lychgate-Extension-Class", "sample.Storing")
                    .compiled(Map.of("sample.Storing", STORE.replace("NAME", name)))
                    .write(directory.resolve(name + ".jar"));
        }
    }

    @AfterEach
    void forget() {
        System.clearProperty(InstalledExtensions.DIRECTORY);
        System.clearProperty("storing.lost");
    }

    private Path configure(String extensions) throws Exception {
        return Files.writeString(home.resolve("gateway.yml"), """
                listeners: [{ name: main, address: "127.0.0.1:0" }]
                admin: { address: "127.0.0.1:0" }
                access-log: { format: off }
                rate-limits:
                  alone: { limit: 100/s }
                  tenants: { limit: 1000/s, scope: fleet }
                  logins: { limit: 9/m, scope: fleet, on-loss: closed }
                routes:
                  - { id: api, rate-limit: [alone, tenants, logins], respond: { status: 200 } }
                """ + extensions);
    }

    private String refused(String extensions) throws Exception {
        Path file = configure(extensions);
        StringBuilder text = new StringBuilder();
        assertThatExceptionOfType(RefusedException.class)
                .isThrownBy(() ->
                        FileGateway.start(file, name -> null, Lychgate::start).close())
                .satisfies(e -> text.append(e.getMessage()));
        return text.toString().replace(file.toString(), "gateway.yml");
    }

    @Test
    void aSharedLimitWithoutAStoreIsRefusedWithItsPlace() throws Exception {
        assertThat(refused(""))
                .contains("gateway.yml:6:36: rate-limits.tenants.scope: fleet (expected: local, or a section of"
                        + " extensions that provides a store of rate limits, such as redis)");
    }

    @Test
    void twoStoresAreRefused() throws Exception {
        assertThat(refused("extensions: { storing: {}, another: {} }\n"))
                .contains("gateway.yml:10:37: extensions.another: has a store of rate limits (expected: at most one"
                        + " extension with such a store; extension storing also has one)");
    }

    private static RawMessage get(int port, String target) throws Exception {
        try (RawClient client = RawClient.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port))) {
            return client.send("GET " + target + " HTTP/1.1\r\nHost: localhost\r\n\r\n")
                    .readResponse();
        }
    }

    @Test
    void operatorsSeeHowSharedLimitsDecide() throws Exception {
        try (FileGateway<Lychgate> files =
                FileGateway.start(configure("extensions: { storing: {} }\n"), name -> null, Lychgate::start)) {
            Lychgate gateway = files.gateway();
            try {
                int main = gateway.port("main");
                int admin = gateway.adminPort();
                for (int i = 0; i < 3; i++) {
                    assertThat(get(main, "/").status()).isEqualTo(200);
                }
                JsonNode limits = new ObjectMapper()
                        .readTree(get(admin, "/rate-limits").body())
                        .path("rate_limits");
                assertThat(limits.get(0).path("scope").asText()).isEqualTo("local");
                assertThat(limits.get(0).has("fleet")).isFalse();
                JsonNode leased = limits.get(1).path("fleet");
                assertThat(leased.path("decides").asText()).isEqualTo("leased");
                assertThat(leased.path("gateways").asInt()).isEqualTo(3);
                assertThat(leased.path("leased").asInt()).isBetween(1, 20);
                assertThat(limits.get(2).path("fleet").toString())
                        .isEqualTo("{\"decides\":\"exact\",\"on_loss\":\"closed\",\"lost\":false,\"gateways\":3,"
                                + "\"leased\":0,\"questions\":3,\"on_loss_decisions\":0,\"unleased\":0}");
                assertThat(get(admin, "/explain?url=/x").body())
                        .contains("\"rate_limits\":[\"alone\",\"tenants (fleet, leased, 3 gateways)\","
                                + "\"logins (fleet, exact, 3 gateways)\"]");

                System.setProperty("storing.lost", "true");
                assertThat(get(main, "/").status()).isEqualTo(429);
                // The limit before it may have found the loss, so that no question was asked.
                assertThat(String.join(
                                "\n",
                                RateLimitsText.lines(
                                        JsonValue.of(get(admin, "/rate-limits").body()))))
                        .contains("logins: 9/m requests by client, burst 9, fleet\n")
                        .containsPattern(
                                "  exact over 3 gateways, requests to the store [34], refused while leasing 0, "
                                        + "decided without"
                                        + " the store 1\n  the store does not respond: closed");
                assertThat(get(admin, "/explain?url=/x").body())
                        .contains("logins (fleet, exact, 3 gateways, store lost: closed)");
                eventually(() -> assertThat(get(admin, "/metrics").body())
                        .contains(
                                "lychgate_rate_limit_lost{limit=\"logins\"} 1.0",
                                "lychgate_rate_limit_on_loss_total{limit=\"logins\"} 1.0",
                                "lychgate_rate_limit_gateways{limit=\"logins\"} 3.0",
                                "lychgate_rate_limit_gateways{limit=\"alone\"} 1.0",
                                "lychgate_rate_limit_questions_total{limit=\"logins\"}"));

                System.clearProperty("storing.lost");
                eventually(() -> assertThat(get(main, "/").status()).isEqualTo(200));

                configure("extensions: { storing: { gateways: 4 } }\n");
                assertThat(files.reloader().reload("test")).isInstanceOf(Generations.Outcome.Taken.class);
                assertThat(get(main, "/").status()).isEqualTo(200);
                assertThat(get(admin, "/rate-limits").body()).contains("\"gateways\":4");
            } finally {
                gateway.close();
            }
        }
    }
}
