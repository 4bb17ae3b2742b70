package dev.lychgate.server.reload;

import static dev.lychgate.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.Lychgate;
import dev.lychgate.config.HistoryConfig;
import dev.lychgate.server.engine.DataPlaneEngine;
import dev.lychgate.server.history.Change;
import dev.lychgate.server.history.ChangeHistory;
import dev.lychgate.server.history.ChangeHistory.Query;
import dev.lychgate.server.history.Entry;
import dev.lychgate.server.history.Verification;
import dev.lychgate.testing.Answers;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.RawMessage;
import dev.lychgate.testing.ScriptedOrigin;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The history of a gateway that watches its files: entries of all changes, and rollbacks to the files of an entry. */
@Tag("slow")
class HistoryOfFilesTest {
    private static final String ALICE = "alice-alice-alice-alice";
    private static final String BOB = "bob-bob-bob-bob-bob-bob";

    @TempDir
    Path home = Path.of("");

    private @Nullable FileGateway<Lychgate> files;

    @BeforeEach
    void write() throws Exception {
        Files.createDirectories(home.resolve("filters/outbound"));
        Files.createDirectories(home.resolve("more"));
        Files.writeString(home.resolve("alice.token"), ALICE + "\n");
        configure("history: { generations: 10 }");
        RolloutFixture.write(
                home.resolve("more/routes.yml"),
                "routes: [{ id: all, match: { path: \"/**\" }, respond: { status: 200 } }]\n");
        stamp("1");
    }

    @AfterEach
    void stop() {
        FileGateway<Lychgate> running = files;
        if (running != null) {
            running.gateway().close();
            running.close();
            files = null;
        }
    }

    private void configure(String further) throws Exception {
        RolloutFixture.write(config(), """
            listeners: [{ name: main, address: "127.0.0.1:0" }]
            admin:
              address: "127.0.0.1:0"
              operators:
                - { name: alice, roles: [operator], token-file: alice.token }
                - { name: bob, token: "%s" }
            filters: { directory: filters }
            include: more/*.yml
            access-log: { format: off }
            %s
            """.formatted(BOB, further));
    }

    private Path config() {
        return home.resolve("gateway.yml");
    }

    private Path file() {
        return ChangeHistory.file(config(), HistoryConfig.DEFAULT);
    }

    private void stamp(String value) throws Exception {
        filter("it.response.headers['x-stamp'] = '" + value + "'");
    }

    private void filter(String code) throws Exception {
        RolloutFixture.write(home.resolve("filters/outbound/stamp.groovy"), "filter { " + code + " }\n");
    }

    private void start() throws Exception {
        files = FileGateway.start(config(), name -> null, Lychgate::start);
    }

    private void restart() throws Exception {
        stop();
        start();
    }

    private FileGateway<Lychgate> files() {
        FileGateway<Lychgate> running = files;
        if (running == null) {
            throw new AssertionError("not started");
        }
        return running;
    }

    private RawMessage admin(String token, String request) throws Exception {
        try (RawClient client = RawClient.connect(new InetSocketAddress(
                InetAddress.getLoopbackAddress(), files().gateway().adminPort()))) {
            return client.send(request + " HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 0\r\nAuthorization: Bearer "
                            + token + "\r\n\r\n")
                    .readResponse();
        }
    }

    private String command(String token, String... words) {
        List<String> all = new ArrayList<>(List.of(words));
        all.addAll(List.of("--admin", "127.0.0.1:" + files().gateway().adminPort(), "--token", token));
        return Commands.run(new DataPlaneEngine(), all.toArray(String[]::new));
    }

    private String stamped() throws Exception {
        try (RawClient client = RawClient.connect(new InetSocketAddress(
                InetAddress.getLoopbackAddress(), files().gateway().port("main")))) {
            return client.get("/").value("x-stamp").orElse("none");
        }
    }

    private List<Entry> entries() throws Exception {
        return ChangeHistory.read(file(), new Query(Long.MAX_VALUE, 1000, null, null));
    }

