package dev.lychgate.filters.groovy;

import dev.lychgate.config.Durations;
import dev.lychgate.config.FiltersConfig;
import dev.lychgate.extension.FilterDialect;
import dev.lychgate.filter.Filter;
import dev.lychgate.filters.libraries.JarClassLoader;
import dev.lychgate.filters.state.GenerationObjects;
import dev.lychgate.filters.state.LiveProperties;
import dev.lychgate.filters.state.SharedState;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Builds filters from Groovy code. All files are accepted or refused together. Each build has a separate thread and a
 * time limit. Methods block. Thread-safe; concurrent builds do not affect each other.
 *
 * <p>Static blocks, constructors and scripts run during a build, with the permissions of the gateway. {@link ExitCalls}
 * and {@link RefusedDeclarations} prevent mistakes, not attacks.
 */
public final class GroovyFilters {
    /** The default time limit of a build. */
    public static final Duration DEFAULT_LIMIT = FiltersConfig.DEFAULT.buildTimeout();

    private static final Duration FIRST_REPORT = Duration.ofSeconds(10);

    private final Duration limit;
    private final Duration pause;
    private final LibraryClasses.Cache libraries = new LibraryClasses.Cache();
    private final LoadedClasses classes = new LoadedClasses();
    /**
     * True until a build has created filters. The gateway processes no traffic before the first build has created
     * filters.
     */
    private final AtomicBoolean first;

    private final IncrementalCompiler compiler;
    private volatile CompileReport report = new CompileReport();
    private final SharedState state = new SharedState();
    private final GenerationsAlive alive;

    public GroovyFilters() {
        this(DEFAULT_LIMIT);
    }

    /**
     * Creates a builder of filters with a time limit.
     *
     * @param limit the time limit of builds; more than zero
     */
    public GroovyFilters(Duration limit) {
        this(limit, FIRST_REPORT, null);
    }

    /**
     * Creates a builder of filters with a time limit, and a pause before reports about abandoned builds.
     *
     * @param pause the time from the end of the time limit to the first report that the build still runs
     */
    GroovyFilters(Duration limit, Duration pause) {
        this(limit, pause, null);
    }

    private GroovyFilters(Duration limit, Duration pause, @Nullable CompiledCache cache) {
        this.compiler = new IncrementalCompiler(cache);
        this.limit = positive(limit);
        this.pause = pause;
        this.first = new AtomicBoolean(true);
        this.alive = new GenerationsAlive(state, new AtomicInteger());
    }

    private GroovyFilters(GroovyFilters origin) {
        this.compiler = origin.compiler.copy();
        this.limit = origin.limit;
        this.pause = origin.pause;
        this.first = new AtomicBoolean(false);
        this.alive = new GenerationsAlive(state, origin.alive.abandoned());
    }

    /**
     * Returns a builder for filters that serve no requests, such as filters for tests. The new builder starts with the
     * byte code that this builder has compiled, but shares no classes, state or files with this builder. The abandoned
     * builds of both builders are counted together.
     */
    public GroovyFilters isolated() {
        return new GroovyFilters(this);
    }

    /** Returns a builder that reuses the byte code in {@code file}. {@link #saveCompiled} writes this file. */
    public static GroovyFilters reusing(Path file) {
        return new GroovyFilters(DEFAULT_LIMIT, FIRST_REPORT, new CompiledCache(file));
    }

    /**
     * Saves the byte code of the last compilations for the next process. Has no effect unless {@link #reusing} has
     * created this builder. Never throws an exception.
     */
    public void saveCompiled() {
        compiler.save();
    }

    /**
     * Makes the next build load the classes of all files again, including the classes that a change does not affect.
     */
    public void loadAnew() {
        classes.clear();
    }

    private static Duration positive(Duration limit) {
        if (limit.isZero() || limit.isNegative()) {
            throw new IllegalArgumentException("a limit of " + limit + " (expected: > 0)");
        }
        return limit;
    }

    /**
     * Returns the path of the file that declares a filter, below the filter directory; null if the filter is not from a
     * file.
     */
    public static @Nullable String fileOf(Filter filter) {
        Class<?> code = filter.definedIn();
        if (code.getClassLoader() instanceof GroupClassLoader loader) {
            return loader.code().fileOf(code.getName());
        }
        return code.getClassLoader() instanceof JarClassLoader loader ? loader.nameOf(code.getName()) : null;
    }

