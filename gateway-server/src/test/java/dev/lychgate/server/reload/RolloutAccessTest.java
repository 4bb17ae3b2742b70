package dev.lychgate.server.reload;

import static dev.lychgate.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.server.admin.RolloutControl.Action;
import dev.lychgate.server.admin.RolloutControl.State;
import dev.lychgate.testing.RawClient;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Access to the admin listener is not subject to a rollout. */
@Tag("slow")
class RolloutAccessTest {
    private static final String MANUAL = "{ steps: [0.0001%], hold: 1h }";
    private static final String ALICE = "alice-alice-alice-alice";
    private static final String MALLORY = "mallory-mallory-mallory";
    private static final String CAROL = "carol-carol-carol-carol";

    @TempDir
    Path home = Path.of("");

    private RolloutFixture fixture() throws Exception {
        RolloutFixture fixture = new RolloutFixture(home, MANUAL);
        RolloutFixture.write(home.resolve("alice.token"), ALICE);
        operators("{ name: mallory, roles: [operator], token: " + MALLORY + " }", 200);
        return fixture.start();
    }

    /** Writes an operator beside alice, and a status of the only route. */
    private void operators(String other, int status) throws Exception {
        Path main = home.resolve("gateway.yml");
        String alice = "{ name: alice, roles: [operator], token-file: \"" + home.resolve("alice.token") + "\" }";
        RolloutFixture.write(
                main,
                Files.readString(main)
                        .replaceAll(
                                "(?m)^admin: .*$",
                                "admin: { address: \"127.0.0.1:0\", operators: [" + alice + ", " + other + "] }")
                        .replaceAll("status: \\d+", "status: " + status));
    }

    private static int status(RolloutFixture fixture, String token) throws Exception {
        InetSocketAddress admin = new InetSocketAddress(
                InetAddress.getLoopbackAddress(), fixture.files().gateway().adminPort());
        try (RawClient client = RawClient.connect(admin)) {
            return client.send(
                            "GET /operator HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer " + token + "\r\n\r\n")
                    .readResponse()
                    .status();
        }
    }

    private static void abort(RolloutFixture fixture) {
        assertThat(fixture.files().reloader().rollouts().change(Action.ABORT, 0).join())
                .isNull();
    }

    @Test
    void aRevokedOperatorHasNoAccessDuringARolloutAfterItsAbortAndAfterARestart() throws Exception {
        try (RolloutFixture fixture = fixture()) {
            assertThat(status(fixture, MALLORY)).isEqualTo(200);
            operators("{ name: carol, token: " + CAROL + " }", 204);
            fixture.await(State.RUNNING);
            eventually(() -> assertThat(status(fixture, CAROL)).as("added").isEqualTo(200));
            assertThat(status(fixture, MALLORY)).as("during the rollout").isEqualTo(401);

            String renewed = "alice-has-another-token";
            RolloutFixture.write(home.resolve("alice.token"), renewed);
            eventually(() -> assertThat(status(fixture, renewed)).isEqualTo(200));
            assertThat(status(fixture, CAROL)).as("after a renewal").isEqualTo(200);
            assertThat(fixture.status().state()).isEqualTo(State.RUNNING);

            abort(fixture);
            assertThat(fixture.status().state()).isEqualTo(State.ABORTED);
            assertThat(status(fixture, CAROL)).as("added, after the abort").isEqualTo(200);

            fixture.stop();
            fixture.start();
            assertThat(fixture.status().state()).isEqualTo(State.ABORTED);
            assertThat(status(fixture, CAROL)).as("added, after a restart").isEqualTo(200);
            assertThat(status(fixture, MALLORY)).as("after a restart").isEqualTo(401);
            assertThat(fixture.files()
                            .gateway()
                            .generation()
                            .config()
                            .routes()
                            .get(0)
                            .toString())
                    .as("the stable generation")
                    .contains("200");
        }
    }

    @Test
    void aChangeOfNothingButTheAdminSectionIsNoCandidate() throws Exception {
        try (RolloutFixture fixture = fixture()) {
            operators("{ name: carol, token: " + CAROL + " }", 200);
            eventually(() -> assertThat(status(fixture, CAROL)).isEqualTo(200));
            assertThat(status(fixture, MALLORY)).isEqualTo(401);
            assertThat(fixture.status().state()).isEqualTo(State.NONE);
        }
    }

    @Test
    void aRestartWithAnUnreadableAdminSectionUsesThatOfTheStableGeneration() throws Exception {
        try (RolloutFixture fixture = fixture()) {
            Path token = home.resolve("carol.token");
            RolloutFixture.write(token, CAROL);
            operators("{ name: carol, token-file: \"" + token + "\" }", 204);
            fixture.await(State.RUNNING);
            eventually(() -> assertThat(status(fixture, CAROL)).isEqualTo(200));
            abort(fixture);
            fixture.stop();
            Files.delete(token);
            fixture.start();
            assertThat(fixture.status().state()).isEqualTo(State.ABORTED);
            assertThat(status(fixture, ALICE)).isEqualTo(200);
        }
    }
}
