package dev.lychgate.redis;

import static dev.lychgate.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.lychgate.config.PlainValues;
import dev.lychgate.limit.BucketStore.Bucket;
import dev.lychgate.limit.BucketStore.Outcome;
import dev.lychgate.testing.Certificates;
import dev.lychgate.testing.UnusedPort;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Buckets in a real Redis server, which is also frozen and killed. */
@Tag("slow")
class RedisStoreTest {
    private static final Duration CONNECTED = Duration.ofSeconds(30);
    private static final double SECOND = 1e9;
    private static final double HOUR = 3600 * SECOND;

    /**
     * @param pause until there is a unit
     * @param granted -1 if the store has failed
     */
    private record Response(long granted, long left, long pause) {
        static final Response FAILED = new Response(-1, 0, 0);
    }

    @BeforeAll
    static void needsRedis() {
        assumeTrue(RedisServer.isInstalled(), RedisServer.MISSING);
    }

    static RedisStore store(Map<String, Object> settings) {
        RedisStore store = new Redis().open(RedisSettings.KEYS.read(PlainValues.of(settings)));
        store.begin();
        return store;
    }

    private static RedisStore store(RedisServer server) {
        return store(Map.of("endpoints", List.of(server.endpoint())));
    }

    private static CompletableFuture<Response> ask(RedisStore store, Bucket bucket, long owed, long wanted) {
        CompletableFuture<Response> response = new CompletableFuture<>();
        AtomicInteger outcomes = new AtomicInteger();
        store.ask(bucket, owed, wanted, new Outcome() {
            @Override
            public void granted(long granted, long left, long wait) {
                end(new Response(granted, left, wait));
            }

            @Override
            public void failed() {
                end(Response.FAILED);
            }

            private void end(Response with) {
                if (outcomes.incrementAndGet() > 1) {
                    response.obtrudeException(new AssertionError("a second outcome"));
                }
                response.complete(with);
            }
        });
        return response;
    }

    private static Response take(RedisStore store, Bucket bucket, long owed, long wanted) throws Exception {
        return ask(store, bucket, owed, wanted).get(10, TimeUnit.SECONDS);
    }

    private static void awaitConnection(RedisStore store) throws Exception {
        Bucket any = new Bucket("awaited", SECOND, 1);
        eventually(CONNECTED, () -> assertThat(take(store, any, 0, 0)).isNotEqualTo(Response.FAILED));
    }

    @Test
    void gatewaysTakeUnitsFromOneBucketByTheClockOfTheServer() throws Exception {
        try (RedisServer server = RedisServer.start();
                RedisStore one = store(server);
                RedisStore another = store(server)) {
            awaitConnection(one);
            awaitConnection(another);
            Bucket bucket = new Bucket("b", HOUR, 10);
            assertThat(take(one, bucket, 0, 0)).isEqualTo(new Response(0, 10, 0));
            assertThat(take(one, bucket, 0, 4)).isEqualTo(new Response(4, 6, 0));
            assertThat(take(another, bucket, 1, 3)).isEqualTo(new Response(3, 2, 0));
            Response rest = take(one, bucket, 0, 5);
            assertThat(rest.granted()).isEqualTo(2);
            assertThat(rest.left()).isZero();
            assertThat(rest.pause()).isBetween(1L, (long) HOUR);
            Response inDebt = take(another, bucket, 3, 1);
            assertThat(inDebt.granted()).isZero();
            assertThat(inDebt.left()).isEqualTo(-3);
            assertThat(inDebt.pause()).isBetween((long) (3 * HOUR), (long) (4 * HOUR));
            assertThat(take(one, bucket, -100, 0)).as("full again, not more").isEqualTo(new Response(0, 10, 0));
            assertThat(server.call("EXISTS lychgate:rate:b")).startsWith(":0");

            // A unit every 20 ms.
            Bucket fast = new Bucket("fast", SECOND / 50, 1);
            assertThat(take(one, fast, 0, 1).granted()).isEqualTo(1);
            eventually(() -> assertThat(take(one, fast, 0, 1).granted()).isEqualTo(1));
            assertThat(server.call("PTTL lychgate:rate:fast")).as("it expires").matches("(?s):(-2|\\d{1,2})\r\n");
        }
    }

