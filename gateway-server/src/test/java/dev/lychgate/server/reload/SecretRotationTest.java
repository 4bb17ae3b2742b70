package dev.lychgate.server.reload;

import static dev.lychgate.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.server.admin.Generations.Outcome;
import dev.lychgate.server.admin.RolloutControl.State;
import dev.lychgate.server.history.Change;
import dev.lychgate.server.history.ChangedFile;
import dev.lychgate.server.secrets.KeyFile;
import dev.lychgate.server.secrets.SealedSecret;
import dev.lychgate.testing.RawMessage;
import dev.lychgate.testing.Responses;
import dev.lychgate.testing.ScriptedOrigin;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.SecureRandom;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Secrets that change while the gateway runs. */
@Tag("slow")
class SecretRotationTest {
    private static final String ONE = "planted-stamp-number-one";
    private static final String TWO = "planted-stamp-number-two";
    private static final String THREE = "planted-stamp-number-three";

    @TempDir
    Path home = Path.of("");

    @SuppressWarnings("NullAway.Init") // each test starts it
    private SecretGateway gateway;

    @BeforeEach
    void write() throws Exception {
        gateway = new SecretGateway(home);
        gateway.secret("stamp", ONE + "\n");
        configure("");
    }

    /** Configures a route whose responses have the secret in a header field. */
    private void configure(String further) throws Exception {
        gateway.configure(further + """
                routes:
                  - id: all
                    filters: [{ set-response-header: { name: x-stamp, value: "${file:secrets/stamp}" } }]
                    respond: { status: 200 }
                """);
    }

    @AfterEach
    void close() {
        gateway.close();
    }

    private void awaitStamp(String stamp) throws Exception {
        eventually(() -> assertThat(gateway.stamp()).isEqualTo(stamp));
    }

    private Change newest(String action) throws Exception {
        Change[] found = new Change[1];
        eventually(() -> {
            found[0] = gateway.entries().stream()
                    .map(entry -> entry.change())
                    .filter(change -> change.action().equals(action))
                    .findFirst()
                    .orElse(null);
            assertThat(found[0]).as(action).isNotNull();
        });
        return found[0];
    }

    @Test
    void aReplacedFileTakesEffectAndIsReportedWithoutItsContent() throws Exception {
        gateway.start();
        assertThat(gateway.stamp()).isEqualTo(ONE);
        gateway.secret("stamp", TWO);
        awaitStamp(TWO);
        assertThat(gateway.generation()).isEqualTo(2);

        // The generation serves shortly before its renewal ends.
        eventually(() -> assertThat(gateway.page("/generations/diff?from=1&to=2"))
                .contains("\"differs\":true", "\"secrets\":[\"file:secrets/stamp\"]")
                .doesNotContain("planted"));
        assertThat(gateway.command("diff", "1", "2"))
                .startsWith("1: ")
                .contains("secret file:secrets/stamp: changed")
                .doesNotContain("planted");
        assertThat(gateway.page("/generations")).contains("changed secrets: file:secrets/stamp");

        Change renewal = newest("renewal");
        assertThat(renewal.verdict()).isEqualTo("accepted");
        assertThat(List.of(renewal.from(), renewal.to())).containsExactly(1L, 2L);
        assertThat(renewal.files()).containsExactly(new ChangedFile("secret file:secrets/stamp", "changed", ""));
        assertThat(gateway.written()).contains("${file:secrets/stamp}").doesNotContain("planted");
    }

    @Test
    void aChangedTokenOfTheAdminListenerIsTheOnlyOneThatIsValid() throws Exception {
        gateway.start();
        assertThat(gateway.admin(SecretGateway.OPERATOR, "GET /config").status())
                .isEqualTo(200);
        gateway.secret("operator", "planted-operator-token-2");
        eventually(() -> assertThat(
                        gateway.admin("planted-operator-token-2", "GET /config").status())
                .isEqualTo(200));
        assertThat(gateway.admin(SecretGateway.OPERATOR, "GET /config").status())
                .isEqualTo(401);
    }

    @Test
    void aMissingOrEmptySecretIsRefusedAndTheEarlierOneStays() throws Exception {
        gateway.start();
        gateway.secret("stamp", "\n");
        Change refused = newest("reload");
        assertThat(refused.verdict()).isEqualTo("refused");
        assertThat(refused.reason())
                .contains("gateway.yml:7:63: routes[0].filters[0].set-response-header.value", "is empty");
        assertThat(gateway.stamp()).isEqualTo(ONE);

        Files.delete(home.resolve("secrets/stamp"));
        eventually(() -> assertThat(gateway.page("/generations")).contains("there is no "));
        assertThat(gateway.stamp()).isEqualTo(ONE);

        gateway.secret("stamp", TWO);
        awaitStamp(TWO);
        eventually(() -> assertThat(gateway.page("/generations")).doesNotContain("\"refused\":{"));
    }

