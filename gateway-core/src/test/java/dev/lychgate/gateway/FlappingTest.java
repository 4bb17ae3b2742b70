package dev.lychgate.gateway;

import static dev.lychgate.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.config.Algorithm;
import dev.lychgate.config.ByteSize;
import dev.lychgate.config.HealthConfig;
import dev.lychgate.config.OutlierConfig;
import dev.lychgate.config.Percent;
import dev.lychgate.config.RetryConfig;
import dev.lychgate.gateway.Crowd.Heard;
import dev.lychgate.testing.RequestScript;
import dev.lychgate.testing.Responses;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Ten clients, five origins, of which one is well and ill by turns. */
@Tag("slow")
class FlappingTest {
    private static final int CLIENTS = 10;
    private static final Duration EJECTION = Duration.ofMillis(200);
    private static final HealthConfig OUTLIERS = new HealthConfig(
            null,
            new OutlierConfig(
                    3,
                    EJECTION,
                    Duration.ofMinutes(1),
                    new Percent(50),
                    Duration.ofSeconds(60),
                    20,
                    new Percent(100),
                    0));
    private static final RetryConfig RETRY = new RetryConfig(
            2,
            List.of("connect-failure", "reset", "503"),
            Duration.ZERO,
            RetryConfig.Backoff.DEFAULT,
            Duration.ofSeconds(1),
            ByteSize.ofKiB(64),
            false,
            null);

    private final FiveOrigins five;

    FlappingTest() throws IOException {
        five = new FiveOrigins();
    }

    @AfterEach
    void close() throws IOException {
        five.close();
    }

    private Running plain() {
        return new Setup().upstream(five.upstream(Algorithm.ROUND_ROBIN)).start();
    }

    /** With retries and outlier detection. */
    private Running guarded() {
        return new Setup()
                .upstream(five.upstream(Algorithm.ROUND_ROBIN).withHealth(OUTLIERS))
                .retrying(RETRY)
                .start();
    }

    @Test
    void aFlappingOneOfFiveFailsItsShareWheneverItIsDown() throws Exception {
        try (Running gateway = plain();
                Crowd crowd = new Crowd(gateway, CLIENTS)) {
            for (int spell = 1; spell <= 2; spell++) {
                assertThat(crowd.get(10).bad()).as("up").isZero();
                five.die(0);
                Heard heard = crowd.get(10);
                assertThat(heard.of("502 connect-refused"))
                        .as("down, of 100: %s", heard)
                        .isEqualTo(20);
                five.rise(0);
            }
        }
    }

    @Test
    void itIsEjectedForLongerEachTimeWithoutAnEffectOnClients() throws Exception {
        try (Running gateway = guarded();
                Crowd crowd = new Crowd(gateway, CLIENTS)) {
            crowd.get(100);
            for (int spell = 1; spell <= 3; spell++) {
                long down = System.nanoTime();
                five.die(0);
                long until = untilItIsLeftOut(gateway, crowd);
                assertThat(until - down).isGreaterThanOrEqualTo(spell * EJECTION.toNanos());
                five.rise(0);
                untilItIsAskedAgain(crowd);
                assertThat(System.nanoTime()).as("no request before").isGreaterThanOrEqualTo(until);
            }
            assertThat(crowd.bad()).isZero();
        }
    }

    /**
     * Clients send requests until outlier detection ejects the first origin.
     *
     * @return the end of the ejection, in nanoseconds
     */
    private long untilItIsLeftOut(Running gateway, Crowd crowd) throws Exception {
        eventually(() -> {
            crowd.get(1);
            assertThat(five.state(gateway, 0).ejectedUntil()).isGreaterThan(System.nanoTime());
        });
        return five.state(gateway, 0).ejectedUntil();
    }

    /** Clients send requests until the first origin receives one again. */
    private void untilItIsAskedAgain(Crowd crowd) throws Exception {
        int seen = five.seen(0);
        eventually(() -> {
            crowd.get(1);
            assertThat(five.seen(0)).as("asked again").isGreaterThan(seen);
        });
    }

    /** An origin that responds with 503 to its next {@code times} requests, and then recovers. */
    private RequestScript busyFor(int times) {
        AtomicInteger seen = new AtomicInteger();
        return (r, c) -> c.send(seen.incrementAndGet() <= times ? Responses.of(503, "busy") : Responses.ok("0"));
    }

    @Test
    void aBurstOfErrorsReachesTheClients() throws Exception {
        five.does(0, busyFor(50));
        try (Running gateway = plain();
                Crowd crowd = new Crowd(gateway, CLIENTS)) {
            Heard heard = crowd.get(50);
            assertThat(heard.of("503 busy")).as("of 500: %s", heard).isEqualTo(50);
            assertThat(heard.of("200 0")).isEqualTo(50);
        }
    }

    @Test
    void withRetriesAndOutlierDetectionABurstReachesNoClient() throws Exception {
        try (Running gateway = guarded();
                Crowd crowd = new Crowd(gateway, CLIENTS)) {
            crowd.get(100);
            five.does(0, busyFor(Integer.MAX_VALUE));
            untilItIsLeftOut(gateway, crowd);
            five.does(0, busyFor(0));
            untilItIsAskedAgain(crowd);
            assertThat(crowd.bad()).isZero();
        }
    }
}
