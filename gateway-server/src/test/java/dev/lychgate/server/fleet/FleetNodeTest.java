package dev.lychgate.server.fleet;

import static dev.lychgate.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.config.FleetConfig;
import dev.lychgate.config.FleetStoreConfig;
import dev.lychgate.fleet.FleetException;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A node of a fleet, with a gateway that refuses each configuration that contains the word "bad". */
@Tag("slow")
class FleetNodeTest extends FleetHome {
    private final List<String> served = new CopyOnWriteArrayList<>();
    private FleetConfig config;
    private FleetOperator operator;
    private @Nullable FleetNode started;

    private FleetConfig config(String name) {
        return new FleetConfig(
                SPACE,
                FleetStoreConfig.ofDirectory(home.resolve("store").toString()),
                List.of(home.resolve("release.pub").toString()),
                home.resolve("state").toString(),
                name,
                Map.of("zone", "a"));
    }

    @BeforeEach
    void openStore() throws Exception {
        Files.createDirectory(home.resolve("store"));
        config = config("a");
        operator = FleetOperator.open(config);
        operator.init(signer("created"));
    }

    @AfterEach
    void close() {
        FleetNode last = started;
        if (last != null) {
            last.close();
        }
        operator.close();
    }

    private FleetNode node() {
        return Objects.requireNonNull(started, "a started node");
    }

    private FleetOperator.Signer signer(String reason) {
        return new FleetOperator.Signer(key, "alice", reason);
    }

    private Path active(String file) {
        return home.resolve("state/active").resolve(file);
    }

    /** Starts the node as {@code lychgate run} does. */
    private void start() throws FleetException {
        FleetStart.select(config);
        follow();
    }

    private void follow() throws FleetException {
        follow(InstantSource.system());
    }

    private void follow(InstantSource clock) throws FleetException {
        started = FleetNode.start(config, target(), clock);
    }