    @Test
    void questionsAreAskedInOnePipelineAndGrantExactlyTheBurst() throws Exception {
        try (RedisServer server = RedisServer.start();
                RedisStore one = store(server);
                RedisStore another = store(server)) {
            awaitConnection(one);
            awaitConnection(another);
            Bucket bucket = new Bucket("b", SECOND * 3600, 1000);
            List<CompletableFuture<Response>> all = new ArrayList<>();
            for (int i = 0; i < 2_000; i++) {
                all.add(ask(i % 2 == 0 ? one : another, bucket, 0, 1));
            }
            long granted = 0;
            for (CompletableFuture<Response> each : all) {
                granted += each.get(20, TimeUnit.SECONDS).granted();
            }
            assertThat(granted).isEqualTo(1000);
        }
    }

    @Test
    void itKnowsHowManyGatewaysShareThePrefix() throws Exception {
        try (RedisServer server = RedisServer.start();
                RedisStore one = store(Map.of("endpoints", List.of(server.endpoint()), "gateways", 7))) {
            assertThat(one.gateways()).isGreaterThanOrEqualTo(1);
            RedisStore another = store(server);
            try (RedisStore apart = store(Map.of("endpoints", List.of(server.endpoint()), "prefix", "staging"))) {
                eventually(CONNECTED, () -> assertThat(one.gateways()).isEqualTo(2));
                eventually(CONNECTED, () -> assertThat(another.gateways()).isEqualTo(2));
                eventually(CONNECTED, () -> assertThat(apart.gateways()).isEqualTo(1));
            } finally {
                another.close();
            }
            eventually(CONNECTED, () -> assertThat(one.gateways()).isEqualTo(1));
        }
    }

    @Test
    void aFrozenServerRespondsLateAndAKilledOneFailsEachQuestionOnce() throws Exception {
        try (RedisServer server = RedisServer.start();
                RedisStore store = store(server)) {
            awaitConnection(store);
            Bucket bucket = new Bucket("b", SECOND * 3600, 100);
            server.freeze();
            CompletableFuture<Response> late = ask(store, bucket, 0, 1);
            Thread.sleep(100);
            assertThat(late).isNotDone();
            server.thaw();
            assertThat(late.get(10, TimeUnit.SECONDS).granted()).isEqualTo(1);

            server.freeze();
            List<CompletableFuture<Response>> outstanding = new ArrayList<>();
            for (int i = 0; i < 10; i++) {
                outstanding.add(ask(store, bucket, 0, 1));
            }
            server.kill();
            for (CompletableFuture<Response> each : outstanding) {
                assertThat(each.get(10, TimeUnit.SECONDS)).isEqualTo(Response.FAILED);
            }
            assertThat(take(store, bucket, 0, 1)).isEqualTo(Response.FAILED);

            server.restart();
            eventually(CONNECTED, () -> assertThat(take(store, bucket, 0, 1)).isNotEqualTo(Response.FAILED));
            assertThat(take(store, bucket, 0, 0).left())
                    .as("without persistence, the bucket is full")
                    .isGreaterThan(90);
        }
    }

    @Test
    void aServerThatStaysFrozenLosesItsConnection() throws Exception {
        try (RedisServer server = RedisServer.start();
                RedisStore store = store(server)) {
            awaitConnection(store);
            server.freeze();
            CompletableFuture<Response> lost = ask(store, new Bucket("b", SECOND, 1), 0, 1);
            assertThat(lost.get(StalledConnection.SECONDS + 30, TimeUnit.SECONDS))
                    .isEqualTo(Response.FAILED);
            server.thaw();
            awaitConnection(store);
        }
    }

    @Test
    void itConnectsWhenTheServerStartsLater() throws Exception {
        int port = UnusedPort.number();
        try (RedisStore store = store(Map.of("endpoints", List.of("127.0.0.1:" + port), "gateways", 3))) {
            assertThat(take(store, new Bucket("b", SECOND, 1), 0, 1)).isEqualTo(Response.FAILED);
            assertThat(store.gateways()).isEqualTo(3);
            try (RedisServer server = RedisServer.startOn(port)) {
                assertThat(server.port()).isEqualTo(port);
                awaitConnection(store);
            }
        }
    }

