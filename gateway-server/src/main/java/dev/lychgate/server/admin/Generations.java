package dev.lychgate.server.admin;

import dev.lychgate.config.GatewayConfig;
import dev.lychgate.filters.groovy.IgnoredFile;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The generations of a gateway that follows its files. Any thread; nothing here blocks. */
public interface Generations {
    /**
     * One that can be gone back to, or runs.
     *
     * @param number its number
     * @param since when it took over
     * @param why it was built, for people
     * @param running whether it is the one that runs
     */
    record Kept(long number, Instant since, String why, boolean running) {}

    /**
     * What a generation was made of.
     *
     * @param config the settings
     * @param filters the texts of the files of the filter directory, by their paths in it
     * @param certificates stands for what the files of certificates, keys and tokens held
     */
    record Content(GatewayConfig config, Map<String, String> filters, String certificates) {
        public Content {
            filters = Map.copyOf(filters);
        }
    }

    /**
     * Why files were not taken.
     *
     * @param when they were looked at
     * @param faults one line each: {@code file:line:column: message}, as far as the place is known
     */
    record Refusal(Instant when, List<String> faults) {
        public Refusal {
            faults = List.copyOf(faults);
        }
    }

    /** What came of reading the files anew, or of going back to an earlier generation. */
    sealed interface Outcome {
        /** A generation has taken over, or runs on, since the files say what runs. @param number its number */
        record Taken(long number) implements Outcome {}

        /** There is none of that number, or none any more. */
        record NotKept() implements Outcome {}

        /** It can't be used; what ran before runs on. @param faults why, as in {@link Generations.Refusal} */
        record Refused(List<String> faults) implements Outcome {
            public Refused {
                faults = List.copyOf(faults);
            }
        }
    }

    /** Newest first. */
    List<Kept> kept();

    /** What one of those that are kept was made of; null if that one is not kept. */
    default @Nullable Content content(long number) {
        return null;
    }

    /** Whether an operator has gone back to an earlier generation, which holds until a reload, whatever is written. */
    default boolean isPinned() {
        return false;
    }

    /** Why the files were refused when they were looked at last; null if they were taken, or were what runs already. */
    @Nullable
    Refusal refusal();

    /** Files of the filter directory that look like filters and are not used, as they were read last. */
    default List<IgnoredFile> ignored() {
        return List.of();
    }

    /** Reads all files anew and makes a generation of them, even if they are those that run. @return what came of it */
    CompletableFuture<Outcome> reloadNow();

    /** Lets an earlier generation take over. @return what came of it */
    CompletableFuture<Outcome> rollbackTo(long number);

    /** Generations taken since the start, without the first. */
    long taken();

    /** Changes refused since the start. */
    long refused();

    /** Generations of filter code that are still in memory. */
    int alive();

    /** How many builds of filters were given up and still run. */
    int abandonedBuilds();
}