    private ReleaseTarget target() {
        return new ReleaseTarget() {
            @Override
            public List<String> prepare(Path release) {
                return faults(release.resolve("gateway.yml"));
            }

            @Override
            public List<String> activate(Link link, String why, String author) throws IOException {
                link.activate();
                List<String> faults = faults(active("gateway.yml"));
                if (faults.isEmpty()) {
                    served.add(read(active("gateway.yml")) + " by " + author);
                } else {
                    link.revert();
                }
                return faults;
            }

            @Override
            public CompletableFuture<NodeTraffic> traffic() {
                return CompletableFuture.completedFuture(new NodeTraffic(120, 0.6, 4.2, 11.5));
            }
        };
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            return e.toString();
        }
    }

    private static List<String> faults(Path file) {
        return read(file).contains("bad") ? List.of(file.getFileName() + ":1:1: bad") : List.of();
    }

    private String push(String text) throws Exception {
        return operator.push(directory(Map.of("gateway.yml", text)), signer("push"))
                .digest();
    }

    private void activate(String digest) throws Exception {
        operator.activate(operator.head(), digest, signer("activate"));
    }

    private void awaitServing(String digest) throws Exception {
        eventually(() -> assertThat(node().status().active()).isEqualTo(digest));
    }

    @Test
    void servesTheReleaseOfEachNewHead() throws Exception {
        String first = push("first");
        activate(first);
        start();
        assertThat(active("gateway.yml")).hasContent("first");
        String second = push("second");
        activate(second);
        awaitServing(second);
        activate(first);
        awaitServing(first);

        assertThat(served).containsExactly("second by alice", "first by alice");
        assertThat(node().status().epoch()).isEqualTo(4);
        eventually(() -> {
            FleetOperator.Reported report = operator.nodes().get(0);
            assertThat(report.status()).isEqualTo(node().status());
            assertThat(report.traffic()).isEqualTo(new NodeTraffic(120, 0.6, 4.2, 11.5));
            assertThat(report.isLost()).isFalse();
        });
    }

    @Test
    void keepsTheReleaseInForceWhenItRefusesTheNextOne() throws Exception {
        String first = push("first");
        activate(first);
        start();
        String bad = push("bad");
        activate(bad);

        eventually(() -> assertThat(node().status().refused()).isEqualTo(bad));
        assertThat(node().status().faults()).containsExactly("gateway.yml:1:1: bad");
        assertThat(node().status().active()).isEqualTo(first);
        assertThat(active("gateway.yml")).hasContent("first");
        assertThat(served).isEmpty();

        String third = push("third");
        activate(third);
        awaitServing(third);
        assertThat(node().status().faults()).isEmpty();
    }

    @Test
    void preparesAReleaseWithoutServingIt() throws Exception {
        String first = push("first");
        activate(first);
        start();
        String next = push("next");
        FleetHead preparing = operator.prepare(operator.head(), next, signer("prepare"));
        eventually(() -> assertThat(node().status().prepared()).isEqualTo(next));
        assertThat(served).isEmpty();

        operator.abandon(preparing, signer("abandon"));
        eventually(() -> assertThat(node().status().prepared()).isEmpty());
        assertThat(node().status().active()).isEqualTo(first);
        assertThat(active("gateway.yml")).hasContent("first");
    }

    private FleetHead canary(String digest, FleetOperator.CanaryRequest request) throws Exception {
        eventually(() -> assertThat(operator.nodes()).isNotEmpty());
        return operator.canary(operator.head(), digest, request, signer("canary"));
    }

    private static FleetOperator.CanaryRequest all(@Nullable Duration time) {
        return new FleetOperator.CanaryRequest(1, Map.of(), time);
    }

    @Test
    void servesACanaryAndReturnsWhenItIsAborted() throws Exception {
        String first = push("first");
        activate(first);
        start();
        String next = push("next");
        canary(next, all(null));
        awaitServing(next);
        assertThat(home.resolve("state/good")).content().isEqualTo(first + "\n");

        operator.abort(operator.head(), signer("abort"));
        awaitServing(first);
        assertThat(served).containsExactly("next by alice", "first by alice");
        assertThat(refusal(() -> operator.abort(operator.head(), signer("abort"))))
                .isEqualTo("MISSING: there is no canary");
    }

    @Test
    void aPromotedCanaryIsAGoodRelease() throws Exception {
        activate(push("first"));
        start();
        String next = push("next");
        FleetHead head = canary(next, all(null));
        awaitServing(next);

        TwoStepActivation.Result result =
                new TwoStepActivation(operator, Duration.ofSeconds(60)).run(head, next, signer("promote"));
        assertThat(result.problems()).isEmpty();
        assertThat(operator.head().canary()).isNull();
        eventually(() -> assertThat(home.resolve("state/good")).content().startsWith(next));
        assertThat(served).containsExactly("next by alice");
    }

    @Test
    void anotherNodeKeepsTheReleaseInForce() throws Exception {
        String first = push("first");
        activate(first);
        start();
        eventually(() -> assertThat(operator.nodes()).isNotEmpty());
        String next = push("next");
        Canary other = new Canary(next, Canary.ALL, new TreeMap<>(Map.of("zone", "b")), null);
        FleetHead head = operator.head().canarying(other, "alice", NOW, "canary");
        try (DirectoryStore store = new DirectoryStore(home.resolve("store"), SPACE)) {
            assertThat(store.compareAndSetHead(2, head.sign(key)).get()).isTrue();
        }
        eventually(() -> assertThat(node().status().epoch()).isEqualTo(3));
        assertThat(node().status().active()).isEqualTo(first);
        assertThat(served).isEmpty();
        assertThat(refusal(() -> canary(next, new FleetOperator.CanaryRequest(1, Map.of("zone", "b"), null))))
                .isEqualTo("REFUSED: no node reports with the labels {zone=b}");
    }

    @Test
    void aCanaryEndsAtItsTimeWithoutTheStore() throws Exception {
        String first = push("first");
        activate(first);
        Instant begin = Instant.now();
        AtomicReference<Instant> now = new AtomicReference<>(begin);
        FleetStart.select(config);
        follow(now::get);
        String next = push("next");
        canary(next, all(Duration.ofMinutes(30)));
        awaitServing(next);
        Files.move(home.resolve("store"), home.resolve("away"));

        now.set(begin.plus(Duration.ofMinutes(29)));
        eventually(() -> assertThat(node().status().store()).startsWith("the store does not respond"));
        assertThat(node().status().active()).isEqualTo(next);
        now.set(begin.plus(Duration.ofMinutes(31)));
        awaitServing(first);
    }

    @Test
    void startsWithTheReleaseInForceWhileACanaryServes() throws Exception {
        String first = push("first");
        activate(first);
        start();
        String next = push("next");
        canary(next, all(null));
        awaitServing(next);
        node().close();

        FleetStart.select(config);
        assertThat(active("gateway.yml")).hasContent("first");
        follow();
        awaitServing(next);
        operator.abort(operator.head(), signer("abort"));
        awaitServing(first);
    }

    @Test
    void aCanaryThatItsNodesRefuseEnds() throws Exception {
        String first = push("first");
        activate(first);
        start();
        eventually(() -> assertThat(operator.nodes()).isNotEmpty());
        String bad = push("bad");
        TwoStepActivation.Result result = new TwoStepActivation(operator, Duration.ofSeconds(60))
                .canary(operator.head(), bad, all(null), signer("canary"));

        assertThat(result.activated()).isFalse();
        assertThat(result.problems()).containsExactly("a: refused: gateway.yml:1:1: bad");
        assertThat(operator.head().canary()).isNull();
        assertThat(operator.head().reason()).isEqualTo("canary ended: not all of its nodes can serve the release");
        assertThat(node().status().active()).isEqualTo(first);
        assertThat(served).isEmpty();
    }

    @Test
    void deletesTheFilesOfEarlierCanaries() throws Exception {
        activate(push("first"));
        start();
        for (int i = 0; i < 4; i++) {
            String next = push("next" + i);
            canary(next, all(null));
            awaitServing(next);
        }
        operator.abort(operator.head(), signer("abort"));
        eventually(() -> {
            try (Stream<Path> kept = Files.list(home.resolve("state/archives"))) {
                assertThat(kept).hasSize(1);
            }
        });
    }

    @Test
    void refusesAReplayedStore() throws Exception {
        String first = push("first");
        activate(first);
        copy(home.resolve("store"), home.resolve("old"));
        start();
        String second = push("second");
        activate(second);
        awaitServing(second);
        eventually(() -> assertThat(home.resolve("state/good")).content().startsWith(second));
        node().close();

        StoredFiles.deleteTree(home.resolve("store"));
        copy(home.resolve("old"), home.resolve("store"));
        start();
        eventually(() -> assertThat(node().status().faults())
                .containsExactly(
                        "the head is a replay of an old head: its epoch is 2, but this node has verified epoch 3"));
        assertThat(node().status().active()).isEqualTo(second);
    }

    @Test
    void refusesASecondHeadOfTheSameEpoch() throws Exception {
        activate(push("first"));
        start();
        eventually(() -> assertThat(node().status().epoch()).isEqualTo(2));
        FleetHead other = FleetHead.first(SPACE, "mallory", NOW).activating("a".repeat(64), "mallory", NOW, "other");
        StoredFiles.replace(head(2), other.sign(key));

        eventually(() -> assertThat(node().status().faults())
                .containsExactly("this node has verified another head of epoch 2: the history of the space is split"));
    }

    private Path head(long epoch) {
        return home.resolve("store/prod/heads/%019d".formatted(epoch));
    }

    @Test
    void refusesForgedHeadsAndContinuesWithTheNextValidOne() throws Exception {
        String first = push("first");
        activate(first);
        start();
        FleetHead forged = operator.head().activating("a".repeat(64), "mallory", NOW, "forged");
        StoredFiles.replace(head(3), forged.sign(otherKey()));
        eventually(() ->
                assertThat(node().status().faults()).containsExactly("head of prod: no trusted key has signed it"));
        assertThat(node().status().active()).isEqualTo(first);

        Files.delete(head(3));
        String second = push("second");
        activate(second);
        awaitServing(second);
    }

    @Test
    void refusesACorruptedArchive() throws Exception {
        String first = push("first");
        activate(first);
        start();
        String second = push("second");
        Path archive = home.resolve("store/prod/releases").resolve(second);
        byte[] bytes = Files.readAllBytes(archive);
        FleetHead head = operator.head().activating(second, "alice", NOW, "activate");
        bytes[bytes.length - 1] ^= 1;
        Files.write(archive, bytes);
        try (DirectoryStore store = new DirectoryStore(home.resolve("store"), SPACE)) {
            assertThat(store.compareAndSetHead(2, head.sign(key)).get()).isTrue();
        }
        eventually(() -> assertThat(node().status().faults())
                .singleElement()
                .asString()
                .endsWith("the content of 'gateway.yml' is corrupted"));
        assertThat(node().status().active()).isEqualTo(first);
    }

    @Test
    void appliesTheHeadWhenAMissingArchiveArrives() throws Exception {
        activate(push("first"));
        start();
        String second = push("second");
        Path archive = home.resolve("store/prod/releases").resolve(second);
        byte[] bytes = Files.readAllBytes(archive);
        FleetHead head = operator.head().activating(second, "alice", NOW, "activate");
        Files.delete(archive);
        try (DirectoryStore store = new DirectoryStore(home.resolve("store"), SPACE)) {
            assertThat(store.compareAndSetHead(2, head.sign(key)).get()).isTrue();
        }
        eventually(() -> assertThat(node().status().store()).startsWith("the store has no release "));
        Files.write(archive, bytes);
        awaitServing(second);
    }

    @Test
    void startsWithoutTheStoreFromTheLastGoodRelease() throws Exception {
        String first = push("first");
        activate(first);
        start();
        node().close();
        StoredFiles.deleteTree(home.resolve("store"));

        start();
        assertThat(active("gateway.yml")).hasContent("first");
        eventually(() -> assertThat(node().status().store()).startsWith("the store does not respond"));
        assertThat(node().status().active()).isEqualTo(first);
    }

    @Test
    void startsWithAnOlderGoodReleaseIfTheNewestIsDamaged() throws Exception {
        String first = push("first");
        activate(first);
        start();
        String second = push("second");
        activate(second);
        awaitServing(second);
        eventually(() -> assertThat(home.resolve("state/good")).content().startsWith(second));
        node().close();
        Path archive = home.resolve("state/archives").resolve(second);
        byte[] bytes = Files.readAllBytes(archive);
        bytes[bytes.length - 1] ^= 1;
        Files.write(archive, bytes);

        FleetStart.select(config);
        assertThat(active("gateway.yml")).hasContent("first");
        follow();
        awaitServing(second);
        assertThat(active("gateway.yml")).hasContent("second");
    }

    @Test
    void doesNotStartWithoutAnyRelease() throws Exception {
        assertThat(refusal(() -> FleetStart.select(config))).contains("no release is in force in space prod");
        StoredFiles.deleteTree(home.resolve("store"));
        assertThat(refusal(() -> FleetStart.select(config))).startsWith("UNAVAILABLE: the store does not respond");
    }

    @Test
    void keepsFiveGoodReleases() throws Exception {
        activate(push("0"));
        start();
        for (int i = 1; i < 8; i++) {
            String next = push(Integer.toString(i));
            activate(next);
            awaitServing(next);
        }
        eventually(() -> {
            try (Stream<Path> kept = Files.list(home.resolve("state/archives"))) {
                assertThat(kept).hasSize(5);
            }
        });
        assertThat(Files.readAllLines(home.resolve("state/good"))).hasSize(5);
    }

    /** Interrupts the writing of the state after each step, as a power failure would. */
    @Test
    void theStateNamesTheOldOrTheNewReleaseAfterACrashAtEachStep() throws Exception {
        Release old = release("old");
        Release next = release("next");
        for (int steps = 0; steps <= 5; steps++) {
            Path place = home.resolve("crash" + steps);
            NodeState state = new NodeState(place);
            state.keep(old);
            state.extract(old);
            state.activate(old.digest());
            state.served(old.digest(), Set.of());
            List<Step> change = List.of(
                    () -> state.keep(next),
                    () -> state.extract(next),
                    () -> state.activate(next.digest()),
                    () -> state.served(next.digest(), Set.of()),
                    () -> Files.writeString(place.resolve(".new-1"), "half"));
            for (Step step : change.subList(0, steps)) {
                step.run();
            }
            FleetConfig after = new FleetConfig(SPACE, config.store(), config.trust(), place.toString(), "a", Map.of());
            FleetStart.select(after);
            assertThat(place.resolve("active/gateway.yml")).hasContent(steps < 4 ? "old" : "next");
        }
    }

    /** A step of a change of the state. */
    private interface Step {
        void run() throws Exception;
    }

    @Test
    void oneOfTwoOperatorsChangesTheHead() throws Exception {
        String first = push("first");
        FleetHead head = operator.head();
        operator.activate(head, first, new FleetOperator.Signer(key, "bob", "faster"));

        assertThat(refusal(() -> operator.activate(head, first, signer("slower"))))
                .isEqualTo("CONFLICT: the head was changed meanwhile: epoch 2 by bob: faster");
    }

    @Test
    void keepsANameThatTheFirstStartCreated() throws Exception {
        NodeState state = new NodeState(home.resolve("named"));
        String name = state.node();
        assertThat(name).matches("[a-z0-9-]+-[0-9a-f]{8}");
        assertThat(new NodeState(home.resolve("named")).node()).isEqualTo(name);
    }

    private static void copy(Path from, Path to) throws IOException {
        Files.walkFileTree(from, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes)
                    throws IOException {
                Files.createDirectories(to.resolve(from.relativize(directory)));
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.copy(file, to.resolve(from.relativize(file)));
                return FileVisitResult.CONTINUE;
            }
        });
    }
}
