package dev.lychgate.server.reload;

import dev.lychgate.config.ConfigException;
import dev.lychgate.generation.Generation;
import dev.lychgate.server.filters.FilterAssembly;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Swaps in retained generations.
 *
 * @param gateway swaps in an assembly; throws {@link ConfigException} if it is refused
 */
record Rollback(GenerationBuilder builder, Function<FilterAssembly, Generation> gateway) {
    /** A generation that was put in force again. @param built the retained one, or another one of the same files */
    record Done(Generation generation, BuiltGeneration built) {}

    /** The generation is unusable, and the running one stays in force. */
    static final class Refused extends Exception {
        private static final long serialVersionUID = 1;

        /** @param cause the failure whose stack trace is of interest; null if there is none */
        Refused(String fault, @Nullable Throwable cause) {
            super(fault, cause);
        }
    }

    /** @param now the generation in force; null if there is none */
    Done to(History.Taken earlier, History.@Nullable Taken now) throws Refused {
        BuiltGeneration built = again(earlier.built(), now);
        return apply(built, () -> closeUnlessKept(built, earlier));
    }

    /** Builds a generation of files that no retained one has, and swaps it in. */
    Done to(FilesRead files) throws Refused {
        BuiltGeneration built = build(files);
        return apply(built, built::close);
    }

    private Done apply(BuiltGeneration built, Runnable close) throws Refused {
        Generation generation = null;
        try {
            generation = gateway.apply(built.assembly());
            return new Done(generation, built);
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

    /** Returns an earlier generation, or another one of the same files if objects of its filters have been closed. */
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

    @SuppressWarnings("ReferenceEquality") // one that was built for the rollback
    private static void closeUnlessKept(BuiltGeneration built, History.Taken earlier) {
        if (built != earlier.built()) {
            built.close();
        }
    }
}