    /** Waits for a newest entry. @return it */
    private Change await(String action, String verdict) throws Exception {
        eventually(() -> {
            Change newest = entries().get(0).change();
            assertThat(newest.action() + " " + newest.verdict())
                    .as(newest.reason())
                    .isEqualTo(action + " " + verdict);
        });
        return entries().get(0).change();
    }

    private static String sha256(Path file) throws Exception {
        return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file)));
    }

    @Test
    void aStartListsAllFilesWithTheirDigests() throws Exception {
        start();
        Change started = await("start", "accepted");
        assertThat(started.author().by()).isEqualTo("gateway");
        assertThat(started.to()).isEqualTo(1);
        assertThat(started.files())
                .extracting(file -> file.path() + " " + file.kind() + " " + file.sha256())
                .containsExactlyInAnyOrder(
                        "gateway.yml added " + sha256(config()),
                        "more/routes.yml added " + sha256(home.resolve("more/routes.yml")),
                        "filters:outbound/stamp.groovy added " + sha256(home.resolve("filters/outbound/stamp.groovy")));
        stop();
        await("stop", "accepted");
    }

    @Test
    void aSavedFileHasAnEntryWhetherItIsAcceptedOrRefused() throws Exception {
        start();
        stamp("2");
        Change accepted = await("reload", "accepted");
        assertThat(accepted.author().by()).isEqualTo("watch");
        assertThat(List.of(accepted.from(), accepted.to())).containsExactly(1L, 2L);
        assertThat(accepted.files())
                .singleElement()
                .extracting(file -> file.path() + " " + file.kind() + " " + file.sha256())
                .isEqualTo("filters:outbound/stamp.groovy changed "
                        + sha256(home.resolve("filters/outbound/stamp.groovy")));

        filter("it.response.headers['x-stamp'] = ");
        Change refused = await("reload", "refused");
        assertThat(refused.author().by()).isEqualTo("watch");
        assertThat(refused.reason()).contains("outbound/stamp.groovy:1:");
        assertThat(refused.from()).isEqualTo(2);
        assertThat(refused.files())
                .singleElement()
                .extracting(file -> file.kind())
                .isEqualTo("changed");

        Files.writeString(config(), "listeners: [\n");
        eventually(() -> assertThat(entries().get(0).change().files())
                .singleElement()
                .extracting(file -> file.path() + " " + file.sha256())
                .isEqualTo("gateway.yml " + sha256(config())));
        assertThat(entries().get(0).change().verdict()).isEqualTo("refused");
    }

    @Test
    void anOperatorIsNamedWithAddressAndProof() throws Exception {
        start();
        assertThat(command(ALICE, "reload")).startsWith("0:");
        Change reload = await("reload", "unchanged");
        assertThat(reload.author().operator()).isEqualTo("alice");
        assertThat(reload.author().by()).isEqualTo("cli");
        assertThat(reload.author().proof()).isEqualTo("token");
        assertThat(reload.author().address()).startsWith("127.0.0.1:");

        assertThat(admin(ALICE, "POST /filters?phase=outbound&name=stamp&state=disabled&other=secret")
                        .status())
                .isEqualTo(200);
        Change filters = await("filters", "accepted");
        assertThat(filters.author().by()).isEqualTo("admin");
        assertThat(filters.parameters())
                .containsOnlyKeys("phase", "name", "state")
                .containsEntry("state", "disabled");

        assertThat(admin(BOB, "POST /reload").status()).isEqualTo(403);
        Change denied = await("reload", "denied");
        assertThat(denied.author().operator()).isEqualTo("bob");
        assertThat(denied.reason()).contains("requires the role operator");

        assertThat(admin(ALICE, "POST /reload?dry-run=true").status()).isEqualTo(200);
        assertThat(admin(ALICE, "POST /rollback?generation=99").status()).isEqualTo(404);
        Change missing = await("rollback", "refused");
        assertThat(missing.reason()).isEqualTo("generation 99 is not kept");
        assertThat(admin("wrong-wrong-wrong-wrong", "POST /reload").status()).isEqualTo(401);
        assertThat(entries()).as("neither the unknown client nor the dry run").hasSize(5);

        stop();
        assertThat(Files.readString(file())).doesNotContain(ALICE, BOB, "secret", "wrong-wrong");
        assertThat(Verification.of(file(), null).faults()).isEmpty();
    }

    @Test
    void aViewerReadsTheHistoryInPages() throws Exception {
        start();
        for (int i = 2; i < 6; i++) {
            stamp(Integer.toString(i));
            await("reload", "accepted");
            int number = i;
            eventually(() -> assertThat(entries()).hasSize(number));
        }
        admin(ALICE, "POST /log?logger=test&level=debug");
        await("log", "accepted");
        assertThat(admin(BOB, "GET /history?limit=2").body())
                .contains("\"number\":6", "\"number\":5")
                .doesNotContain("\"number\":4");
        assertThat(admin(BOB, "GET /history?limit=2&before=5").body())
                .contains("\"number\":4", "\"number\":3")
                .doesNotContain("\"number\":5");
        assertThat(admin(BOB, "GET /history?operator=alice").body())
                .contains("\"action\":\"log\"")
                .doesNotContain("\"action\":\"reload\"");
        assertThat(admin(BOB, "GET /history?limit=0").status()).isEqualTo(400);
        assertThat(command(BOB, "history", "--action", "start"))
                .startsWith("0: #1  ")
                .contains("added gateway.yml  " + sha256(config()))
                .doesNotContain("#2");
        assertThat(command(BOB, "history", "--json", "--limit", "1")).contains("\"entries\":[{\"previous\":\"");
    }

    @Test
    void commandsReadAndVerifyTheFileWithoutAGateway() throws Exception {
        start();
        stamp("2");
        await("reload", "accepted");
        stop();
        String[] file = {"--config", config().toString()};
        assertThat(offline("history", "--offline", file[0], file[1]))
                .startsWith("0: #3  ")
                .contains("#1  ");
        String whole = offline("history", "verify", file[0], file[1]);
        assertThat(whole).startsWith("0: whole: 3 entries, 1 to 3, the last with digest ");
        String head = whole.strip().substring(whole.strip().length() - 64);
        assertThat(offline("history", "verify", file().toString(), "--contains", head))
                .startsWith("0:");
        assertThat(offline("history", "verify", file().toString(), "--contains", "0".repeat(64)))
                .startsWith("1:");
        Files.writeString(file(), Files.readString(file()).replace("watch", "alice"));
        assertThat(offline("history", "verify", file[0], file[1]))
                .startsWith("1: ")
                .contains("broken: 3 entries");
        assertThat(offline("history", "verify", home.resolve("none").toString()))
                .startsWith("2: ")
                .contains("does not exist");
    }

    private static String offline(String... words) {
        return Commands.run(new DataPlaneEngine(), words);
    }

    @Test
    void renewedTokensHaveAnEntryWithoutDigests() throws Exception {
        start();
        RolloutFixture.write(home.resolve("alice.token"), "other-other-other-other\n");
        Change renewed = await("renewal", "accepted");
        assertThat(renewed.files())
                .singleElement()
                .extracting(file -> file.path() + file.sha256())
                .isEqualTo("certificates, keys or tokens");
    }

    @Test
    void aRollbackToAnEntryRestoresItsFilesAfterARestart() throws Exception {
        start();
        stamp("2");
        await("reload", "accepted");
        RolloutFixture.write(
                home.resolve("more/routes.yml"),
                "routes: [{ id: all, match: { path: \"/**\" }, respond: { status: 204 } }]\n");
        eventually(() -> assertThat(entries()).hasSize(3));
        restart();
        await("start", "accepted");
        assertThat(stamped()).isEqualTo("2");

        assertThat(command(ALICE, "rollback", "--to", "1")).startsWith("0:");
        assertThat(stamped()).isEqualTo("1");
        Change back = await("rollback", "accepted");
        assertThat(back.author().operator()).isEqualTo("alice");
        assertThat(back.reason()).isEqualTo("rollback to entry 1 of the history");
        assertThat(back.kept())
                .as("the same files as those of entry 1")
                .isEqualTo(entries().get(entries().size() - 1).change().kept());
        assertThat(back.files())
                .extracting(file -> file.path())
                .containsExactlyInAnyOrder("filters:outbound/stamp.groovy", "more/routes.yml");
        assertThat(files().reloader().isPinned()).isTrue();
        assertThat(command(ALICE, "rollback", "--to", "2")).startsWith("0:");
        assertThat(stamped()).isEqualTo("2");
        assertOnlyTheUserReads(home.resolve(".lychgate"));

        stamp("3");
        restart();
        assertThat(stamped()).as("a restart reads the files").isEqualTo("3");
    }

    @Test
    void aRollbackToAnEntryOfThisProcessReusesItsGeneration() throws Exception {
        start();
        stamp("2");
        await("reload", "accepted");
        assertThat(command(ALICE, "rollback", "--to", "1")).startsWith("0:");
        assertThat(stamped()).isEqualTo("1");
        assertThat(command(ALICE, "rollback", "--to", "2")).startsWith("0:");
        assertThat(stamped()).isEqualTo("2");
        assertThat(files().reloader().kept()).hasSize(2);
    }

    @Test
    void aRollbackToFilesThatAreNotKeptIsRefused() throws Exception {
        configure("history: { generations: 2 }");
        start();
        for (int i = 2; i < 5; i++) {
            stamp(Integer.toString(i));
            int number = i;
            eventually(() -> assertThat(entries()).hasSize(number));
        }
        admin(ALICE, "POST /log?logger=test&level=debug");
        await("log", "accepted");
        // Five generations are in memory, but a restart knows only the kept files.
        restart();
        assertThat(command(ALICE, "rollback", "--to", "1")).startsWith("1: ").contains("is no longer kept");
        assertThat(command(ALICE, "rollback", "--to", "5")).startsWith("1: ").contains("has no files");
        assertThat(command(ALICE, "rollback", "--to", "999")).startsWith("1: ").contains("does not exist");
        assertThat(command(ALICE, "rollback", "--to", "3")).startsWith("0:");
        assertThat(stamped()).isEqualTo("3");
        assertThat(admin(ALICE, "POST /rollback").status()).isEqualTo(400);
        assertThat(admin(ALICE, "POST /rollback?generation=1&entry=1").status()).isEqualTo(400);
    }

    @Test
    void aChangedCopyIsNotRestored() throws Exception {
        start();
        stamp("2");
        await("reload", "accepted");
        restart();
        Path kept = home.resolve(".lychgate/kept-gateway.yml/files");
        String digest = entries().get(entries().size() - 1).change().files().stream()
                .filter(file -> file.path().startsWith("filters:"))
                .findFirst()
                .orElseThrow()
                .sha256();
        Files.writeString(kept.resolve(digest), "filter { it.response.headers['x-stamp'] = 'evil' }\n");
        assertThat(command(ALICE, "rollback", "--to", "1")).startsWith("1: ").contains("was changed");
        assertThat(stamped()).isEqualTo("2");
        await("rollback", "refused");
    }

    private static void assertOnlyTheUserReads(Path directory) throws Exception {
        for (String name :
                List.of("kept-gateway.yml", "history-gateway.yml.jsonl", ".history-gateway.yml.jsonl.lock")) {
            try (Stream<Path> all = Files.walk(directory.resolve(name))) {
                for (Path each : all.toList()) {
                    assertThat(Files.getPosixFilePermissions(each).toString())
                            .as(each.toString())
                            .doesNotContain("GROUP", "OTHERS");
                }
            }
        }
    }

    @Test
    void anEntryThatNamesTheFilesOfAnotherIsNotRestored() throws Exception {
        start();
        stamp("2");
        await("reload", "accepted");
        stop();
        List<Entry> all = entries();
        String first = all.get(all.size() - 1).change().kept();
        String second = all.get(all.size() - 2).change().kept();
        Files.writeString(file(), Files.readString(file()).replace(first, second));
        start();
        assertThat(command(ALICE, "rollback", "--to", "1"))
                .startsWith("1: ")
                .contains("the files of entry 1 of the history are not kept: they are not those of the entry");
        assertThat(offline("history", "verify", file().toString())).startsWith("1: ");
        assertThat(stamped()).isEqualTo("2");
    }

    @Test
    void aRolloutHasItsEventsAndAPromotionHasItsFiles() throws Exception {
        configure("history: {}\nrollout: { steps: [1%], hold: 1h }");
        start();
        stamp("2");
        eventually(() -> assertThat(entries())
                .extracting(entry -> entry.change().verdict())
                .contains("candidate", "begun"));
        assertThat(command(ALICE, "rollout", "promote")).startsWith("0:");
        eventually(() -> assertThat(entries())
                .extracting(entry -> entry.change().verdict())
                .contains("promoted"));
        Change promoted = entries().stream()
                .map(Entry::change)
                .filter(change -> change.verdict().equals("promoted"))
                .findFirst()
                .orElseThrow();
        assertThat(List.of(promoted.from(), promoted.to())).containsExactly(1L, 2L);
        assertThat(promoted.files()).hasSize(1);
        assertThat(promoted.kept()).hasSize(64);
        assertThat(promoted.reason()).contains("ordered by an operator");
        eventually(() -> assertThat(entries())
                .anyMatch(entry -> entry.change().action().equals("rollout")
                        && entry.change().author().operator().equals("alice")));
    }

    @Test
    void theWebhookGetsEverySignedEntry() throws Exception {
        String secret = "0123456789abcdef";
        List<RawMessage> received = new CopyOnWriteArrayList<>();
        try (ScriptedOrigin receiver = ScriptedOrigin.answering((request, c) -> {
            received.add(request);
            c.send(received.size() == 1 ? "HTTP/1.1 503 Later\r\nContent-Length: 0\r\n\r\n" : Answers.ok(""));
        })) {
            configure("history: { webhook: { url: \"http://127.0.0.1:" + receiver.port() + "/hook\", secret: \""
                    + secret + "\", token: \"token-token-token-token\" } }");
            start();
            eventually(() -> assertThat(received).as("sent again after 503").hasSize(2));
            stamp("2");
            eventually(() -> assertThat(received).hasSize(3));
            assertThat(admin(BOB, "GET /config").body())
                    .contains("\"webhook\":{\"url\":")
                    .doesNotContain(secret, "token-token");
        }
        RawMessage last = received.get(2);
        assertThat(last.startLine()).startsWith("POST /hook ");
        assertThat(last.value("authorization")).contains("Bearer token-token-token-token");
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
        assertThat(last.value("x-lychgate-signature"))
                .contains("sha256="
                        + HexFormat.of().formatHex(mac.doFinal(last.body().getBytes(StandardCharsets.UTF_8))));
        assertThat(last.body())
                .contains(
                        "\"action\":\"reload\"",
                        "\"hash\":\"" + entries().get(0).hash() + "\"");
    }

    @Test
    void aDeadWebhookAndAnUnwritableFileStopNoChange() throws Exception {
        Path directory = Files.createDirectory(home.resolve("directory"));
        configure("history: { file: " + directory + ", webhook: { url: \"http://127.0.0.1:9/\", timeout: 1s } }");
        start();
        stamp("2");
        eventually(() -> assertThat(stamped()).isEqualTo("2"));
        assertThat(command(ALICE, "reload")).startsWith("0:");
        eventually(() -> assertThat(admin(BOB, "GET /metrics").body())
                .contains("lychgate_history_lost_total 3", "lychgate_history_written_total 0"));
    }

    @Test
    void withoutTheSectionThereIsNoHistory() throws Exception {
        configure("");
        start();
        stamp("2");
        eventually(() -> assertThat(stamped()).isEqualTo("2"));
        assertThat(admin(BOB, "GET /history").status()).isEqualTo(503);
        assertThat(command(ALICE, "rollback", "--to", "1")).startsWith("1: ").contains("no history");
        assertThat(Files.exists(file())).isFalse();
        assertThat(Files.exists(home.resolve(".lychgate/kept-gateway.yml"))).isFalse();
    }
}
