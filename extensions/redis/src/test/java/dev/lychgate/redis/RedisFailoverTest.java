package dev.lychgate.redis;

import static dev.lychgate.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.lychgate.testing.UnusedPort;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** Three gateways share a limit while another Redis server becomes the master. */
@Tag("slow")
@EnabledIfSystemProperty(
        named = "lychgate.redis.failover",
        matches = "true",
        disabledReason = "takes a minute; run with -Dlychgate.redis.failover=true")
class RedisFailoverTest {
    private static final long SECOND = 1_000_000_000L;
    private static final Duration FAILOVER = Duration.ofSeconds(30);
    private static final String LIMIT = "limit: 600/s, burst: 60";

    @BeforeAll
    static void needsRedis() {
        assumeTrue(RedisServer.isInstalled(), RedisServer.MISSING);
    }

    private interface Outage {
        void begin() throws Exception;
    }

    /** Loads the fleet before, during and after an outage that a failover ends. */
    private static void holdToTheLimit(Fleet fleet, Outage outage) throws Exception {
        try (Load load = Load.start(fleet.addresses(), 400)) {
            Thread.sleep(2_000);
            long begun = System.nanoTime();
            outage.begin();
            eventually(FAILOVER, () -> assertThat(fleet.isLost()).isTrue());
            eventually(FAILOVER, () -> assertThat(fleet.isLost()).isFalse());
            long ended = System.nanoTime();
            Thread.sleep(5_000);
            long over = System.nanoTime();
            Load.Results results = load.end();
            String described = Load.describe(results) + ", lost for " + (ended - begun) / 1_000_000 + " ms";
            assertThat(results.failed()).as(described).isZero();
            // The units of the last moment, which the new master has not received, and the buckets of the loss.
            assertThat(results.mostBeyond(600)).as(described).isLessThanOrEqualTo(3 * 60 + 2 * fleet.slack());
            assumeTrue(results.exceeds(600, begun, over), Load.Results.BUSY);
            assertThat(results.rate(begun, over)).as(described).isBetween(540.0, 660.0);
            assertThat(results.rate(over - 3 * SECOND, over)).as(described).isBetween(570.0, 630.0);
        }
    }

    @Test
    void sentinelsPromoteAReplicaOfAKilledAndOfAFrozenMaster() throws Exception {
        for (boolean kills : new boolean[] {true, false}) {
            try (RedisServer master = RedisServer.start();
                    RedisServer replica =
                            RedisServer.start("--replicaof", "127.0.0.1", Integer.toString(master.port()));
                    RedisServer a = RedisServer.sentinel("limits", master.port());
                    RedisServer b = RedisServer.sentinel("limits", master.port());
                    RedisServer c = RedisServer.sentinel("limits", master.port())) {
                eventually(
                        FAILOVER,
                        () -> assertThat(a.call("SENTINEL CKQUORUM limits")).startsWith("+OK 3"));
                eventually(
                        FAILOVER,
                        () -> assertThat(replica.call("INFO replication")).contains("master_link_status:up"));
                eventually(
                        FAILOVER,
                        () -> assertThat(c.call("SENTINEL REPLICAS limits")).contains("" + replica.port()));
                Map<String, Object> settings =
                        Map.of("endpoints", List.of(a.endpoint(), b.endpoint(), c.endpoint()), "master", "limits");
                try (Fleet fleet = Fleet.start(3, LIMIT, settings)) {
                    holdToTheLimit(fleet, () -> {
                        if (kills) {
                            master.kill();
                        } else {
                            master.freeze();
                        }
                    });
                    assertThat(replica.call("ROLE")).contains("master");
                }
            }
        }
    }

    @Test
    void aClusterPromotesAReplicaOfAKilledMaster() throws Exception {
        List<RedisServer> nodes = new ArrayList<>();
        try {
            List<String> create = new ArrayList<>(List.of("redis-cli", "--cluster", "create"));
            List<String> endpoints = new ArrayList<>();
            for (int i = 0; i < 6; i++) {
                RedisServer node = RedisServer.start(
                        "--cluster-enabled", "yes",
                        "--cluster-node-timeout", "1000",
                        "--cluster-port", Integer.toString(UnusedPort.number()));
                nodes.add(node);
                create.add(node.endpoint());
                endpoints.add(node.endpoint());
            }
            create.addAll(List.of("--cluster-replicas", "1", "--cluster-yes"));
            Process created =
                    new ProcessBuilder(create).redirectErrorStream(true).start();
            String output = new String(created.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(created.waitFor()).as(output).isZero();
            for (RedisServer node : nodes) {
                eventually(
                        FAILOVER,
                        () -> assertThat(node.call("CLUSTER INFO"))
                                .contains("cluster_state:ok", "cluster_known_nodes:6"));
                // A replica that has not been synchronized, which begins after five seconds, is not promoted.
                eventually(
                        FAILOVER,
                        () -> assertThat(node.call("INFO replication"))
                                .containsAnyOf("role:master", "master_link_status:up"));
            }
            try (Fleet fleet = Fleet.start(3, LIMIT, Map.of("endpoints", endpoints.subList(0, 3), "cluster", true))) {
                RedisServer[] holding = new RedisServer[1];
                holdToTheLimit(fleet, () -> {
                    for (RedisServer node : nodes) {
                        if (holding[0] == null && isMasterWithBuckets(node)) {
                            holding[0] = node;
                        }
                    }
                    assertThat(holding[0]).as("the master of the bucket").isNotNull();
                    holding[0].kill();
                });
            }
        } finally {
            nodes.forEach(RedisServer::close);
        }
    }

    private static boolean isMasterWithBuckets(RedisServer node) throws Exception {
        return node.call("ROLE").contains("master")
                && node.call("KEYS lychgate:rate:*").contains("lychgate:rate:");
    }
}
