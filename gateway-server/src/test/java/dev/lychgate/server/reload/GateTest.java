package dev.lychgate.server.reload;

import static dev.lychgate.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.server.admin.Generations.Outcome;
import dev.lychgate.server.admin.RolloutRequest;
import dev.lychgate.server.history.Author;
import dev.lychgate.server.metrics.PrometheusText;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests beside filters run before the filters serve requests. */
@Tag("slow")
class GateTest {
    private static final String REQUIRED = "tests: require, timeout: 60s";
    private static final String STATUS = "assert get('/').origin(200).through(filter).header('x-stamp') == '2'";

    @TempDir
    Path home = Path.of("");

    @Test
    void refusesAChangeWhoseTestFailsAndNamesTheCondition() throws Exception {
        try (GatedGateway gateway = new GatedGateway(home, REQUIRED)) {
            gateway.stamp(3);
            gateway.test(STATUS);

            assertThat(gateway.refused())
                    .singleElement()
                    .asString()
                    .startsWith("outbound/StampTest.groovy:2: test 'the stamp' failed: assert get('/')")
                    .endsWith("== '2'");

            assertThat(gateway.served()).isEqualTo("1");
            assertThat(gateway.json("GET", "/generations").get("refused").list("faults"))
                    .hasSize(1);
        }
    }

    @Test
    void takesAChangeWhoseTestsPass() throws Exception {
        try (GatedGateway gateway = new GatedGateway(home, REQUIRED)) {
            gateway.stamp(2);
            gateway.test(STATUS);

            assertThat(gateway.reload()).isInstanceOf(Outcome.Taken.class);

            assertThat(gateway.served()).isEqualTo("2");
            assertThat(gateway.logged()).anyMatch(line -> line.startsWith("gate: 1 test in 1 file, 0 failed"));
        }
    }

    @Test
    void logsTheFailureAndTakesTheChangeIfTestsOnlyWarn() throws Exception {
        try (GatedGateway gateway = new GatedGateway(home, "tests: warn, timeout: 60s")) {
            gateway.stamp(3);
            gateway.test(STATUS);

            assertThat(gateway.reload()).isInstanceOf(Outcome.Taken.class);

            assertThat(gateway.served()).isEqualTo("3");
            assertThat(gateway.logged())
                    .anyMatch(line -> line.startsWith("gate: outbound/StampTest.groovy:2: test 'the stamp' failed")
                            && line.endsWith("the change takes effect nevertheless"));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "tests: off"})
    void runsNoTestByDefault(String gate) throws Exception {
        try (GatedGateway gateway = new GatedGateway(home, gate)) {
            gateway.stamp(3);
            gateway.test("throw new IllegalStateException()");

            assertThat(gateway.reload()).isInstanceOf(Outcome.Taken.class);
            assertThat(gateway.logged()).noneMatch(line -> line.startsWith("gate:"));
        }
    }

    @Test
    void aCorrectedTestLetsTheRefusedChangePass() throws Exception {
        try (GatedGateway gateway = new GatedGateway(home, REQUIRED)) {
            gateway.stamp(3);
            gateway.test(STATUS);
            assertThat(gateway.reload()).isInstanceOf(Outcome.Refused.class);
            gateway.test(STATUS.replace("'2'", "'3'"));

            assertThat(gateway.reload()).isInstanceOf(Outcome.Taken.class);
            assertThat(gateway.served()).isEqualTo("3");
        }
    }

    /** A test is as old as the change that it refuses: it runs again although another file is changed. */
    @Test
    void aFailedTestRunsAgainAfterAChangeOfAnotherFile() throws Exception {
        try (GatedGateway gateway = new GatedGateway(home, REQUIRED)) {
            gateway.stamp(3);
            gateway.test(STATUS);
            assertThat(gateway.reload()).isInstanceOf(Outcome.Refused.class);
            gateway.write("inbound/Other.groovy", "filter { }");

            assertThat(gateway.reload()).isInstanceOf(Outcome.Refused.class);
        }
    }

    @Test
    void doesNotRunTestsAgainIfOnlyTheConfigurationChanged() throws Exception {
        try (GatedGateway gateway = new GatedGateway(home, REQUIRED)) {
            gateway.stamp(2);
            gateway.test(STATUS);
            gateway.reload();
            gateway.configure(REQUIRED, "drain: { timeout: 7s }");

            assertThat(gateway.reload()).isInstanceOf(Outcome.Taken.class);

            assertThat(gateway.logged().stream().filter(line -> line.startsWith("gate:")))
                    .hasSize(1);
        }
    }

