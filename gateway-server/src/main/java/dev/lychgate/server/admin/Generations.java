package dev.lychgate.server.admin;

import dev.lychgate.config.GatewayConfig;
import dev.lychgate.filters.groovy.FilterLibrary;
import dev.lychgate.filters.groovy.GenerationsAlive;
import dev.lychgate.filters.groovy.IgnoredFile;
import dev.lychgate.server.history.Author;
import dev.lychgate.server.history.ChangeHistory;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The generations of a gateway that watches its files. Thread-safe; no method blocks, except {@link #endReloads}. */
public interface Generations {
    /**
     * The running generation, or a generation that a rollback can restore.
     *
     * @param since the time at which the generation was put in force
     * @param why the reason why the generation was built, in words
     */
    record Kept(long number, Instant since, String why, boolean running) {}

    /**
     * The sources of a generation.
     *
     * @param filters the texts of the files of the filter directory, and the digests of its jars, by their paths in
     *     this directory
     * @param certificates a digest of the certificate, key and token files, and of the state of the address lists
     * @param secrets digests of the secrets to which the configuration refers, by reference; comparable within this
     *     process
     */
    record Content(
            GatewayConfig config, Map<String, String> filters, String certificates, Map<String, String> secrets) {
        public Content {
            filters = Map.copyOf(filters);
            secrets = Map.copyOf(secrets);
        }
    }

    /**
     * The reason why files were refused.
     *
     * @param when the time at which the files were read
     * @param faults the errors, one line each, in the form {@code file:line:column: message}; unknown parts are omitted
     */
    record Refusal(Instant when, List<String> faults) {
        public Refusal {
            faults = List.copyOf(faults);
        }
    }

    /** The result of a reload or a rollback. */
    sealed interface Outcome {
        /**
         * The files are accepted. Either their generation was put in force, or their generation is a candidate, or the
         * files are unchanged and the running generation stays in force.
         *
         * @param number the number of the generation of these files
         */
        record Taken(long number) implements Outcome {}

        /** No retained generation has the requested number. */
        record NotKept() implements Outcome {}

        /**
         * The generation is unusable, so the previous generation stays in use.
         *
         * @param faults the reasons, as in {@link Generations.Refusal}
         */
        record Refused(List<String> faults) implements Outcome {
            public Refused {
                faults = List.copyOf(faults);
            }
        }
    }

    /** Returns the retained generations, newest first. */
    List<Kept> kept();

    /** Returns the sources of a retained generation; null if no retained generation has this number. */
    @Nullable
    Content content(long number);

    /**
     * Returns whether a rollback is in force. While a rollback is in force, changed files have no effect until a reload
     * is requested.
     */
    boolean isPinned();

    /**
     * Returns the reason why the files that were read last were refused; null if these files were accepted or
     * unchanged.
     */
    @Nullable
    Refusal refusal();

    /** Returns the files of the filter directory that look like filters but are not used, as of the last read. */
    List<IgnoredFile> ignored();

    /** Returns the jars that the running filters use. */
    List<FilterLibrary> libraries();

    /** Returns the object that controls the rollouts of new generations. */
    RolloutControl rollouts();

    /**
     * Rereads all files and builds a generation from them, even if the files are unchanged.
     *
     * @param request the rollout that replaces the configured rollout
     * @param author the client, for the history
     * @return the result
     */
    CompletableFuture<Outcome> reloadNow(RolloutRequest request, Author author);

    /**
     * Rolls back to an earlier generation.
     *
     * @return the result
     */
    CompletableFuture<Outcome> rollbackTo(long number, Author author);

    /**
     * Rolls back to the files that an entry of the history records.
     *
     * @return the result
     */
    CompletableFuture<Outcome> rollbackToEntry(long entry, Author author);

    /**
     * Ends reloads, and waits for a limited time until all entries of the history are written. To be called before the
     * gateway closes the receivers of the history.
     */
    void endReloads();

    /** Returns the fleet of this gateway; null if the gateway belongs to no fleet. */
    default @Nullable FleetSource fleet() {
        return null;
    }

    /** Returns the history of changes; null if there is none. */
    @Nullable
    ChangeHistory changes();

    /** Returns the number of generations accepted since the start, without the first generation. */
    long taken();

    /** Returns the number of changes refused since the start. */
    long refused();

    /**
     * Returns the filter code that is in memory, the abandoned builds, and the state of filters that outlives their
     * generations.
     */
    GenerationsAlive alive();
}