    @Test
    void aRefusedSecretIsNotInTheRefusal() throws Exception {
        gateway.start();
        gateway.secret("operator", "planted with blanks");
        Change refused = newest("reload");
        assertThat(refused.verdict()).isEqualTo("refused");
        assertThat(refused.reason())
                .contains("value from file secrets/operator")
                .doesNotContain("planted");
        assertThat(gateway.page("/generations"))
                .contains("value from file secrets/operator")
                .doesNotContain("planted");
    }

    @Test
    void linksAreFollowedAsKubernetesReplacesThem() throws Exception {
        Path secrets = home.resolve("secrets");
        Files.delete(secrets.resolve("stamp"));
        Files.writeString(Files.createDirectory(secrets.resolve("..1")).resolve("stamp"), ONE);
        Files.writeString(Files.createDirectory(secrets.resolve("..2")).resolve("stamp"), TWO);
        Files.createSymbolicLink(secrets.resolve("..data"), Path.of("..1"));
        Files.createSymbolicLink(secrets.resolve("stamp"), Path.of("..data/stamp"));
        gateway.start();
        assertThat(gateway.stamp()).isEqualTo(ONE);
        Path next = Files.createSymbolicLink(secrets.resolve("..data_tmp"), Path.of("..2"));
        Files.move(next, secrets.resolve("..data"), StandardCopyOption.ATOMIC_MOVE);
        awaitStamp(TWO);
    }

    @Test
    void withoutWatchingAReloadTakesTheSecret() throws Exception {
        configure("watch: off\n");
        gateway.start();
        gateway.secret("stamp", TWO);
        assertThat(gateway.command("reload", "--dry-run")).contains("secret file:secrets/stamp: changed");
        assertThat(gateway.stamp()).isEqualTo(ONE);
        assertThat(gateway.command("reload")).startsWith("0:");
        assertThat(gateway.stamp()).isEqualTo(TWO);
        assertThat(gateway.generation()).isEqualTo(2);
        assertThat(gateway.command("reload")).startsWith("0:");
        assertThat(gateway.generation()).as("nothing changed").isEqualTo(2);
        assertThat(newest("reload").verdict()).isEqualTo("unchanged");
    }

    @Test
    void aRollbackUsesTheSecretOfNow() throws Exception {
        gateway.start();
        configure("drain: { timeout: 7s }\n");
        eventually(() -> assertThat(gateway.generation()).isEqualTo(2));
        gateway.secret("stamp", TWO);
        awaitStamp(TWO);

        assertThat(gateway.files().reloader().rollback(1)).isInstanceOf(Outcome.Taken.class);
        assertThat(gateway.stamp()).isEqualTo(TWO);
        assertThat(gateway.page("/config")).contains("\"drain\":{\"timeout\":\"30s\"}");

        gateway.secret("stamp", THREE);
        awaitStamp(THREE);
        assertThat(gateway.files().reloader().isPinned()).isTrue();
        assertThat(gateway.page("/config"))
                .as("the files on disk wait for a reload")
                .contains("\"drain\":{\"timeout\":\"30s\"}");
    }

    @Test
    void aRollbackToAnEntryUsesTheSecretOfNow() throws Exception {
        gateway.start();
        gateway.secret("stamp", TWO);
        awaitStamp(TWO);
        configure("drain: { timeout: 7s }\n");
        eventually(() -> assertThat(gateway.entries()).hasSize(3));
        assertThat(gateway.command("rollback", "--to", "1")).startsWith("0:");
        assertThat(gateway.stamp()).isEqualTo(TWO);
        assertThat(gateway.page("/config")).contains("\"drain\":{\"timeout\":\"30s\"}");
    }

    @Test
    void aRollbackIsRefusedWithoutItsSecret() throws Exception {
        gateway.start();
        gateway.configure("routes: [{ id: all, respond: { status: 200 } }]\n");
        eventually(() -> assertThat(gateway.stamp()).isEqualTo("none"));
        Files.delete(home.resolve("secrets/stamp"));
        assertThat(gateway.files().reloader().rollback(1))
                .isInstanceOfSatisfying(
                        Outcome.Refused.class,
                        refused -> assertThat(refused.faults())
                                .singleElement()
                                .asString()
                                .contains("there is no " + home.resolve("secrets/stamp")));
        assertThat(gateway.stamp()).isEqualTo("none");
    }

    @Test
    void theStableGenerationOfARolloutGetsTheSecretAtOnce() throws Exception {
        configure("rollout: { steps: [1%, 100%], hold: 1h }\n");
        gateway.start();
        gateway.secret("stamp", TWO);
        awaitStamp(TWO);
        assertThat(gateway.files().reloader().rollouts().status().state())
                .as("a secret alone begins no rollout")
                .isEqualTo(State.NONE);

        configure("rollout: { steps: [1%, 100%], hold: 1h }\noverload: { heap: 90% }\n");
        eventually(
                () -> assertThat(gateway.files().reloader().rollouts().status().state())
                        .isEqualTo(State.RUNNING));
        gateway.secret("stamp", THREE);
        eventually(() -> {
            for (int i = 0; i < 20; i++) {
                assertThat(gateway.stamp()).isEqualTo(THREE);
            }
        });
        eventually(
                () -> assertThat(gateway.files().reloader().rollouts().status().state())
                        .isEqualTo(State.RUNNING));
        assertThat(gateway.page("/config")).as("the stable generation").contains("\"overload\":null");
    }