    /**
     * Converts a failure of a filter to an error of its file, with the line if the stack trace of {@code thrown}
     * contains it. Returns null if the filter is not from a file.
     */
    public static @Nullable FilterFault fault(Filter filter, Throwable thrown, String message) {
        String file = fileOf(filter);
        if (file == null) {
            return null;
        }
        FilterFault fault = FilterFault.of(file, message);
        return filter.definedIn().getClassLoader() instanceof GroupClassLoader loader
                ? loader.code().fault(thrown, fault)
                : fault;
    }

    /** Returns the times of the last compilation. */
    public CompileReport report() {
        return report;
    }

    /** Returns the counter of the generations that this builder has built and whose classes are in memory. */
    public GenerationsAlive alive() {
        return alive;
    }

    /**
     * Builds the filters of a generation. Does not run the self-checks of the filters.
     *
     * @throws FilterFaultsException if files are refused, or the build exceeds its time limit
     * @throws InterruptedException if the calling thread is interrupted, in which case the build is abandoned
     */
    public BuiltFilters build(FilterSources sources) throws FilterFaultsException, InterruptedException {
        return build(sources, limit);
    }

    /**
     * Builds the filters of a generation like {@link #build(FilterSources)}, from files that may be written in a
     * dialect.
     *
     * @param dialect the dialect; null without a dialect
     */
    public BuiltFilters build(FilterSources sources, @Nullable FilterDialect dialect)
            throws FilterFaultsException, InterruptedException {
        return build(sources, limit, null, Map.of(), dialect);
    }

    /**
     * Builds the filters of a generation like {@link #build(FilterSources)}, with another time limit.
     *
     * @param atMost the time limit of this build; more than zero
     */
    public BuiltFilters build(FilterSources sources, Duration atMost)
            throws FilterFaultsException, InterruptedException {
        return build(sources, atMost, null, Map.of());
    }

    /**
     * Builds the filters of a generation like {@link #build(FilterSources)}, for a configuration.
     *
     * @param uses the settings of filters in the lists of the configuration, by the name of the filter; null without a
     *     configuration. With a configuration, the result contains the errors of filters that could not be created, and
     *     each {@link dev.lychgate.filters.settings.NamedFilter} records the settings that it has refused
     * @param properties the values of {@code filters.properties} in the configuration
     */
    public BuiltFilters build(
            FilterSources sources,
            Duration atMost,
            @Nullable Map<String, List<Map<String, Object>>> uses,
            Map<String, List<String>> properties)
            throws FilterFaultsException, InterruptedException {
        return build(sources, atMost, uses, properties, null);
    }

    /**
     * Builds the filters of a generation like {@link #build(FilterSources, Duration, Map, Map)}, from files that may be
     * written in a dialect.
     *
     * @param dialect the dialect; null without a dialect
     */
    public BuiltFilters build(
            FilterSources sources,
            Duration atMost,
            @Nullable Map<String, List<Map<String, Object>>> uses,
            Map<String, List<String>> properties,
            @Nullable FilterDialect dialect)
            throws FilterFaultsException, InterruptedException {
        Build build = new Build(DialectFiles.used(sources, dialect), uses, properties, dialect);
        BuildThread thread = new BuildThread(build::run);
        try {
            return thread.get(positive(atMost));
        } catch (TimeoutException e) {
            // The abandoned build may wait in a static block forever, so later builds must not use the same classes.
            loadAnew();
            // The file in progress is read before the interrupt, because the interrupted build may continue with the
            // next file.
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
            throw new FilterFaultsException(FilterFault.of(build.file(), "the build failed: " + e.getCause()));
        }
    }

    private final class Build {
        private final FilterSources sources;
        private final @Nullable Map<String, List<Map<String, Object>>> uses;
        /** The classes of the filters that are being built; null until the compilation is complete. */
        private volatile @Nullable CompiledSources compiled;

        /**
         * The file in progress. The thread of the build sets the file, and the caller reads it when the build is
         * abandoned.
         */
        private final AtomicReference<String> inWork = new AtomicReference<>(CompilerFaults.SOMEWHERE);

        private final Map<String, List<String>> properties;
        private final @Nullable FilterDialect dialect;
        private boolean anew;

