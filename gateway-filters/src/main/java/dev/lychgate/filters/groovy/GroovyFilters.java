package dev.lychgate.filters.groovy;

import dev.lychgate.config.Durations;
import dev.lychgate.config.FiltersConfig;
import dev.lychgate.filter.Filter;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Builds filters from Groovy code: all files together, all or nothing, on a thread of their own and within a limit. May be
 * called from any thread that may wait; builds don't disturb one another.
 *
 * <p>Filter code runs while it is built, in static blocks, constructors and scripts, with all rights of the gateway. What is
 * refused, see {@link ExitCalls} and {@link RefusedDeclarations}, keeps mistakes out, not malice.
 */
public final class GroovyFilters {
    /** How long a build may take if nothing else is said. */
    public static final Duration DEFAULT_LIMIT = FiltersConfig.DEFAULT.buildTimeout();

    private static final Duration FIRST_REPORT = Duration.ofSeconds(10);

    private final Duration limit;
    private final Duration pause;
    private final GenerationsAlive alive = new GenerationsAlive();

    public GroovyFilters() {
        this(DEFAULT_LIMIT);
    }

    /** @param limit how long a build may take until it is given up; more than zero */
    public GroovyFilters(Duration limit) {
        this(limit, FIRST_REPORT);
    }

    /** @param pause from when a build is given up to the first report that it still runs */
    GroovyFilters(Duration limit, Duration pause) {
        this.limit = positive(limit);
        this.pause = pause;
    }

    private static Duration positive(Duration limit) {
        if (limit.isZero() || limit.isNegative()) {
            throw new IllegalArgumentException("a limit of " + limit + " (expected: > 0)");
        }
        return limit;
    }

    /** The path of the file that a filter was built from, below its directory; null if it is not from such a file. */
    public static @Nullable String fileOf(Filter filter) {
        Class<?> code = filter.definedIn();
        return code.getClassLoader() instanceof FilterClassLoader loader ? loader.fileOf(code) : null;
    }

    /**
     * What a filter has failed with, as a fault of the file that it was built from, with the line of it if {@code thrown} has
     * come through one; null if it is not from such a file.
     */
    public static @Nullable FilterFault fault(Filter filter, Throwable thrown, String message) {
        Class<?> type = filter.definedIn();
        if (!(type.getClassLoader() instanceof FilterClassLoader loader)) {
            return null;
        }
        String file = loader.fileOf(type);
        return file == null ? null : loader.code().fault(thrown, FilterFault.of(file, message));
    }

    /** How many generations of those that were built here are still in memory. */
    public GenerationsAlive alive() {
        return alive;
    }

    /**
     * Builds the filters of a generation. Their self-checks are the generation's own matter, and have not run.
     *
     * @throws FilterFaultsException if anything is wrong with any of the files, or the build takes too long
     * @throws InterruptedException if the calling thread is interrupted; the build is given up then
     */
    public BuiltFilters build(FilterSources sources) throws FilterFaultsException, InterruptedException {
        return build(sources, limit);
    }

    /** As {@link #build(FilterSources)}. @param atMost how long this build may take; more than zero */
    public BuiltFilters build(FilterSources sources, Duration atMost)
            throws FilterFaultsException, InterruptedException {
        return build(sources, atMost, null);
    }

    /**
     * As {@link #build(FilterSources)}, for a configuration.
     *
     * @param uses the settings in its lists, by the name of the filter; null = there is no configuration
     */
    public BuiltFilters build(
            FilterSources sources, Duration atMost, @Nullable Map<String, List<Map<String, Object>>> uses)
            throws FilterFaultsException, InterruptedException {
        Build build = new Build(sources, uses);
        BuildThread thread = new BuildThread(build::run);
        try {
            return thread.get(positive(atMost));
        } catch (TimeoutException e) {
            // First: interrupted, it may go on with the next file.
            String file = build.file();
            throw new FilterFaultsException(
                    build.tooLong(file, thread.abandon(file, alive.abandoned(), pause), atMost));
        } catch (InterruptedException e) {
            thread.abandon(build.file(), alive.abandoned(), pause);
            throw e;
        } catch (ExecutionException e) {
            if (e.getCause() instanceof FilterFaultsException faults) {
                throw faults;
            }
            throw new FilterFaultsException(FilterFault.of(build.file(), "the build has failed: " + e.getCause()));
        }
    }

    private final class Build {
        private final FilterSources sources;
        private final @Nullable Map<String, List<Map<String, Object>>> uses;
        /** Null until the compiler is through. */
        private volatile @Nullable CompiledSources compiled;

        /** The file that the build is at: written by its own thread, and read by whoever gives it up. */
        private final AtomicReference<String> inWork = new AtomicReference<>(CompilerFaults.SOMEWHERE);

        Build(FilterSources sources, @Nullable Map<String, List<Map<String, Object>>> uses) {
            this.sources = sources;
            this.uses = uses;
        }

        BuiltFilters run() throws FilterFaultsException {
            CompiledSources code = GroovyFilterCompiler.compile(sources, inWork);
            compiled = code;
            FilterClassLoader loader = new FilterClassLoader(code);
            alive.add(loader);
            try {
                return new BuiltFilters(new FilterMaking(code, loader, inWork, uses).make(), loader);
            } catch (FilterFaultsException | RuntimeException | Error e) {
                loader.release();
                throw e;
            }
        }

        FilterFault tooLong(String file, StackTraceElement[] stack, Duration atMost) {
            CompiledSources code = compiled;
            String message = "the build has taken longer than " + Durations.print(atMost) + " and is given up";
            return code == null
                    ? FilterFault.of(file, message + ", within the compiler")
                    : code.fault(stack, FilterFault.of(file, message));
        }

        String file() {
            return String.valueOf(inWork.get());
        }
    }
}