    /** The user has the permissions that docs/redis.md names. */
    @Test
    void theServerMayRequireAUserWithAPassword(@TempDir Path directory) throws Exception {
        Matcher permitted = Pattern.compile("permit these commands for the keys with the prefix: ([^.]+)")
                .matcher(Files.readString(Path.of("../../docs/redis.md")));
        assertThat(permitted.find()).isTrue();
        List<String> user = new ArrayList<>(List.of("--user", "gate", "on", ">s3cret", "~lychgate:*"));
        Pattern.compile("[A-Z]+")
                .matcher(permitted.group(1))
                .results()
                .forEach(command -> user.add("+" + command.group().toLowerCase(Locale.ROOT)));
        assertThat(user).contains("+evalsha", "+zremrangebyscore");
        try (RedisServer server = RedisServer.start(user.toArray(String[]::new))) {
            Path file = Files.writeString(directory.resolve("password"), "s3cret\n");
            try (RedisStore store = store(Map.of(
                    "endpoints",
                    List.of(server.endpoint()),
                    "username",
                    "gate",
                    "password-file",
                    file,
                    "gateways",
                    9))) {
                awaitConnection(store);
                assertThat(take(store, new Bucket("b", SECOND, 5), 0, 2).left()).isEqualTo(3);
                eventually(() -> assertThat(store.gateways()).isEqualTo(1));
            }
        }
    }

    @Test
    void theServerMayRequireTlsAndIsVerified(@TempDir Path directory) throws Exception {
        Certificates authority = Certificates.authority("Test");
        Certificates.pem(directory, "site", authority.issue("127.0.0.1", "localhost"));
        Path ca = Path.of(authority.writeCa(directory, "ca.pem"));
        int secure = UnusedPort.number();
        String[] tls = {
            "--tls-port", Integer.toString(secure),
            "--tls-cert-file", directory.resolve("site.pem").toString(),
            "--tls-key-file", directory.resolve("site.key").toString(),
            "--tls-ca-cert-file", ca.toString(),
            "--tls-auth-clients", "no"
        };
        Map<String, Object> settings = new HashMap<>();
        settings.put("endpoints", List.of("localhost:" + secure));
        settings.put("tls", true);
        try (RedisServer server = RedisServer.start(tls);
                RedisStore distrusting = store(settings)) {
            assertThat(server.port()).isNotEqualTo(secure);
            settings.put("ca-file", ca);
            try (RedisStore store = store(settings)) {
                awaitConnection(store);
                assertThat(take(store, new Bucket("b", SECOND, 5), 0, 2).left()).isEqualTo(3);
            }
            assertThat(take(distrusting, new Bucket("b", SECOND, 5), 0, 2)).isEqualTo(Response.FAILED);
        }
    }

    @Test
    void generationsWithTheSameSettingsShareAStore() throws Exception {
        try (RedisServer server = RedisServer.start()) {
            Redis redis = new Redis();
            RedisSettings settings =
                    RedisSettings.KEYS.read(PlainValues.of(Map.of("endpoints", List.of(server.endpoint()))));
            RedisSettings others = RedisSettings.KEYS.read(
                    PlainValues.of(Map.of("endpoints", List.of(server.endpoint()), "prefix", "other")));
            RedisStore first = redis.open(settings);
            assertThat(redis.open(settings)).isSameAs(first);
            RedisStore other = redis.open(others);
            assertThat(other).isNotSameAs(first);
            other.close();
            first.close();
            RedisStore reopened = redis.open(settings);
            assertThat(take(reopened, new Bucket("b", SECOND, 1), 0, 1))
                    .as("only validated so far")
                    .isEqualTo(Response.FAILED);
            reopened.begin();
            assertThat(reopened).isNotSameAs(first);
            awaitConnection(reopened);
            assertThat(take(first, new Bucket("b", SECOND, 1), 0, 1)).isEqualTo(Response.FAILED);
            reopened.close();
        }
    }
}
