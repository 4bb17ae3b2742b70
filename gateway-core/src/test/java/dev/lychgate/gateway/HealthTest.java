package dev.lychgate.gateway;

import static dev.lychgate.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.config.ActiveHealthConfig;
import dev.lychgate.config.BalanceConfig;
import dev.lychgate.config.EndpointAddress;
import dev.lychgate.config.EndpointConfig;
import dev.lychgate.config.HealthConfig;
import dev.lychgate.config.OutlierConfig;
import dev.lychgate.config.Percent;
import dev.lychgate.config.UpstreamConfig;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.Responses;
import dev.lychgate.testing.ScriptedOrigin;
import dev.lychgate.upstream.EndpointState;
import dev.lychgate.upstream.EndpointState.Health;
import java.io.IOException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Two origins over real sockets; the first one can be made to fall ill. */
@Tag("slow")
class HealthTest {
    private static final Duration SHORT = Duration.ofMillis(100);

    /** The status that the first origin returns; -1 = no response, -2 = it closes. */
    private final AtomicInteger status = new AtomicInteger(200);

    private final ConcurrentLinkedQueue<String> checks = new ConcurrentLinkedQueue<>();

    private final ScriptedOrigin ill = ScriptedOrigin.answering((r, c) -> {
        if (r.target().startsWith("/health")) {
            checks.add(r.target() + " " + r.value("host").orElse("") + " "
                    + r.value("user-agent").orElse(""));
        }
        int now = status.get();
        if (now == -2) {
            c.close();
        } else if (now != -1) {
            c.send("HTTP/1.1 " + now + " X\r\nContent-Length: 5\r\n\r\nfirst");
        }
    });
    private final ScriptedOrigin well = ScriptedOrigin.answering((r, c) -> c.send(Responses.ok("second")));

    @AfterEach
    void close() {
        ill.close();
        well.close();
    }

    private static ActiveHealthConfig active(@Nullable String path, @Nullable String body, Integer... statuses) {
        return activeWithin(Duration.ofSeconds(5), path, body, statuses);
    }

    private static ActiveHealthConfig activeWithin(
            Duration timeout, @Nullable String path, @Nullable String body, Integer... statuses) {
        return new ActiveHealthConfig(
                path,
                path == null ? null : "checked.test",
                0,
                SHORT,
                new Percent(10),
                timeout,
                2,
                2,
                Set.of(statuses),
                body);
    }

    private UpstreamConfig upstream(HealthConfig health) {
        return UpstreamConfig.of(
                        "origin",
                        new EndpointConfig("127.0.0.1", ill.port()),
                        new EndpointConfig("127.0.0.1", well.port()))
                .withBalance(BalanceConfig.DEFAULT)
                .withHealth(health);
    }

    private Running start(HealthConfig health) {
        return new Setup().upstream(upstream(health)).start();
    }

    private EndpointState state(Running gateway) {
        return java.util.Objects.requireNonNull(gateway.gateway().generation().upstream("origin"))
                .state()
                .of(new EndpointAddress("127.0.0.1", ill.port()));
    }

    private static Set<String> answers(Running gateway, int requests) throws IOException {
        Set<String> answers = new java.util.TreeSet<>();
        try (RawClient client = gateway.client()) {
            for (int i = 0; i < requests; i++) {
                answers.add(client.get("/").body());
            }
        }
        return answers;
    }

    @Test
    void anUnhealthyOriginGetsNoRequestsUntilItRecovers() throws Exception {
        try (Running gateway = start(new HealthConfig(active("/health?deep=1", null), null))) {
            eventually(() -> assertThat(state(gateway).health()).isEqualTo(Health.HEALTHY));
            assertThat(checks.peek()).isEqualTo("/health?deep=1 checked.test lychgate-health");
            assertThat(answers(gateway, 30)).containsExactly("first", "second");

            status.set(503);
            eventually(() -> assertThat(state(gateway).health()).isEqualTo(Health.UNHEALTHY));
            assertThat(answers(gateway, 30)).containsExactly("second");

            status.set(200);
            eventually(() -> assertThat(state(gateway).health()).isEqualTo(Health.HEALTHY));
            assertThat(answers(gateway, 60)).containsExactly("first", "second");
        }
    }