    @Test
    void testsDoNotAffectTheStateOfRunningFilters() throws Exception {
        try (GatedGateway gateway = new GatedGateway(home, REQUIRED)) {
            gateway.write("lib/Seen.groovy", "class Seen { static int count = 0 }");
            gateway.write(GatedGateway.STAMP, """
                    import java.util.concurrent.atomic.AtomicInteger
                    def all = shared('all') { new AtomicInteger() }
                    filter { it.response.headers['x-stamp'] = all.incrementAndGet() + '/' + ++Seen.count }
                    """);
            gateway.test("3.times { get('/').origin(200).through(filter).status }");
            assertThat(gateway.reload()).isInstanceOf(Outcome.Taken.class);

            assertThat(gateway.served()).isEqualTo("1/1");
            gateway.write("inbound/Other.groovy", "filter { }");
            assertThat(gateway.reload()).isInstanceOf(Outcome.Taken.class);
            assertThat(gateway.served()).isEqualTo("2/2");
        }
    }

    @Test
    void dropsTheLogLinesOfTestsAndTheirOutput() throws Exception {
        try (GatedGateway gateway = new GatedGateway(home, REQUIRED)) {
            gateway.write(GatedGateway.STAMP, "filter { throw new IllegalStateException('on purpose') }");
            gateway.test("println 'x' * 50_000_000", "get('/').origin(200).through(filter).status");

            assertThat(gateway.reload()).isInstanceOf(Outcome.Taken.class);
            assertThat(gateway.logged()).noneMatch(line -> line.contains("filter Stamp failed"));

            gateway.served();
            assertThat(gateway.logged()).anyMatch(line -> line.contains("filter Stamp failed"));
        }
    }

