package dev.lychgate.redis;

import static dev.lychgate.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.lychgate.testing.RawClient;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * Three gateways with real sockets share a limit through a real Redis server. With {@code -Dlychgate.redis.seconds=60} the long run
 * takes a minute.
 */
@Tag("slow")
@EnabledIfSystemProperty(
        named = "lychgate.redis.fleet",
        matches = "true",
        disabledReason = "measures rates, which needs an idle machine; run with -Dlychgate.redis.fleet=true")
class RedisFleetTest {
    private static final long SECOND = 1_000_000_000L;
    private static final int LONG_RUN = Integer.getInteger("lychgate.redis.seconds", 8);

    @BeforeAll
    static void needsRedis() {
        assumeTrue(RedisServer.isInstalled(), RedisServer.MISSING);
    }

    private static Fleet fleet(int count, String limit, RedisServer server) throws Exception {
        return Fleet.start(count, limit, Map.of("endpoints", List.of(server.endpoint())));
    }

    private static void sleep(Duration time) throws InterruptedException {
        Thread.sleep(time.toMillis());
    }

    @Test
    void threeGatewaysShareARateWithinTheBoundAndReachIt() throws Exception {
        try (RedisServer server = RedisServer.start();
                Fleet fleet = fleet(3, "limit: 1000/s", server);
                Load load = Load.start(fleet.addresses(), 700)) {
            // The burst is used up after a second.
            sleep(Duration.ofSeconds(3));
            long from = System.nanoTime();
            sleep(Duration.ofSeconds(LONG_RUN));
            long to = System.nanoTime();
            Load.Results results = load.end();

            assertThat(results.failed()).isZero();
            // Late reads of responses would shift the times at which requests were admitted.
            assumeTrue(results.exceeds(1000, from, to), Load.Results.BUSY);
            assertThat(results.mostBeyond(1000)).isLessThanOrEqualTo(1000 + fleet.slack());
            assertThat(results.mostWithin(SECOND)).isLessThanOrEqualTo(1000 + 1000 + fleet.slack());
            assertThat(results.rate(from, to)).as(Load.describe(results)).isBetween(995.0, 1005.0);
            assertThat(fleet.shared(0).onLossDecisions())
                    .as("decisions without Redis")
                    .isLessThan(50);
        }
    }

    @Test
    void aLeasedLimitContinuesWithoutWaitingWhileRedisIsFrozenOrKilled() throws Exception {
        try (RedisServer server = RedisServer.start();
                Fleet fleet = fleet(3, "limit: 600/s, burst: 60", server);
                Load load = Load.start(fleet.addresses(), 400)) {
            sleep(Duration.ofSeconds(1));
            server.freeze();
            long frozen = System.nanoTime();
            eventually(() -> assertThat(fleet.shared(0).isLost()).isTrue());
            sleep(Duration.ofSeconds(2));
            long thawed = System.nanoTime();
            server.thaw();
            eventually(() -> assertThat(fleet.isLost()).isFalse());
            sleep(Duration.ofSeconds(1));
            server.kill();
            long killed = System.nanoTime();
            eventually(() -> assertThat(fleet.shared(0).isLost()).isTrue());
            sleep(Duration.ofSeconds(2));
            long restarted = System.nanoTime();
            server.restart();
            eventually(() -> assertThat(fleet.isLost()).isFalse());
            sleep(Duration.ofSeconds(1));
            Load.Results results = load.end();

            assertThat(results.failed()).isZero();
            // A loss adds the gateways' own buckets, and a restarted server has full ones.
            assertThat(results.mostBeyond(600)).as(Load.describe(results)).isLessThanOrEqualTo(3 * 60 + fleet.slack());
            assumeTrue(results.exceeds(600, frozen, restarted), Load.Results.BUSY);
            // Each gateway admits a third of the limit, after what its own bucket has.
            assertThat(results.rate(frozen + SECOND / 2, thawed)).isBetween(540.0, 660.0);
            assertThat(results.rate(killed + SECOND / 2, restarted)).isBetween(540.0, 660.0);
        }
    }

    private static long nanos(RawClient client, int status) throws Exception {
        long begin = System.nanoTime();
        assertThat(client.get("/").status()).isEqualTo(status);
        return System.nanoTime() - begin;
    }

    @Test
    void anExactLimitWaitsForAFrozenRedisOnceAndIsExactAfterwards() throws Exception {
        try (RedisServer server = RedisServer.start();
                Fleet fleet = fleet(2, "limit: 30/h, on-loss: closed", server);
                RawClient one = RawClient.connect(fleet.addresses().get(0));
                RawClient another = RawClient.connect(fleet.addresses().get(1))) {
            for (int i = 0; i < 10; i++) {
                // A busy machine may make Redis late.
                eventually(() -> assertThat(one.get("/").status()).isEqualTo(204));
            }
            eventually(() -> assertThat(another.get("/").status()).isEqualTo(204));
            server.freeze();
            assertThat(nanos(one, 429)).isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(10));
            long asked = fleet.shared(0).questions();
            for (int i = 0; i < 200; i++) {
                assertThat(one.get("/").status()).isEqualTo(429);
            }
            assertThat(fleet.shared(0).questions())
                    .as("no request asks, so that none waits")
                    .isEqualTo(asked);
            server.thaw();
            eventually(() -> assertThat(one.get("/").status()).isEqualTo(204));
            eventually(() -> assertThat(fleet.isLost()).isFalse());
            int admitted = 12;
            for (int i = 0; i < 100; i++) {
                int before = admitted;
                admitted += one.get("/").status() == 204 ? 1 : 0;
                admitted += another.get("/").status() == 204 ? 1 : 0;
                assertThat(admitted).isGreaterThanOrEqualTo(before);
            }
            // Late decisions may cost a unit; none is admitted beyond the limit.
            assertThat(admitted).isBetween(26, 30);
        }
    }
}
