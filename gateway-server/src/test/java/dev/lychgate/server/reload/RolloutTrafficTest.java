package dev.lychgate.server.reload;

import static dev.lychgate.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.lychgate.server.admin.RolloutControl.State;
import dev.lychgate.testing.Certificates;
import dev.lychgate.testing.RawMessage;
import dev.lychgate.testing.TlsClient;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** Rollouts of a gateway that watches its files, with real traffic and the real judge. */
@Tag("slow")
class RolloutTrafficTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String CANARY = "x-canary: yes\r\n";

    /** A rollout in which only requests with a header meet the candidate, until an operator changes that. */
    private static final String MANUAL =
            "{ steps: [0.0001%], hold: 1h, include: [{ headers: { x-canary: \"yes\" } }] }";

    @TempDir
    Path home = Path.of("");

    @Test
    void aGoodChangeReachesAllExchanges() throws Exception {
        try (RolloutFixture fixture =
                        new RolloutFixture(home, "{ steps: [20%, 50%], hold: 300ms, by: request }").start();
                RolloutFixture.Load load = fixture.new Load(4)) {
            fixture.filter("it.response.headers['x-stamp'] = '2'");
            fixture.await(State.PROMOTED);
            assertThat(fixture.stamp("")).isEqualTo("2");
            load.end();
            assertThat(load.count("stamp 1")).isPositive();
            assertThat(load.count("stamp 2")).isPositive();
            assertThat(load.count("stamp none")).isZero();
            assertThat(load.count("status 500")).isZero();
            // The history follows the swap.
            eventually(() -> assertThat(fixture.files().reloader().kept()).hasSize(2));
            assertThat(metrics(fixture))
                    .contains("lychgate_rollouts_total{result=\"promoted\"} 1.0")
                    .contains("lychgate_rollout_exchanges_total{role=\"candidate\",status=\"2xx\"}")
                    .doesNotContain("lychgate_rollout_share");
        }
    }

    @Test
    void aFilterThatFailsSometimesIsAbortedAndNeverMeetsMoreThanItsShare() throws Exception {
        try (RolloutFixture fixture = new RolloutFixture(home, "{ steps: [20%, 50%], hold: 1h, by: request }").start();
                RolloutFixture.Load load = fixture.new Load(4)) {
            eventually(() -> assertThat(load.count("stamp 1")).isGreaterThan(1000));
            fixture.filter("it.response.headers['x-stamp'] = '2'\n"
                    + "if (java.util.concurrent.ThreadLocalRandom.current().nextInt(20) == 0)"
                    + " throw new IllegalStateException('one of twenty')");
            fixture.await(State.ABORTED);
            long stable = load.countBesideOthers();
            load.end();

            long failed = load.count("status 500");
            long candidate = failed + load.count("stamp 2");
            assertThat(failed).isPositive();
            double share = (double) candidate / (candidate + stable);
            assertThat(share).as(candidate + " of " + (candidate + stable)).isLessThan(0.25);
            assertThat(fixture.status().verdict()).isEqualTo("abort");
            assertThat(fixture.status().reason()).contains("verdict abort", "aborted at 20%");
            assertThat(fixture.files().reloader().kept()).hasSize(1);
            for (int i = 0; i < 50; i++) {
                assertThat(fixture.stamp("")).isEqualTo("1");
            }
            assertThat(metrics(fixture)).contains("lychgate_rollouts_total{result=\"aborted\"} 1.0");
        }
    }

    private static String metrics(RolloutFixture fixture) throws Exception {
        return fixture.admin("GET", "/metrics").body();
    }

    private static JsonNode json(RawMessage response) throws Exception {
        assertThat(response.status()).as(response.body()).isEqualTo(200);
        return JSON.readTree(response.body());
    }

    @Test
    void operatorsControlARolloutByTheAdminListener() throws Exception {
        try (RolloutFixture fixture = new RolloutFixture(home, MANUAL).start()) {
            assertThat(json(fixture.admin("GET", "/rollout")).path("state").asText())
                    .isEqualTo("none");
            assertThat(fixture.admin("POST", "/rollout?action=pause").status()).isEqualTo(409);
            fixture.filter("it.response.headers['x-stamp'] = '2'");
            fixture.await(State.RUNNING);
            assertThat(fixture.stamp("")).isEqualTo("1");
            assertThat(fixture.stamp(CANARY)).as("included").isEqualTo("2");

            JsonNode shown = json(fixture.admin("GET", "/rollout"));
            assertThat(shown.path("candidate").asLong()).isEqualTo(2);
            assertThat(shown.path("share").asText()).isEqualTo("0.0001%");
            eventually(() -> assertThat(json(fixture.admin("GET", "/rollout"))
                            .at("/figures/candidate/exchanges")
                            .asLong())
                    .isEqualTo(1));
            assertThat(json(fixture.admin("GET", "/generations"))
                            .at("/rollout/state")
                            .asText())
                    .isEqualTo("running");
            assertThat(metrics(fixture)).contains("lychgate_rollout_share 1.0E-6");

            assertThat(json(fixture.admin("POST", "/rollout?action=pause"))
                            .path("state")
                            .asText())
                    .isEqualTo("paused");
            assertThat(json(fixture.admin("POST", "/rollout?action=resume"))
                            .path("state")
                            .asText())
                    .isEqualTo("running");
            for (String wrong :
                    List.of("set", "set&share=0%25", "set&share=100%25", "set&share=x", "pause&share=1%25", "stop")) {
                assertThat(fixture.admin("POST", "/rollout?action=" + wrong).status())
                        .as(wrong)
                        .isEqualTo(400);
            }
            assertThat(json(fixture.admin("POST", "/rollout?action=set&share=99.9999%25"))
                            .path("share")
                            .asText())
                    .isEqualTo("99.9999%");
            eventually(() -> assertThat(fixture.stamp("")).isEqualTo("2"));
            assertThat(json(fixture.admin("POST", "/rollout?action=abort"))
                            .path("state")
                            .asText())
                    .isEqualTo("aborted");
            assertThat(fixture.stamp(CANARY)).isEqualTo("1");
            JsonNode events = json(fixture.admin("GET", "/rollout")).path("events");
            assertThat(events)
                    .extracting(event -> event.path("event").asText())
                    .containsExactly("aborted", "set", "resumed", "paused", "begun");

            json(fixture.admin("POST", "/reload"));
            fixture.await(State.RUNNING);
            assertThat(json(fixture.admin("POST", "/rollout?action=promote"))
                            .path("state")
                            .asText())
                    .isEqualTo("promoted");
            assertThat(fixture.stamp("")).isEqualTo("2");
        }
    }

    @Test
    void operatorsControlARolloutByTheCommandLine() throws Exception {
        try (RolloutFixture fixture = new RolloutFixture(home, "off").start()) {
            fixture.filter("it.response.headers['x-stamp'] = '2'");
            eventually(() -> assertThat(fixture.stamp("")).as("at once").isEqualTo("2"));
            assertThat(fixture.command("rollout")).startsWith("0: rollout: none");
            assertThat(fixture.command("rollout", "abort")).startsWith("1: no rollout is running");
            assertThat(fixture.command("rollout", "stop")).startsWith("64: ");
            assertThat(fixture.command("rollout", "set")).startsWith("64: ");

            RolloutFixture.write(home.resolve("filters/outbound/stamp.groovy"), "// not watched\nfilter { }\n");
            eventually(() -> assertThat(fixture.stamp("")).isEqualTo("none"));
            fixture.configure("{ steps: [0.0001%], hold: 1h }");
            eventually(() -> assertThat(fixture.files().reloader().kept()).hasSize(4));
            fixture.filter("it.response.headers['x-stamp'] = '3'");
            fixture.await(State.RUNNING);
            String before = fixture.status().reason();
            assertThat(fixture.command("reload", "--rollout", "2%,30%", "--hold", "2h"))
                    .contains("is a candidate with 2% of the exchanges");
            assertThat(fixture.status().reason()).isNotEqualTo(before);
            assertThat(fixture.command("rollout", "status"))
                    .contains("step 1 of 3 (2%, 30%, 100%)", "hold: 7200.0 s", "verdict: hold");
            assertThat(fixture.command("rollout", "set", "40%"))
                    .startsWith("0: ")
                    .contains("share: 40%");
            assertThat(fixture.command("rollout", "pause")).contains(": paused");
            assertThat(fixture.command("rollout", "resume")).contains(": running");
            assertThat(fixture.command("rollout", "promote")).contains(": promoted");
            assertThat(fixture.stamp("")).isEqualTo("3");

            fixture.filter("it.response.headers['x-stamp'] = '4'");
            fixture.await(State.RUNNING);
            assertThat(fixture.command("rollout", "abort")).contains(": aborted");
            assertThat(fixture.command("reload", "--rollout", "off")).startsWith("0: ");
            assertThat(fixture.stamp("")).isEqualTo("4");
            assertThat(fixture.command("reload", "--rollout", "5")).startsWith("1: rollout and hold: ");
        }
    }

    @Test
    void aPipelineWaitsForTheOutcome() throws Exception {
        try (RolloutFixture fixture = new RolloutFixture(home, MANUAL).start()) {
            assertThat(fixture.command("rollout", "wait")).startsWith("2: rollout: none");
            for (String wrong : List.of("soon", "-1s", "9936500d")) {
                assertThat(fixture.command("rollout", "wait", "--for", wrong))
                        .startsWith("64: lychgate: --for " + wrong);
            }
            assertThat(fixture.command("rollout", "abort", "--for", "1s")).startsWith("64: ");
            fixture.filter("it.response.headers['x-stamp'] = '2'");
            fixture.await(State.RUNNING);
            assertThat(fixture.command("rollout", "wait", "--for", "0"))
                    .startsWith("2: rollout of generation 2: running");

            CompletableFuture<String> outcome =
                    inBackground(() -> fixture.command("rollout", "wait", "--for", "36500d"));
            fixture.command("rollout", "promote");
            assertThat(outcome.get(60, TimeUnit.SECONDS)).startsWith("0: rollout of generation 2: promoted");

            fixture.filter("it.response.headers['x-stamp'] = '3'");
            fixture.await(State.RUNNING);
            fixture.command("rollout", "abort");
            assertThat(fixture.command("rollout", "wait")).startsWith("1: rollout of generation 3: aborted");
        }
    }

    @Test
    void aReloadWaitsForTheOutcomeOfItsCandidate() throws Exception {
        try (RolloutFixture fixture = new RolloutFixture(home, MANUAL).start()) {
            assertThat(fixture.command("reload", "--wait")).as("unchanged").startsWith("0: ");
            assertThat(fixture.command("reload", "--for", "1s")).startsWith("64: ");
            assertThat(fixture.command("reload", "--wait", "--dry-run")).startsWith("64: ");
            fixture.filter("it.response.headers['x-stamp'] = '2'");
            fixture.await(State.RUNNING);
            assertThat(fixture.command("reload", "--wait", "--for", "0")).startsWith("2: ");
            fixture.command("rollout", "abort");

            CompletableFuture<String> aborted = inBackground(() -> fixture.command("reload", "--wait"));
            fixture.await(State.RUNNING);
            fixture.command("rollout", "abort");
            assertThat(aborted.get(60, TimeUnit.SECONDS)).startsWith("1: ").contains(": aborted");

            CompletableFuture<String> promoted = inBackground(() -> fixture.command("reload", "--wait"));
            fixture.await(State.RUNNING);
            fixture.command("rollout", "promote");
            assertThat(promoted.get(60, TimeUnit.SECONDS)).startsWith("0: ");

            fixture.filter("it.response.headers['x-stamp'] = '3'");
            fixture.await(State.RUNNING);
            fixture.command("rollout", "abort");
            fixture.filter("it.response.headers['x-stamp'] = '2'");
            assertThat(fixture.command("reload", "--wait"))
                    .as("the files in force")
                    .startsWith("0: ");
        }
    }

    private static CompletableFuture<String> inBackground(Supplier<String> command) {
        return CompletableFuture.supplyAsync(command, task -> new Thread(task).start());
    }

    @Test
    void theAuditLogHasTheOrderAndTheChangeOfTheState() throws Exception {
        ListAppender<ILoggingEvent> lines = new ListAppender<>();
        lines.list = new CopyOnWriteArrayList<>();
        lines.start();
        Logger audit = (Logger) LoggerFactory.getLogger("lychgate.audit");
        audit.setLevel(Level.INFO);
        audit.addAppender(lines);
        try (RolloutFixture fixture = new RolloutFixture(home, MANUAL).start()) {
            fixture.filter("it.response.headers['x-stamp'] = '2'");
            fixture.await(State.RUNNING);
            fixture.admin("POST", "/rollout?action=set&share=25%25");
            eventually(() -> assertThat(lines.list)
                    .extracting(ILoggingEvent::getFormattedMessage)
                    .anyMatch(line -> line.contains("action=/rollout action=\"set\" share=\"25%\" result=200"))
                    .anyMatch(line -> line.startsWith("by=\"gateway\" action=rollout generation=2 event=set text=\"")
                            && line.contains("is set from 0.0001% to 25% by an operator")));
        } finally {
            audit.detachAppender(lines);
            audit.setLevel(null);
        }
    }

    @Test
    void aNewerChangeReplacesTheCandidate() throws Exception {
        try (RolloutFixture fixture = new RolloutFixture(home, MANUAL).start()) {
            fixture.filter("it.response.headers['x-stamp'] = '2'");
            fixture.await(State.RUNNING);
            fixture.filter("it.response.headers['x-stamp'] = '3'");
            eventually(() -> assertThat(fixture.stamp(CANARY)).isEqualTo("3"));
            assertThat(fixture.stamp("")).isEqualTo("1");
            // The candidate serves shortly before the earlier rollout ends.
            eventually(
                    () -> assertThat(metrics(fixture)).contains("lychgate_rollouts_total{result=\"superseded\"} 1.0"));
        }
    }

    @Test
    void aRenewedCertificateTakesEffectAtOnceAndTheRolloutContinues() throws Exception {
        Certificates authority = Certificates.authority("Test");
        Certificates.pem(home, "site", authority.issue("first.test"));
        try (RolloutFixture fixture = new RolloutFixture(home, MANUAL)) {
            Path main = home.resolve("gateway.yml");
            RolloutFixture.write(
                    main,
                    Files.readString(main)
                            .replace(
                                    "listeners: [",
                                    "listeners: [{ name: secure, address: \"127.0.0.1:0\", tls: { certificates:"
                                            + " [{ chain: site.pem, key: site.key }] } }, "));
            fixture.start();
            fixture.filter("it.response.headers['x-stamp'] = '2'");
            fixture.await(State.RUNNING);
            Certificates.pem(home, "site", authority.issue("second.test"));
            eventually(() -> assertThat(subject(fixture, authority)).contains("second.test"));
            assertThat(fixture.status().state()).isEqualTo(State.RUNNING);
            assertThat(fixture.stamp("")).isEqualTo("1");
            assertThat(fixture.stamp(CANARY)).isEqualTo("2");
            fixture.command("rollout", "promote");
            assertThat(subject(fixture, authority)).contains("second.test");
            assertThat(fixture.stamp("")).isEqualTo("2");
        }
    }

    private static String subject(RolloutFixture fixture, Certificates authority) throws Exception {
        InetSocketAddress address = new InetSocketAddress(
                InetAddress.getLoopbackAddress(), fixture.files().gateway().port("secure"));
        try (TlsClient client = TlsClient.connect(address, authority.context(null), null)) {
            return client.serverSubject();
        }
    }

    @Test
    void aRollbackEndsTheRollout() throws Exception {
        try (RolloutFixture fixture = new RolloutFixture(home, MANUAL).start()) {
            fixture.filter("it.response.headers['x-stamp'] = '2'");
            fixture.await(State.RUNNING);
            assertThat(fixture.command("rollback", "1")).startsWith("0: ");
            assertThat(fixture.status().state()).isEqualTo(State.ABORTED);
            assertThat(fixture.stamp(CANARY)).isEqualTo("1");
        }
    }
}
