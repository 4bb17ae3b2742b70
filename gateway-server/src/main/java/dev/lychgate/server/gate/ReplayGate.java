package dev.lychgate.server.gate;

import dev.lychgate.chain.FilterSet;
import dev.lychgate.config.Durations;
import dev.lychgate.config.GateConfig;
import dev.lychgate.config.RecordConfig;
import dev.lychgate.filters.groovy.FilterFault;
import dev.lychgate.filters.groovy.GroovyFilters;
import dev.lychgate.filters.testing.AbandonedTests;
import dev.lychgate.filters.testing.BoundedRun;
import dev.lychgate.filters.testing.FilterTests;
import dev.lychgate.server.applog.SilencedLog;
import dev.lychgate.server.filters.FilterAssembly;
import dev.lychgate.server.recording.RecentRecordings;
import dev.lychgate.server.recording.Recording;
import dev.lychgate.server.recording.RecordingException;
import dev.lychgate.server.replay.ReplayComparison;
import dev.lychgate.server.yaml.Fault;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Replays the last recorded exchanges through the filters of the running generation and of a candidate, and reports the
 * differences for each filter. All filters come from separate builds that serve no requests. Thread-safe; blocks.
 */
final class ReplayGate {
    private static final Logger LOG = LoggerFactory.getLogger(ReplayGate.class);
    private static final int MOST_FAULTS = 20;
    private static final int LONGEST = 400;
    /**
     * The time between the end of the time limit and the moment when the gate abandons the thread of an unfinished
     * exchange.
     */
    private static final Duration GRACE = Duration.ofMillis(500);

    private final AbandonedTests abandoned;

    ReplayGate(AbandonedTests abandoned) {
        this.abandoned = abandoned;
    }

    /**
     * Replays recorded exchanges and compares the results.
     *
     * @param stable the filters of the running generation
     * @param source the name of the configuration, which is reported for differences that do not belong to a filter
     *     file
     * @throws InterruptedException if the calling thread is interrupted; the replay is abandoned
     */
    Verdict judge(
            FilterAssembly stable, FilterAssembly again, FilterAssembly candidate, RecordConfig record, String source)
            throws InterruptedException {
        GateConfig gate = candidate.config().lifecycle().gate();
        boolean required = gate.replay() == GateConfig.Check.REQUIRE;
        try {
            RecentRecordings recent = RecentRecordings.of(record, gate.exchanges());
            if (recent.size() == 0) {
                LOG.info("gate: the change is accepted without a replay, because the recording contains no exchange");
                return Verdict.PASSED;
            }
            List<Fault> faults = new Run(new ReplayComparison(stable, again, candidate), recent, gate.timeout())
                    .faults(candidate.filters(), source);
            return new Verdict(faults, required);
        } catch (IOException e) {
            // The recording is not a part of the candidate, so an unreadable recording must not prevent a change.
            LOG.warn(
                    "gate: no exchange is replayed and the change is accepted, because the recording can't be read: {}",
                    RecordingException.text(e));
            return Verdict.PASSED;
        }
    }

    /**
     * One replay of the recorded exchanges. It ends when all exchanges have been replayed or the time limit has
     * expired.
     */
    private final class Run {
        private final ReplayComparison comparison;
        private final RecentRecordings recent;
        private final int recorded;
        private final Duration limit;
        private final long begin = System.nanoTime();
        private volatile @Nullable Throwable failure;

        Run(ReplayComparison comparison, RecentRecordings recent, Duration limit) {
            this.comparison = comparison;
            this.recent = recent;
            this.recorded = recent.size();
            this.limit = limit;
        }

        List<Fault> faults(FilterSet filters, String source) throws InterruptedException {
            SilencedLog silenced = SilencedLog.begin(FilterTests::isTest);
            boolean ended;
            try {
                ended = BoundedRun.within(limit.plus(GRACE), "the replay", abandoned, this::replay);
            } finally {
                silenced.close();
            }
            Throwable thrown = failure;
            if (thrown != null) {
                return List.of(fault(source, "the replay failed: " + thrown));
            }
            return ended ? reported(filters, source) : endless(source);
        }

        private void replay() {
            try {
                while (System.nanoTime() - begin < limit.toNanos()) {
                    Recording next = next();
                    if (next == null) {
                        return;
                    }
                    comparison.compare(next);
                }
            } catch (RuntimeException | Error e) {
                failure = e;
            }
        }

        private @Nullable Recording next() {
            while (true) {
                try {
                    return recent.next();
                } catch (RecordingException e) {
                    // The checksum is correct, so another version of the gateway may have written the exchange.
                    LOG.debug("a recorded exchange is not replayed: {}", e.getMessage());
                }
            }
        }

        /**
         * Returns the error for a replay that was abandoned because an exchange did not end. The abandoned thread may
         * still use the comparison.
         */
        private List<Fault> endless(String source) {
            ReplayComparison.Current current = comparison.current();
            String name = current == null ? "an exchange" : current.exchange();
            if (current != null && !current.isCandidate()) {
                LOG.warn(
                        "gate: the replay of {} through the filters of the running generation took longer than {}; the"
                                + " replay is abandoned, and the change is accepted without it",
                        name,
                        Durations.print(limit));
                return List.of();
            }
            return List.of(fault(
                    source, "the replay was abandoned: " + name + " did not end within " + Durations.print(limit)));
        }

        private List<Fault> reported(FilterSet filters, String source) {
            ReplayComparison.Report report = comparison.report();
            LOG.info(
                    "gate: {} of {} recorded exchanges replayed, {} differ; {} are not reproducible, {} are unusable;"
                            + " {} ms",
                    report.compared(),
                    recorded,
                    report.different(),
                    report.unstable(),
                    report.unusable(),
                    (System.nanoTime() - begin) / 1_000_000);
            List<Fault> faults = new ArrayList<>();
            for (ReplayComparison.Group group : report.groups()) {
                if (faults.size() == MOST_FAULTS) {
                    faults.add(fault(source, (report.groups().size() - MOST_FAULTS) + " more differences"));
                    break;
                }
                faults.add(fault(file(filters, group.filter(), source), text(group, report.compared())));
            }
            return faults;
        }
    }

    private static String text(ReplayComparison.Group group, int of) {
        return (group.filter().isEmpty() ? "" : group.filter() + ": ") + group.difference() + ", in "
                + group.exchanges() + " of " + of + " replayed exchanges, such as " + group.example();
    }

    /** Returns the file of a filter of the candidate; {@code source} if the filter has no file. */
    private static String file(FilterSet filters, String stageAndName, String source) {
        String name = stageAndName.substring(stageAndName.indexOf(' ') + 1);
        for (FilterSet.Entry entry : filters.entries()) {
            String file = entry.name().equals(name) ? GroovyFilters.fileOf(entry.filter()) : null;
            if (file != null) {
                return file;
            }
        }
        return source;
    }

    private static Fault fault(String file, String text) {
        return Fault.of(new FilterFault(file, 0, 0, FilterFault.printable("gate.replay: " + text, LONGEST)));
    }
}