    @Test
    void anEncryptedValueNeedsItsKeyAlsoAfterAChangeOfTheKeys() throws Exception {
        Path keys = home.resolve("key");
        KeyFile.create(keys, new SecureRandom());
        String sealed = SealedSecret.seal(ONE, KeyFile.read(keys), new SecureRandom());
        gateway.environment.put("LYCHGATE_KEY_FILE", keys.toString());
        gateway.configure("""
                routes:
                  - id: all
                    filters: [{ set-response-header: { name: x-stamp, value: "%s" } }]
                    respond: { status: 200 }
                """.formatted(sealed));
        gateway.start();
        assertThat(gateway.stamp()).isEqualTo(ONE);
        KeyFile.add(keys, new SecureRandom());
        assertThat(gateway.command("reload")).startsWith("0:");

        Files.writeString(keys, Files.readAllLines(keys).get(0));
        eventually(() -> assertThat(gateway.page("/generations"))
                .contains("a value that was encrypted with a key of the key file"));
        assertThat(gateway.stamp()).isEqualTo(ONE);
    }

    @Test
    void aPropertyChangesWhileItsFilterStaysLoaded() throws Exception {
        Path filter = home.resolve("filters/outbound/stamp.groovy");
        Files.createDirectories(filter.getParent());
        Files.writeString(filter, """
                def token = property('partner-token', 'none')
                def own = System.nanoTime()
                filter { it.response.headers['x-stamp'] = it.get(token); it.response.headers['x-own'] = own }
                """);
        gateway.configure("""
                filters: { directory: filters, properties: { partner-token: "${file:secrets/stamp}" } }
                routes: [{ id: all, respond: { status: 200 } }]
                """);
        gateway.start();
        String own = gateway.get("/").value("x-own").orElseThrow();
        gateway.secret("stamp", TWO);
        awaitStamp(TWO);
        assertThat(gateway.get("/").value("x-own")).contains(own);
        assertThat(gateway.page("/filters")).contains("partner-token").doesNotContain("planted");
    }

    @Test
    void receiversGetTheNewTokenWithTheNextRequest() throws Exception {
        List<RawMessage> received = new CopyOnWriteArrayList<>();
        try (ScriptedOrigin receiver = ScriptedOrigin.answering((request, c) -> {
            received.add(request);
            c.send(Responses.ok(""));
        })) {
            gateway.secret("hook", "planted-hook-token-no-1");
            RolloutFixture.write(gateway.config(), """
                    listeners: [{ name: main, address: "127.0.0.1:0" }]
                    admin: { address: "127.0.0.1:0", token: "${file:secrets/operator}" }
                    access-log:
                      format: off
                      hec: { url: "http://127.0.0.1:%1$d", token: "${file:secrets/hook}", interval: 100ms }
                    metrics:
                      otlp: { url: "http://127.0.0.1:%1$d/metrics", headers: { x-key: "${file:secrets/hook}" }, interval: 1s }
                    tracing:
                      sample: 100%%
                      otlp: { url: "http://127.0.0.1:%1$d/spans", headers: { x-key: "${file:secrets/hook}" } }
                    history:
                      webhook: { url: "http://127.0.0.1:%1$d/hook", token: "${file:secrets/hook}" }
                      otlp: { url: "http://127.0.0.1:%1$d/changes", headers: { x-key: "${file:secrets/hook}" } }
                    routes: [{ id: all, respond: { status: 200 } }]
                    """.formatted(receiver.port()));
            gateway.start();
            List<String> paths = List.of("/hook ", "/changes ", "/metrics ", "/spans ", "/services/collector");
            eventually(() -> {
                gateway.get("/");
                for (String path : paths) {
                    assertThat(received).anyMatch(request -> has(request, path, "planted-hook-token-no-1"));
                }
            });
            gateway.secret("hook", "planted-hook-token-no-2");
            eventually(() -> assertThat(gateway.generation()).isEqualTo(2));
            eventually(() -> {
                gateway.get("/");
                for (String path : paths) {
                    assertThat(received).anyMatch(request -> has(request, path, "planted-hook-token-no-2"));
                }
            });
            // Before the receiver, for which its last posts would wait.
            gateway.close();
        }
    }

    private static boolean has(RawMessage request, String path, String token) {
        return request.startLine().startsWith("POST " + path)
                && (request.value("authorization").orElse("").endsWith(" " + token)
                        || request.value("x-key").orElse("").equals(token));
    }
}