        Build(
                FilterSources sources,
                @Nullable Map<String, List<Map<String, Object>>> uses,
                Map<String, List<String>> properties,
                @Nullable FilterDialect dialect) {
            this.dialect = dialect;
            this.sources = sources;
            this.uses = uses;
            this.properties = properties;
        }

        BuiltFilters run() throws FilterFaultsException {
            GroovyFilterCompiler.loadForFilters();
            List<FilterClassLoader> loaders = compile();
            loaders.forEach(alive::add);
            GenerationObjects objects = new GenerationObjects(
                    state,
                    Thread.currentThread().getThreadGroup(),
                    (file, stack) -> place(loaders, file, stack),
                    new LiveProperties(properties));
            try {
                FilterMaking making = first.getAndSet(false) ? makeFirst(loaders, objects) : make(loaders, objects);
                if (objects.foundClosed() && !anew) {
                    anew = true;
                    objects.end().join();
                    loaders.forEach(FilterClassLoader::release);
                    loadAnew();
                    return run();
                }
                List<GroovyFilter> filters = uses == null ? making.all() : making.made();
                objects.complete();
                if (making.faults().isEmpty()) {
                    classes.add(loaders);
                }
                return new BuiltFilters(filters, loaders, objects, making.faults(), making.failed());
            } catch (FilterFaultsException | RuntimeException | Error e) {
                objects.end();
                loaders.forEach(FilterClassLoader::release);
                throw e;
            }
        }

        private List<FilterClassLoader> compile() throws FilterFaultsException {
            List<FilterClassLoader> loaders = new ArrayList<>();
            List<FilterFault> faults = new ArrayList<>();
            List<FilterBundle> bundles = FilterBundle.of(sources, dialect);
            compiler.retain(bundles);
            CompileReport spent = new CompileReport();
            report = spent;
            long begin = System.nanoTime();
            for (FilterBundle bundle : bundles) {
                try {
                    LibraryClasses jars = libraries.of(bundle);
                    loaders.add(classes.loader(bundle, compiler.compile(bundle, jars, inWork, spent), jars));
                } catch (FilterFaultsException e) {
                    faults.addAll(e.faults());
                }
            }
            spent.total(Duration.ofNanos(System.nanoTime() - begin));
            if (!faults.isEmpty()) {
                loaders.forEach(FilterClassLoader::release);
                throw new FilterFaultsException(faults);
            }
            return loaders;
        }

        private static String place(List<FilterClassLoader> loaders, String file, StackTraceElement[] stack) {
            return loaders.stream()
                    .filter(loader -> loader.bundle().equals(PlaceInTree.bundle(file)))
                    .findFirst()
                    .map(loader -> loader.code().place(file, stack))
                    .orElse(file);
        }

        private FilterMaking makeFirst(List<FilterClassLoader> loaders, GenerationObjects objects) {
            EarlyLoading loading = EarlyLoading.of(loaders);
            try {
                return make(loaders, objects);
            } finally {
                loading.end();
            }
        }

        private FilterMaking make(List<FilterClassLoader> loaders, GenerationObjects objects) {
            Thread thread = Thread.currentThread();
            ClassLoader usual = thread.getContextClassLoader();
            FilterMaking making = new FilterMaking(
                    inWork, uses, objects, dialect == null ? null : dialect.begin(), GroovyFilters.this::loadAnew);
            if (loaders.stream().anyMatch(loader -> !loader.code().filters().isEmpty())) {
                ValueMetaClasses.create();
            }
            for (FilterClassLoader loader : loaders) {
                compiled = loader.code();
                // Libraries find the providers of their services through the context loader. The loader of the
                // generation is not the context loader, because a thread that a filter starts would keep the loader of
                // the generation in memory.
                thread.setContextClassLoader(
                        loader.libraries().isEmpty()
                                ? usual
                                : loader.libraries().loader());
                making.make(loader);
            }
            making.complete("extensions");
            return making;
        }

        FilterFault tooLong(String file, StackTraceElement[] stack, Duration atMost) {
            CompiledSources code = compiled;
            String message =
                    "the build exceeded filters.build-timeout (" + Durations.print(atMost) + ") and was abandoned";
            return code == null
                    ? FilterFault.of(file, message + ", within the compiler")
                    : code.fault(stack, FilterFault.of(file, message));
        }

        String file() {
            return String.valueOf(inWork.get());
        }
    }
}
