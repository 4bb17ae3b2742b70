package dev.lychgate.server.reload;

import dev.lychgate.config.GateConfig;
import dev.lychgate.filters.groovy.GroovyFilters;
import dev.lychgate.server.gate.Candidate;
import dev.lychgate.server.gate.Gate;
import dev.lychgate.server.gate.Verdict;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Stands between the build of a generation and its swap. Thread-safe; blocks while tests run. */
final class CandidateGate {
    private static final Logger LOG = LoggerFactory.getLogger(CandidateGate.class);

    private final GroovyFilters groovy;
    /** Null until a configuration has a gate: without one, no class of it is loaded. */
    private volatile @Nullable Gate gate;

    CandidateGate(GroovyFilters groovy) {
        this.groovy = groovy;
    }

    /**
     * Checks a generation that is about to take effect, and closes it if it is refused.
     *
     * @throws RefusedException with the failed tests
     * @throws InterruptedException if the calling thread is interrupted
     */
    void check(BuiltGeneration next) throws RefusedException, InterruptedException {
        boolean passed = false;
        try {
            verdict(next.files(), groovy)
                    .forEach(fault -> LOG.warn("gate: {}; the change takes effect, as gate.tests is warn", fault));
            passed = true;
        } finally {
            if (!passed) {
                next.close();
            }
        }
    }

    /**
     * Returns the failed tests of files that would take effect nevertheless, one line each.
     *
     * @param compiled the builder that has compiled their filters
     * @throws RefusedException with the failed tests of others
     */
    List<String> verdict(FilesRead files, GroovyFilters compiled) throws RefusedException, InterruptedException {
        if (files.config().lifecycle().gate().tests() == GateConfig.Check.OFF) {
            return List.of();
        }
        Verdict verdict = gate().judge(new Candidate(files.config(), files.filters(), compiled));
        if (verdict.refused() && !verdict.faults().isEmpty()) {
            throw RefusedException.ofTests(verdict.faults());
        }
        return verdict.warnings();
    }

    private synchronized Gate gate() {
        Gate used = gate;
        if (used == null) {
            used = new Gate();
            gate = used;
        }
        return used;
    }

    /** Returns the number of threads of tests that have not ended. */
    int abandoned() {
        Gate used = gate;
        return used == null ? 0 : used.abandoned();
    }
}
