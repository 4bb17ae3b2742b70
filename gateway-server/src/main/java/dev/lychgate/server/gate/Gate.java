package dev.lychgate.server.gate;

import dev.lychgate.config.GateConfig;
import dev.lychgate.config.Quantity;
import dev.lychgate.config.RecordConfig;
import dev.lychgate.filters.groovy.FilterDirectory;
import dev.lychgate.filters.groovy.FilterFault;
import dev.lychgate.filters.groovy.FilterFaultsException;
import dev.lychgate.filters.groovy.FilterSource;
import dev.lychgate.filters.groovy.FilterSources;
import dev.lychgate.filters.libraries.Sha256;
import dev.lychgate.filters.testing.AbandonedTests;
import dev.lychgate.filters.testing.BoundedTests;
import dev.lychgate.filters.testing.FilterTests;
import dev.lychgate.filters.testing.TestReport;
import dev.lychgate.server.applog.SilencedLog;
import dev.lychgate.server.extensions.Dialects;
import dev.lychgate.server.filters.FilterAssembly;
import dev.lychgate.server.yaml.Fault;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the tests of a filter directory before its filters serve requests. If any file of the directory has changed
 * since the tests last passed, all tests run, because the text of a test does not reliably show which filters the test
 * uses.
 *
 * <p>A call blocks no longer than the time limits of the tests and of their build. Thread-safe.
 */
public final class Gate {
    private static final Logger LOG = LoggerFactory.getLogger(Gate.class);
    private static final int MOST_NAMED = 5;

    private final AbandonedTests abandoned = new AbandonedTests();
    /**
     * The digest of the directory content with which the tests most recently passed; empty if they have not passed yet.
     */
    private volatile String passed = "";

    /**
     * Runs the tests of a candidate, and returns the verdict.
     *
     * @throws InterruptedException if the calling thread is interrupted; the current test is abandoned
     */
    public Verdict judge(Candidate candidate) throws InterruptedException {
        GateConfig gate = candidate.config().lifecycle().gate();
        FilterDirectory directory = FilterDirectory.of(candidate.config().filters());
        FilterSources filters = candidate.filters();
        if (gate.tests() == GateConfig.Check.OFF || directory == null || filters == null) {
            return Verdict.PASSED;
        }
        boolean required = gate.tests() == GateConfig.Check.REQUIRE;
        try {
            List<FilterSource> tests = directory.readTests();
            String digest = digest(filters, tests);
            if (tests.isEmpty() || digest.equals(passed)) {
                return Verdict.PASSED;
            }
            if (isFull(candidate)) {
                return new Verdict(List.of(full()), required);
            }
            List<Fault> faults = run(candidate, tests, gate);
            if (faults.isEmpty()) {
                passed = digest;
            }
            return new Verdict(faults, required);
        } catch (FilterFaultsException e) {
            return new Verdict(
                    e.faults().stream().map(fault -> Fault.of(forTests(fault))).toList(), required);
        } catch (IOException e) {
            return new Verdict(
                    List.of(Fault.of(
                            new FilterFault(directory.root().toString(), 0, 0, "the tests can't be read: " + e))),
                    required);
        }
    }

    /**
     * Replays recorded exchanges with a candidate, and returns the verdict.
     *
     * @param running the filters of the running generation, from two separate builds
     * @param candidate the filters of the candidate, from a separate build
     * @param source the name of the configuration, for messages
     * @throws InterruptedException if the calling thread is interrupted; the replay is abandoned
     */
    public Verdict replay(List<FilterAssembly> running, FilterAssembly candidate, RecordConfig record, String source)
            throws InterruptedException {
        return new ReplayGate(abandoned).judge(running.get(0), running.get(1), candidate, record, source);
    }

    /** Returns the number of test threads that were abandoned and still run. */
    public int abandoned() {
        return abandoned.count();
    }

    private List<Fault> run(Candidate candidate, List<FilterSource> tests, GateConfig gate)
            throws FilterFaultsException, InterruptedException {
        FilterSources filters = Objects.requireNonNull(candidate.filters());
        long begin = System.nanoTime();
        Map<Object, Object> properties = new HashMap<>(System.getProperties());
        SilencedLog silenced = SilencedLog.begin(FilterTests::isTest);
        try {
            BoundedTests bounded = new BoundedTests(
                    candidate.groovy().isolated(),
                    abandoned,
                    Dialects.of(candidate.config().extensions()));
            TestReport report = bounded.run(filters, tests, gate.timeout());
            long millis = (System.nanoTime() - begin) / 1_000_000;
            LOG.info(
                    "gate: {} in {}, {} failed, {} ms",
                    Quantity.of(report.tests(), "test"),
                    Quantity.of(report.files().size(), "file"),
                    report.failures(),
                    millis);
            log(report);
            return FailedTests.faults(report);
        } finally {
            silenced.close();
            warn(properties);
        }
    }

    private static void log(TestReport report) {
        report.files().stream()
                .flatMap(file -> file.outcomes().stream()
                        .filter(outcome -> !outcome.isPassed())
                        .map(outcome -> FailedTests.details(file, outcome)))
                .limit(MOST_NAMED)
                .forEach(details -> LOG.info("gate: {}", details));
    }

    /**
     * Logs a warning if system properties changed during the tests, because requests use the same properties. The tests
     * need not be the cause: other code may have changed the properties meanwhile.
     */
    private static void warn(Map<Object, Object> before) {
        Map<Object, Object> now = new HashMap<>(System.getProperties());
        Set<String> changed = new TreeSet<>();
        now.forEach((name, value) -> {
            if (!value.equals(before.get(name))) {
                changed.add(FilterFault.printable(String.valueOf(name), 60));
            }
        });
        before.keySet().stream()
                .filter(name -> !now.containsKey(name))
                .forEach(name -> changed.add(FilterFault.printable(String.valueOf(name), 60)));
        if (!changed.isEmpty()) {
            LOG.warn(
                    "gate: system properties changed while tests ran, which affects the whole process: {}",
                    changed.stream().limit(MOST_NAMED).toList());
        }
    }

    private boolean isFull(Candidate candidate) {
        return abandoned.isFull() || candidate.groovy().alive().abandonedBuilds() >= AbandonedTests.MOST;
    }

    private Fault full() {
        return Fault.of(new FilterFault(
                "filters",
                0,
                0,
                "the tests did not run, because " + AbandonedTests.MOST
                        + " threads of earlier tests or builds still run, and only a restart ends these threads: "
                        + abandoned.lines(MOST_NAMED)));
    }

    private static FilterFault forTests(FilterFault fault) {
        return new FilterFault(
                fault.file(), fault.line(), fault.column(), "in the build for the tests: " + fault.message());
    }

    private static String digest(FilterSources filters, List<FilterSource> tests) {
        StringBuilder all = new StringBuilder(filters.fingerprint());
        for (FilterSource test : tests) {
            all.append('\n').append(test.path()).append(' ').append(Sha256.of(test.text()));
        }
        return all.toString();
    }
}