    /** Reloads files that are refused, again if the machine is so slow that another time limit expires first. */
    private static List<String> refusedBecauseOf(GatedGateway gateway, String limit) {
        List<String> faults = gateway.refused();
        for (int i = 0; i < 5 && faults.stream().noneMatch(fault -> fault.contains(limit)); i++) {
            faults = gateway.refused();
        }
        return faults;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Thread.sleep(Long.MAX_VALUE)",
                "while (true) { }",
                "for (;;) { try { Thread.sleep(10) } catch (Throwable e) { } }",
                "do { try { while (true) { } } catch (Throwable e) { } } while (true)",
                "(1..Integer.MAX_VALUE).each { i -> (1..Integer.MAX_VALUE).each { } }",
                "new Object().with { synchronized (it) { it.wait() } }"
            })
    void refusesAndEndsATestThatNeverEnds(String hang) throws Exception {
        try (GatedGateway gateway = new GatedGateway(home, "tests: require, timeout: 4s")) {
            gateway.stamp(3);
            gateway.test(hang);

            assertThat(refusedBecauseOf(gateway, "test 'the stamp' failed: exceeded 2s"))
                    .singleElement()
                    .asString()
                    // The line is missing if the thread is outside of the script when its stack is read.
                    .matches(
                            "outbound/StampTest\\.groovy(:2)?: test 'the stamp' failed: exceeded 2s and was abandoned");

            assertThat(gateway.served()).isEqualTo("1");
            eventually(() -> assertThat(abandoned(gateway)).isZero());
        }
    }

    private static double abandoned(GatedGateway gateway) throws Exception {
        return PrometheusText.read(gateway.ask("GET", "/metrics").body()).value("lychgate_gate_tests_abandoned");
    }

    @Test
    void allTestsTogetherHaveALimit() throws Exception {
        try (GatedGateway gateway = new GatedGateway(home, "tests: require, timeout: 4s")) {
            gateway.stamp(3);
            gateway.write(GatedGateway.STAMP_TEST, "20.times { n -> test('test ' + n) { Thread.sleep(500) } }");

            String limit = "because all tests together exceeded 4s";
            // A single test exceeds its limit if its thread pauses.
            assertThat(refusedBecauseOf(gateway, limit))
                    .filteredOn(fault -> !fault.contains("exceeded 2s"))
                    .singleElement()
                    .asString()
                    .contains(limit);
            assertThat(gateway.served()).isEqualTo("1");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "System.exit(0)",
                "Runtime.runtime.halt(0)",
                "System.&exit.call(0)",
                "Thread.start { System.exit(0) }",
                "System.getMethod('ex' + 'it', int).invoke(null, 0)"
            })
    void refusesATestThatWouldEndTheProcess(String exit) throws Exception {
        try (GatedGateway gateway = new GatedGateway(home, REQUIRED)) {
            gateway.stamp(3);
            gateway.test(exit);

            assertThat(gateway.refused())
                    .first()
                    .asString()
                    .startsWith("outbound/StampTest.groovy:2: ")
                    .contains("must not end the JVM");
            assertThat(gateway.served()).isEqualTo("1");
        }
    }

    @Test
    void boundsTheTextOfAFailedAssertion() throws Exception {
        try (GatedGateway gateway = new GatedGateway(home, REQUIRED)) {
            gateway.stamp(3);
            gateway.test("def text = 'x' * 2_000_000", "assert text.isEmpty() : text");

            List<String> faults = gateway.refused();

            assertThat(faults)
                    .singleElement()
                    .asString()
                    .startsWith("outbound/StampTest.groovy:3: ")
                    .hasSizeLessThan(1000);
            assertThat(gateway.logged()).allMatch(line -> line.length() < 20_000);
            assertThat(gateway.ask("GET", "/generations").body()).hasSizeLessThan(5_000);
        }
    }

    @Test
    void boundsTheNumberOfFaults() throws Exception {
        try (GatedGateway gateway = new GatedGateway(home, REQUIRED)) {
            gateway.stamp(3);
            gateway.write(GatedGateway.STAMP_TEST, "500.times { n -> test('t' + n) { assert n < 0 } }");

            assertThat(gateway.refused()).hasSize(21).last().isEqualTo("filters: 480 more tests failed");
        }
    }

    @Test
    void reportsATestThatDoesNotCompileAtItsLine() throws Exception {
        try (GatedGateway gateway = new GatedGateway(home, REQUIRED)) {
            gateway.stamp(3);
            gateway.test("assert (1 == ");

            assertThat(gateway.refused()).first().asString().startsWith("outbound/StampTest.groovy:");
            assertThat(gateway.served()).isEqualTo("1");
        }
    }

    @Test
    void aTestThatIsAPipeIsNotRead() throws Exception {
        try (GatedGateway gateway = new GatedGateway(home, REQUIRED)) {
            gateway.stamp(3);
            Path pipe = home.resolve("filters/outbound/PipeTest.groovy");
            assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                    .isZero();

            assertThat(gateway.reload()).isInstanceOf(Outcome.Taken.class);
            assertThat(gateway.logged()).anyMatch(line -> line.contains("outbound/PipeTest.groovy"));
        }
    }

    @Test
    void warnsOfChangedSystemProperties() throws Exception {
        String name = getClass().getName();
        try (GatedGateway gateway = new GatedGateway(home, REQUIRED)) {
            gateway.stamp(3);
            gateway.test("System.setProperty('" + name + "', 'changed')");

            assertThat(gateway.reload()).isInstanceOf(Outcome.Taken.class);
            assertThat(gateway.logged())
                    .anyMatch(line -> line.startsWith("gate: system properties changed") && line.contains(name));
        } finally {
            System.clearProperty(name);
        }
    }

    /** Neither threads that ignore interrupts nor threads that tests have started may accumulate. */
    @Test
    void refusesFurtherTestsWhileManyThreadsOfEarlierOnesRun() throws Exception {
        String stop = getClass().getName() + ".stop";
        try (GatedGateway gateway = new GatedGateway(home, REQUIRED)) {
            for (int i = 0; i < 10; i++) {
                gateway.stamp(10 + i);
                gateway.test(
                        "4.times { Thread.startDaemon('left behind') {",
                        "while (System.getProperty('" + stop
                                + "') == null) { try { Thread.sleep(20) } catch (InterruptedException e) { } } } }");
                gateway.reload();
            }

            assertThat(gateway.refused())
                    .singleElement()
                    .asString()
                    .contains("16 threads of earlier tests")
                    .contains("'left behind' of outbound/StampTest.groovy");
            assertThat(gateway.served()).isEqualTo("13");
            assertThat(abandoned(gateway)).isEqualTo(16);

            System.setProperty(stop, "true");
            eventually(() -> assertThat(abandoned(gateway)).isZero());
            assertThat(gateway.reload()).isInstanceOf(Outcome.Taken.class);
            assertThat(gateway.served()).isEqualTo("19");
        } finally {
            System.clearProperty(stop);
        }
    }

    @Test
    void interruptsThreadsThatATestHasStarted() throws Exception {
        try (GatedGateway gateway = new GatedGateway(home, REQUIRED)) {
            gateway.stamp(3);
            gateway.test("Thread.start { Thread.sleep(Long.MAX_VALUE) }");

            assertThat(gateway.reload()).isInstanceOf(Outcome.Taken.class);
            eventually(() -> assertThat(abandoned(gateway)).isZero());
        }
    }

    @Test
    void theEndOfTheGatewayInterruptsItsTests() throws Exception {
        try (GatedGateway gateway = new GatedGateway(home, "tests: require, timeout: 10m")) {
            gateway.stamp(3);
            gateway.test("System.setProperty('gate.begun', 'x')", "while (true) { }");
            var reloaded = gateway.files().reloader().reloadNow(RolloutRequest.CONFIGURED, Author.GATEWAY);
            eventually(() -> assertThat(System.getProperty("gate.begun")).isNotNull());

            gateway.files().close();

            eventually(() -> assertThat(reloaded).isDone());
        } finally {
            System.clearProperty("gate.begun");
        }
    }

    @Test
    void filtersThatServedBeforeStartWithoutTheirTests() throws Exception {
        try (GatedGateway gateway = new GatedGateway(home, REQUIRED)) {
            gateway.test("assert false");

            gateway.restart();

            assertThat(gateway.served()).isEqualTo("1");
            assertThat(gateway.logged()).noneMatch(line -> line.startsWith("gate:"));
        }
    }

    @Test
    void newFiltersThatFailTheirTestsAtTheStartAreReplacedByTheLastGoodOnes() throws Exception {
        try (GatedGateway gateway = new GatedGateway(home, REQUIRED)) {
            gateway.stamp(3);
            gateway.test(STATUS);

            gateway.restart();

            assertThat(gateway.served()).isEqualTo("1");
            assertThat(gateway.json("GET", "/generations").get("refused").list("faults"))
                    .hasSize(1);
        }
    }

    @Test
    void filtersThatFailTheirTestsServeIfNoOthersHaveServedHere() throws Exception {
        try (GatedGateway gateway =
                new GatedGateway(home, REQUIRED, GatedGateway.STAMP_TEST, "test('a') { assert false }")) {
            assertThat(gateway.served()).isEqualTo("1");
            assertThat(gateway.logged())
                    .anyMatch(line -> line.startsWith("tests of filters failed: serving with these filters"));
        }
    }

    @Test
    void aFailedSelfCheckWarnsIfItIsNotRequired() throws Exception {
        String failing = "selfCheck { throw new IllegalStateException('not today') }\n"
                + "filter { it.response.headers['x-stamp'] = '3' }";
        try (GatedGateway gateway = new GatedGateway(home, "self-checks: require")) {
            gateway.write(GatedGateway.STAMP, failing);
            assertThat(gateway.refused()).first().asString().contains("not today");

            gateway.configure("self-checks: warn");
            assertThat(gateway.reload()).isInstanceOf(Outcome.Taken.class);

            assertThat(gateway.served()).isEqualTo("3");
            assertThat(gateway.logged())
                    .anyMatch(line -> line.contains("not today") && line.endsWith("because gate.self-checks is warn"));
        }
    }

    @Test
    void noSelfCheckRunsIfTheyAreOff() throws Exception {
        try (GatedGateway gateway = new GatedGateway(home, "self-checks: off")) {
            gateway.write(
                    GatedGateway.STAMP,
                    "selfCheck { throw new IllegalStateException() }\nfilter { it.response.headers['x-stamp'] = '3' }");
            assertThat(gateway.reload()).isInstanceOf(Outcome.Taken.class);
            assertThat(gateway.served()).isEqualTo("3");
        }
    }

    @Test
    void checkHasTheResultOfAReload() throws Exception {
        try (GatedGateway gateway = new GatedGateway(home, REQUIRED)) {
            gateway.stamp(3);
            gateway.test(STATUS);
            List<String> faults = gateway.refused();

            assertThat(checked(gateway)).isEqualTo(faults);
            gateway.configure("tests: warn, timeout: 60s");
            assertThat(FileGateway.check(gateway.config(), name -> null, times -> {}))
                    .isEqualTo(faults);
            gateway.configure("tests: off");
            assertThat(FileGateway.check(gateway.config(), name -> null, times -> {}))
                    .isEmpty();
        }
    }

    private static List<String> checked(GatedGateway gateway) throws Exception {
        try {
            return FileGateway.check(gateway.config(), name -> null, times -> {});
        } catch (RefusedException e) {
            return e.faults();
        }
    }

    /** A gateway without a place for copies has no last good filters, and nothing of the gate is written. */
    @Test
    void writesNoFile() throws Exception {
        try (GatedGateway gateway = new GatedGateway(home, REQUIRED)) {
            gateway.stamp(3);
            gateway.test("assert false");
            List<Path> before = all();
            gateway.reload();
            assertThat(all()).isEqualTo(before);
        }
    }

    private List<Path> all() throws Exception {
        try (var files = Files.walk(home)) {
            return files.sorted().toList();
        }
    }
}
