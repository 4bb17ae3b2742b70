package dev.lychgate.server.reload;

import static dev.lychgate.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.server.admin.Generations.Outcome;
import dev.lychgate.server.metrics.PrometheusText;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of filters run beside requests, and leave nothing behind. */
@Tag("slow")
class GateUnderTrafficTest {
    @TempDir
    Path home = Path.of("");

    private static double abandoned(GatedGateway gateway) throws Exception {
        return PrometheusText.read(gateway.ask("GET", "/metrics").body()).value("lychgate_gate_tests_abandoned");
    }

    @Test
    void requestsContinueWhileTestsRun() throws Exception {
        try (GatedGateway gateway = new GatedGateway(home, "tests: require, timeout: 4s")) {
            gateway.stamp(2);
            gateway.test("while (true) { }");
            CompletableFuture<Outcome> reloaded = CompletableFuture.supplyAsync(gateway::reload);

            int served = 0;
            while (!reloaded.isDone()) {
                assertThat(gateway.served()).isEqualTo("1");
                served++;
            }

            assertThat(reloaded.join()).isInstanceOf(Outcome.Refused.class);
            assertThat(served).isGreaterThan(2);
        }
    }

    @Test
    void aDryRunDelaysNoReload() throws Exception {
        try (GatedGateway gateway = new GatedGateway(home, "tests: require, timeout: 10m")) {
            gateway.stamp(2);
            gateway.test("System.setProperty('gate.dry-run', 'x')", "while (true) { }");
            CompletableFuture<Integer> dryRun = CompletableFuture.supplyAsync(() -> status(gateway));
            eventually(() -> assertThat(System.getProperty("gate.dry-run")).isNotNull());

            gateway.configure("tests: off");
            assertThat(gateway.reload()).isInstanceOf(Outcome.Taken.class);
            assertThat(gateway.served()).isEqualTo("2");
            assertThat(dryRun).isNotDone();
        } finally {
            System.clearProperty("gate.dry-run");
        }
    }

    private static int status(GatedGateway gateway) {
        try {
            return gateway.ask("POST", "/reload?dry-run=true").status();
        } catch (Exception e) {
            return 0;
        }
    }

    /** The test ends by a check of its compiler, and the filter does not: its thread is counted until it ends. */
    @Test
    void countsAFilterThatNeverReturnsFromItsTest() throws Exception {
        String spins = getClass().getName() + ".spins";
        System.setProperty(spins, "true");
        try (GatedGateway gateway = new GatedGateway(home, "tests: require, timeout: 6s")) {
            gateway.write(
                    GatedGateway.STAMP,
                    "filter { while (System.getProperty('" + spins + "') != null) { Thread.onSpinWait() } }");
            gateway.test("get('/').origin(200).through(filter)");

            assertThat(gateway.refused())
                    .singleElement()
                    .isEqualTo("outbound/StampTest.groovy:2: test 'the stamp' failed: exceeded 3s and was abandoned");

            assertThat(abandoned(gateway)).isEqualTo(1);
            System.clearProperty(spins);
            eventually(() -> assertThat(abandoned(gateway)).isZero());
        } finally {
            System.clearProperty(spins);
        }
    }

    @Test
    void interruptsABlockingFilterThatNeverReturnsFromItsTest() throws Exception {
        try (GatedGateway gateway = new GatedGateway(home, "tests: require, timeout: 6s")) {
            gateway.write(GatedGateway.STAMP, "timeout '1h'\nblocking { Thread.sleep(Long.MAX_VALUE) }");
            gateway.test("assert get('/').origin(200).through(filter).status == 200");

            assertThat(gateway.refused()).singleElement().asString().contains("exceeded 3s and was abandoned");

            eventually(() -> assertThat(abandoned(gateway)).isZero());
        }
    }

    /** Half of the changes are refused. */
    @Test
    void classesAndThreadsStayFlatOverManyReloads() throws Exception {
        try (GatedGateway gateway = new GatedGateway(home, "tests: require, timeout: 60s")) {
            gateway.test(
                    GatedGateway.COUNTED + "(owner.class)",
                    GatedGateway.COUNTED + "(filter.definedIn())",
                    "assert get('/').origin(200).through(filter).header('x-stamp').length() == 2");
            reloads(gateway, 10);
            int threads = ManagementFactory.getThreadMXBean().getThreadCount();

            reloads(gateway, 40);

            assertThat(gateway.classes(6)).isLessThanOrEqualTo(6);
            eventually(() -> assertThat(ManagementFactory.getThreadMXBean().getThreadCount())
                    .isLessThanOrEqualTo(threads + 2));
        }
    }

    private static void reloads(GatedGateway gateway, int count) throws Exception {
        for (int i = 0; i < count; i++) {
            boolean passes = i % 2 == 0;
            gateway.stamp(passes ? 10 + i % 90 : 100 + i);
            assertThat(gateway.reload()).isInstanceOf(passes ? Outcome.Taken.class : Outcome.Refused.class);
        }
    }
}
