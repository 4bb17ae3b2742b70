package dev.lychgate.server.reload;

import dev.lychgate.config.ConfigException;
import dev.lychgate.config.KnownSecrets;
import dev.lychgate.generation.Generation;
import dev.lychgate.server.filters.FilterAssembly;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Puts retained generations into force again, with the current secrets. The earlier secrets may have been revoked.
 *
 * @param gateway puts an assembly into force; throws {@link ConfigException} if it is refused
 */
record Rollback(GenerationBuilder builder, Function<FilterAssembly, Generation> gateway) {
    /**
     * The target of a rollback.
     *
     * @param why the reason for the swap, for messages
     * @param files the files of the generation
     * @param way puts a generation of the files into force
     */
    record Target(String why, FilesRead files, Way way) {}

    /** Puts a generation in force again. */
    interface Way {
        SwappedIn back() throws Refused;
    }

    /** Reports that the target of a rollback is unusable, so the running generation stays in force. */
    static final class Refused extends Exception {
        private static final long serialVersionUID = 1;

        /** @param cause the failure if its stack trace must be logged; otherwise null */
        Refused(String fault, @Nullable Throwable cause) {
            super(KnownSecrets.OF_PROCESS.hide(fault), cause);
        }
    }

    /** Returns the target for a retained generation; null if no retained generation has the number. */
    @Nullable
    Target target(long number, History history) {
        History.Taken earlier = history.find(number);
        return earlier == null
                ? null
                : new Target("rollback to " + number, earlier.built().files(), () -> to(earlier, history.running()));
    }

    /**
     * Returns the target for {@code files}: a retained generation of these files if there is one, otherwise a new
     * generation.
     */
    Target target(String why, FilesRead files, History history) {
        History.Taken earlier = history.like(files);
        return new Target(why, files, () -> earlier == null ? to(files) : to(earlier, history.running()));
    }

    /** @param now the generation in force; null if there is none */
    @SuppressWarnings("ReferenceEquality") // the same object, unless a secret has changed
    private SwappedIn to(History.Taken earlier, History.@Nullable Taken now) throws Refused {
        FilesRead files = current(earlier.built().files());
        if (files != earlier.built().files()) {
            return to(files);
        }
        BuiltGeneration built = again(earlier.built(), now);
        return apply(built, () -> closeUnlessKept(built, earlier));
    }

    private FilesRead current(FilesRead files) throws Refused {
        try {
            return files.withCurrentSecrets(builder::read);
        } catch (RefusedException e) {
            throw new Refused(String.join("; ", e.faults()), e.getCause());
        }
    }

    /**
     * Builds a generation from files, and puts the generation into force. Called only if no retained generation was
     * built from these files.
     */
    private SwappedIn to(FilesRead files) throws Refused {
        BuiltGeneration built = build(files);
        return apply(built, built::close);
    }

    private SwappedIn apply(BuiltGeneration built, Runnable close) throws Refused {
        Generation generation = null;
        try {
            generation = gateway.apply(built.assembly());
            return new SwappedIn(generation, built);
        } catch (ConfigException e) {
            throw new Refused(String.valueOf(e.getMessage()), null);
        } catch (RuntimeException | LinkageError | AssertionError | StackOverflowError e) {
            throw new Refused("unexpected failure: " + e, e);
        } finally {
            if (generation == null) {
                close.run();
            }
        }
    }

    /**
     * Returns the earlier generation. If objects of its filters have been closed, returns a new generation that is
     * built from its files.
     */
    private BuiltGeneration again(BuiltGeneration earlier, History.@Nullable Taken now) throws Refused {
        boolean runs = now != null && earlier.sharesObjects(now.built());
        if (!earlier.isClosedWhenReplaced() || runs) {
            return earlier;
        }
        return build(earlier.files());
    }

    private BuiltGeneration build(FilesRead files) throws Refused {
        try {
            return builder.build(files);
        } catch (RefusedException e) {
            throw new Refused(String.join("; ", e.faults()), e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new Refused("interrupted", null);
        }
    }

    @SuppressWarnings("ReferenceEquality") // detects a generation that was built for the rollback
    private static void closeUnlessKept(BuiltGeneration built, History.Taken earlier) {
        if (built != earlier.built()) {
            built.close();
        }
    }
}
