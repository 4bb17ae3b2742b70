package dev.lychgate.server.reload;

import static dev.lychgate.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.server.history.Change;
import dev.lychgate.server.history.Entry;
import dev.lychgate.server.history.Verification;
import dev.lychgate.testing.RawMessage;
import dev.lychgate.testing.Responses;
import dev.lychgate.testing.ScriptedOrigin;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The history of a gateway that watches its files: entries of all changes, and their way to operators and receivers. */
@Tag("slow")
class HistoryOfFilesTest extends RecordedGateway {
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

        String change = "POST /filters?phase=outbound&name=stamp&state=disabled";
        assertThat(admin(ALICE, change + "&other=secret").status()).isEqualTo(400);
        assertThat(await("filters", "refused").toString()).contains("other").doesNotContain("secret");
        assertThat(admin(ALICE, change).status()).isEqualTo(200);
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
        assertThat(entries()).as("neither the unknown client nor the dry run").hasSize(6);

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

    @Test
    void renewedTokensHaveAnEntryWithoutDigests() throws Exception {
        start();
        RolloutFixture.write(home.resolve("alice.token"), "other-other-other-other\n");
        Change renewed = await("renewal", "accepted");
        assertThat(renewed.files())
                .singleElement()
                .extracting(file -> file.path() + file.sha256())
                .isEqualTo("certificates, keys, tokens or address lists");
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
            c.send(received.size() == 1 ? "HTTP/1.1 503 Later\r\nContent-Length: 0\r\n\r\n" : Responses.ok(""));
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
