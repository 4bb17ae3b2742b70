package dev.lychgate.server.admin;

import dev.lychgate.server.admin.Generations.Content;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** The files of a gateway as a proposal that has not taken effect. Any thread; no method blocks. */
public interface Proposals {
    /** The result of reading the files. */
    sealed interface Result {
        /**
         * They can be used.
         *
         * @param running the number of the generation in force
         * @param before its sources
         * @param after the sources of the files
         * @param changes whether they differ, so that a reload would make a generation
         * @param warnings one line each
         */
        record Proposed(long running, Content before, Content after, boolean changes, List<String> warnings)
                implements Result {
            public Proposed {
                warnings = List.copyOf(warnings);
            }
        }

        /** A reload would refuse them. @param faults why, as in {@link Generations.Refusal} */
        record Refused(List<String> faults) implements Result {
            public Refused {
                faults = List.copyOf(faults);
            }
        }
    }

    /**
     * Reads and builds the files and runs all checks of a reload, without a swap. Constructors, scripts, {@code onLoad},
     * self-checks and tests of filters run.
     *
     * @return the verdict
     */
    CompletableFuture<Result> dryRun();

    /** Reads the files. No code of filters runs, so they may still be refused by a reload. @return the files */
    CompletableFuture<Result> compare();

    /** Returns the number of threads of tests that were abandoned and have not ended. */
    int abandonedTests();
}
