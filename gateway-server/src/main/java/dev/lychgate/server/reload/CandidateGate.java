package dev.lychgate.server.reload;

import dev.lychgate.config.GateConfig;
import dev.lychgate.config.RecordConfig;
import dev.lychgate.filters.groovy.GroovyFilters;
import dev.lychgate.server.gate.Candidate;
import dev.lychgate.server.gate.Gate;
import dev.lychgate.server.gate.Verdict;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs tests and replays between the build of a generation and its swap. Thread-safe; blocks while they run. */
final class CandidateGate {
    private static final Logger LOG = LoggerFactory.getLogger(CandidateGate.class);

    private final GroovyFilters groovy;
    private final String source;
    private final OfflineBuild.Builds builds;
    /**
     * The gate; null until a configuration requires a gate. The classes of the gate are loaded only when the gate is
     * created.
     */
    private volatile @Nullable Gate gate;

    CandidateGate(GroovyFilters groovy, String source, OfflineBuild.Builds builds) {
        this.groovy = groovy;
        this.source = source;
        this.builds = builds;
    }

    /**
     * Checks a generation that is about to take effect, and closes it if it is refused.
     *
     * @param running the files of the generation in force; null before the first generation
     * @throws RefusedException if tests failed or the replay found differences; the exception lists them
     * @throws InterruptedException if the calling thread is interrupted
     */
    void check(BuiltGeneration next, @Nullable FilesRead running) throws RefusedException, InterruptedException {
        boolean passed = false;
        try {
            verdict(next.files(), running, groovy)
                    .forEach(fault -> LOG.warn("gate: {}; the change takes effect nevertheless", fault));
            passed = true;
        } finally {
            if (!passed) {
                next.close();
            }
        }
    }

    /**
     * Runs the tests and the replay for files. If the files may take effect, returns the failed tests and the
     * differences as warnings, one line each.
     *
     * @param running the files of the generation in force, for the replay; null if no generation is in force
     * @param compiled the builder that has compiled the filters of {@code files}
     * @throws RefusedException if failed tests or differences keep the files from taking effect; the exception lists
     *     them
     */
    List<String> verdict(FilesRead files, @Nullable FilesRead running, GroovyFilters compiled)
            throws RefusedException, InterruptedException {
        GateConfig wanted = files.config().lifecycle().gate();
        List<String> warnings = new ArrayList<>();
        if (wanted.tests() != GateConfig.Check.OFF) {
            warnings.addAll(passed(gate().judge(new Candidate(files.config(), files.filters(), compiled))));
        }
        RecordConfig record = files.config().recording();
        if (wanted.replay() != GateConfig.Check.OFF && record != null && running != null) {
            warnings.addAll(passed(replayed(files, running, record)));
        }
        return warnings;
    }

    private static List<String> passed(Verdict verdict) throws RefusedException {
        if (verdict.refused() && !verdict.faults().isEmpty()) {
            throw RefusedException.ofTests(verdict.faults());
        }
        return verdict.warnings();
    }

    private Verdict replayed(FilesRead files, FilesRead running, RecordConfig record)
            throws RefusedException, InterruptedException {
        try (OfflineBuild stable = builds.of(running);
                OfflineBuild again = builds.of(running);
                OfflineBuild candidate = builds.of(files)) {
            return gate().replay(List.of(stable.assembly(), again.assembly()), candidate.assembly(), record, source);
        }
    }

    private synchronized Gate gate() {
        Gate used = gate;
        if (used == null) {
            used = new Gate();
            gate = used;
        }
        return used;
    }

    /** Returns the number of test threads that were abandoned and still run. */
    int abandoned() {
        Gate used = gate;
        return used == null ? 0 : used.abandoned();
    }
}
