package dev.lychgate.server.admin;

import dev.lychgate.server.admin.Generations.Content;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Reads and checks the files of a gateway without putting them in force. Thread-safe; no method blocks. */
public interface Proposals {
    /** The result of reading the files. */
    sealed interface Result {
        /**
         * The result if the files can be used.
         *
         * @param running the number of the generation in force
         * @param before the sources of the generation in force
         * @param after the sources that the files contain
         * @param changes whether {@code before} and {@code after} differ, so that a reload would build a generation
         * @param warnings the warnings, one line each
         */
        record Proposed(long running, Content before, Content after, boolean changes, List<String> warnings)
                implements Result {
            public Proposed {
                warnings = List.copyOf(warnings);
            }
        }

        /**
         * The result if a reload would refuse the files.
         *
         * @param faults the reasons, as in {@link Generations.Refusal}
         */
        record Refused(List<String> faults) implements Result {
            public Refused {
                faults = List.copyOf(faults);
            }
        }
    }

    /**
     * Reads the files, builds a generation from them, and runs all checks of a reload, without putting the generation
     * in force. Constructors, scripts, {@code onLoad}, self-checks and tests of filters run.
     *
     * @return the verdict
     */
    CompletableFuture<Result> dryRun();

    /**
     * Reads the files. No filter code runs, so a reload may still refuse these files.
     *
     * @return the files
     */
    CompletableFuture<Result> compare();

    /** Returns the number of threads that still run abandoned tests of filters. */
    int abandonedTests();
}