    @Test
    void silenceAResetAndARefusalAreFailedChecksToo() throws Exception {
        Duration brief = Duration.ofMillis(300);
        try (Running gateway = start(new HealthConfig(activeWithin(brief, "/health", null), null))) {
            for (int fault : new int[] {-1, -2}) {
                status.set(fault);
                eventually(() -> assertThat(state(gateway).health()).isEqualTo(Health.UNHEALTHY));
                status.set(200);
                eventually(() -> assertThat(state(gateway).health()).isEqualTo(Health.HEALTHY));
            }
            ill.close();
            eventually(() -> assertThat(state(gateway).health()).isEqualTo(Health.UNHEALTHY));
        }
    }

    @Test
    void aConnectionSufficesWithoutAPath() throws Exception {
        try (Running gateway = start(new HealthConfig(active(null, null), null))) {
            eventually(() -> assertThat(state(gateway).health()).isEqualTo(Health.HEALTHY));
            assertThat(checks).isEmpty();
            ill.close();
            eventually(() -> assertThat(state(gateway).health()).isEqualTo(Health.UNHEALTHY));
        }
    }

    @Test
    void requiresTheExpectedResponse() throws Exception {
        try (Running gateway = start(new HealthConfig(active("/health", "first", 200, 418), null))) {
            eventually(() -> assertThat(state(gateway).health()).isEqualTo(Health.HEALTHY));
            status.set(204);
            eventually(() -> assertThat(state(gateway).health()).isEqualTo(Health.UNHEALTHY));
            status.set(418);
            eventually(() -> assertThat(state(gateway).health()).isEqualTo(Health.HEALTHY));
            gateway.gateway()
                    .apply(new Setup()
                            .upstream(upstream(new HealthConfig(active("/health", "something else"), null)))
                            .config());
            eventually(() -> assertThat(state(gateway).health()).isEqualTo(Health.UNHEALTHY));
        }
    }

    @Test
    void removesTheResultsOfEndpointsWithoutChecks() throws Exception {
        try (Running gateway = start(new HealthConfig(active("/health", null), null))) {
            status.set(503);
            eventually(() -> assertThat(state(gateway).health()).isEqualTo(Health.UNHEALTHY));
            gateway.gateway()
                    .apply(new Setup().upstream(upstream(HealthConfig.NONE)).config());
            eventually(() -> assertThat(state(gateway).health()).isEqualTo(Health.UNKNOWN));
            int seen = checks.size();
            Thread.sleep(3 * SHORT.toMillis());
            assertThat(checks.size()).isLessThanOrEqualTo(seen + 1);
        }
    }

    @Test
    void aReloadWithoutChangesDoesNotRestartChecks() throws Exception {
        HealthConfig slowly = new HealthConfig(
                new ActiveHealthConfig(
                        "/health",
                        null,
                        0,
                        Duration.ofHours(1),
                        new Percent(0),
                        Duration.ofSeconds(5),
                        1,
                        1,
                        Set.of(),
                        null),
                null);
        try (Running gateway = start(slowly)) {
            eventually(() -> assertThat(checks).hasSize(1));
            for (int i = 0; i < 5; i++) {
                gateway.gateway().apply(new Setup().upstream(upstream(slowly)).config());
            }
            assertThat(answers(gateway, 10)).isNotEmpty();
            assertThat(checks).hasSize(1);
        }
    }

    @Test
    void anOriginThatFailsUnderTrafficIsEjectedAndComesBack() throws Exception {
        OutlierConfig quick = new OutlierConfig(
                3, Duration.ofSeconds(3), Duration.ofSeconds(4), new Percent(50), SHORT, 20, new Percent(30), 0);
        try (Running gateway = start(new HealthConfig(null, quick))) {
            status.set(500);
            eventually(() -> {
                answers(gateway, 10);
                assertThat(state(gateway).ejectedUntil()).isGreaterThan(System.nanoTime());
            });
            status.set(200);
            assertThat(answers(gateway, 20)).containsExactly("second");
            eventually(() -> assertThat(answers(gateway, 10)).containsExactly("first", "second"));
        }
    }
}
