package dev.lychgate.server.reload;

import dev.lychgate.config.ConfigException;
import dev.lychgate.config.Durations;
import dev.lychgate.config.GatewayConfig;
import dev.lychgate.config.RouteConfig;
import dev.lychgate.filters.groovy.BuiltFilters;
import dev.lychgate.filters.groovy.FilterDirectory;
import dev.lychgate.filters.groovy.FilterFault;
import dev.lychgate.filters.groovy.FilterFaultsException;
import dev.lychgate.filters.groovy.FilterSources;
import dev.lychgate.filters.groovy.GroovyFilter;
import dev.lychgate.filters.groovy.GroovyFilters;
import dev.lychgate.filters.settings.NamedFilter;
import dev.lychgate.filters.state.GenerationObjects;
import dev.lychgate.filters.state.LiveProperties;
import dev.lychgate.generation.SelfCheckException;
import dev.lychgate.server.extensions.Dialects;
import dev.lychgate.server.filters.FilterAssembly;
import dev.lychgate.server.filters.NamedFilters;
import dev.lychgate.server.yaml.ConfigReader;
import dev.lychgate.server.yaml.ConfigTexts;
import dev.lychgate.server.yaml.Environment;
import dev.lychgate.server.yaml.Fault;
import dev.lychgate.server.yaml.FaultyConfigException;
import dev.lychgate.server.yaml.LoadedConfig;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Builds generations from a configuration file and the filter directory that it names. A refused build does not affect
 * the running generation and leaves nothing behind. Used by one thread at a time; blocks.
 */
final class GenerationBuilder {
    private static final Logger LOG = LoggerFactory.getLogger(GenerationBuilder.class);

    private final String source;
    private final Settings settings;
    private final GroovyFilters groovy;
    private final Map<String, NamedFilter> others;
    private final CandidateGate gate;

    /** A source of settings: a file, or the code of an embedding program. */
    interface Settings {
        LoadedConfig read() throws FaultyConfigException;

        /** Reads settings from a copy of their texts. */
        default LoadedConfig read(ConfigTexts copy) throws FaultyConfigException {
            throw new UnsupportedOperationException("the settings of an embedding program cannot be read from a copy");
        }

        /** Returns the files that the last reading included. */
        default List<Path> included() {
            return List.of();
        }

        /** Returns the files of secrets to which the last reading referred. */
        default Set<Path> secretFiles() {
            return Set.of();
        }

        /**
         * Returns a source for another thread. It reads the settings of this source, but with the files of another
         * release.
         */
        default Settings ofRelease(Path release) {
            throw new UnsupportedOperationException("settings in code have no releases");
        }

        /** Returns a source that reads the settings of this source, for use by another thread. */
        default Settings isolated() {
            return this;
        }
    }

    private record SettingsFile(Path file, Environment environment, ConfigReader reader) implements Settings {
        SettingsFile(Path file, Environment environment) {
            this(file, environment, new ConfigReader(environment));
        }

        @Override
        public LoadedConfig read(ConfigTexts copy) throws FaultyConfigException {
            // Uses a new reader. The existing reader must read only the file on disk, because the files that its last
            // reading included are watched.
            return new ConfigReader(environment).read(copy);
        }

        @Override
        public LoadedConfig read() throws FaultyConfigException {
            return reader.read(file);
        }

        @Override
        public List<Path> included() {
            return reader.included();
        }

        @Override
        public Set<Path> secretFiles() {
            return reader.secretFiles();
        }

        @Override
        public Settings ofRelease(Path release) {
            return new SettingsFile(file, environment, new ConfigReader(environment, release));
        }

        @Override
        public Settings isolated() {
            return new SettingsFile(file, environment);
        }
    }

    /**
     * @param source the name of the settings in messages
     * @param others filters that the settings may refer to by name, in addition to the filters of the directory
     */
    GenerationBuilder(String source, Settings settings, GroovyFilters groovy, Map<String, NamedFilter> others) {
        this.source = source;
        this.settings = settings;
        this.groovy = groovy;
        this.others = others;
        this.gate = new CandidateGate(groovy, source, this::offline);
    }

    GenerationBuilder(Path file, Environment environment, GroovyFilters groovy) {
        this(file.toString(), new SettingsFile(file, environment), groovy, NamedFilters.services());
    }

    /**
     * Returns a builder for another thread. It reads the files of this builder, and the filters that it builds serve no
     * requests.
     */
    GenerationBuilder isolated() {
        return new GenerationBuilder(source, settings.isolated(), groovy.isolated(), others);
    }

    /**
     * Returns a builder for another thread. It reads the files of the given release instead of the active release of
     * the fleet.
     *
     * @param release the directory of the release
     */
    GenerationBuilder ofRelease(Path release) {
        return new GenerationBuilder(source, settings.ofRelease(release), groovy.isolated(), others);
    }

    private OfflineBuild offline(FilesRead files) throws RefusedException, InterruptedException {
        GenerationBuilder own = isolated();
        return new OfflineBuild(own.build(files), own.groovy());
    }

    /** Returns the gate that checks the generations of this builder. */
    CandidateGate gate() {
        return gate;
    }

    GroovyFilters groovy() {
        return groovy;
    }

    /**
     * Reads the configuration.
     *
     * @throws RefusedException if it is refused; the exception lists all errors
     */
    LoadedConfig read() throws RefusedException {
        return read(settings::read);
    }

    /**
     * Reads a copy of the configuration, with the current environment and the current secrets.
     *
     * @throws RefusedException if the copy is refused; the exception lists all errors
     */
    LoadedConfig read(ConfigTexts copy) throws RefusedException {
        return read(() -> settings.read(copy));
    }

    private interface Reading {
        LoadedConfig read() throws FaultyConfigException;
    }

    private LoadedConfig read(Reading reading) throws RefusedException {
        try {
            return reading.read();
        } catch (FaultyConfigException e) {
            throw new RefusedException(e.faults());
        } catch (RuntimeException | StackOverflowError e) {
            throw RefusedException.unexpected(source, e);
        }
    }

    /** Returns the files that the last reading of the configuration included, whether it was accepted or not. */
    List<Path> included() {
        return settings.included();
    }

    /**
     * Returns the files of secrets to which the last reading of the configuration referred, whether it was accepted or
     * not.
     */
    Set<Path> secretFiles() {
        return settings.secretFiles();
    }

    /**
     * Reads the filter directory that {@code loaded} names.
     *
     * @throws RefusedException if it is refused
     */
    FilesRead readRest(LoadedConfig loaded) throws RefusedException {
        FilterDirectory directory = FilterDirectory.of(loaded.config().filters());
        try {
            return FilesRead.of(loaded, directory == null ? null : directory.read());
        } catch (FilterFaultsException e) {
            if (directory == null || Files.isDirectory(directory.root())) {
                throw refused(e);
            }
            ConfigException missing =
                    new ConfigException("filters.directory", directory.root().toString(), "a directory that exists");
            throw RefusedException.of(missing, List.of(loaded.places().fault(missing)));
        } catch (RuntimeException | StackOverflowError e) {
            throw RefusedException.unexpected(source, e);
        }
    }

    /** Saves the byte code of the filters for the next process, if this builder has a directory for byte code. */
    void saveCompiled() {
        groovy.saveCompiled();
    }

    /** Makes the next build load the classes of all filters again. */
    void loadAnew() {
        groovy.loadAnew();
    }

    /** Builds a generation: its filters and extensions, assigned to the lists that name them. */
    BuiltGeneration build(FilesRead files) throws RefusedException, InterruptedException {
        FilterSources sources = files.filters();
        Map<String, List<String>> values = files.config().filters().properties();
        BuiltFilters built = null;
        FilterAssembly assembly = null;
        try {
            built = sources == null
                    ? null
                    : groovy.build(
                            sources,
                            files.config().filters().buildTimeout(),
                            uses(files.config()),
                            values,
                            Dialects.of(files.config().extensions()));
            GenerationObjects objects = built == null
                    ? new GenerationObjects(groovy.alive().state(), new LiveProperties(values))
                    : built.objects();
            assembly = files.config().extensions().isEmpty()
                    ? assemble(files.loaded(), built, objects)
                    : assembleInTime(files.loaded(), built, objects);
            // Filters of extensions also declare properties.
            LiveProperties properties = objects.properties();
            check(properties, files);
            return BuiltGeneration.of(assembly.with(files.config(), properties.values(values)), files, built, objects);
        } catch (FilterFaultsException e) {
            throw refused(e);
        } catch (RefusedException | InterruptedException e) {
            close(assembly, built);
            throw e;
        } catch (RuntimeException | Error e) {
            close(assembly, built);
            throw refused(files, e);
        }
    }

    /**
     * Returns a generation with the filters of {@code running}.
     *
     * @param files differ from the files of {@code running} only in the values of properties
     */
    BuiltGeneration changed(BuiltGeneration running, FilesRead files) throws RefusedException {
        check(running.properties(), files);
        return running.withProperties(files);
    }

    /**
     * Refuses values that do not have the type of their property, and logs a warning for each property that no filter
     * reads.
     */
    private static void check(LiveProperties properties, FilesRead files) throws RefusedException {
        Map<String, List<String>> configured = files.config().filters().properties();
        List<ConfigException> faults = properties.faults(configured);
        if (!faults.isEmpty()) {
            throw RefusedException.of(
                    faults.get(0),
                    faults.stream()
                            .map(files.loaded().places()::fault)
                            .distinct()
                            .toList());
        }
        FilterAssembly.unread(files.config(), properties)
                .forEach(fault -> LOG.warn("{}", files.loaded().places().fault(fault)));
    }

    /**
     * Converts a failure of the build or the swap of {@code files} to the exception that reports it.
     *
     * @throws Error if {@code failure} is an error that the files did not cause, such as a lack of memory
     */
    RefusedException refused(FilesRead files, Throwable failure) {
        if (failure instanceof ConfigException e) {
            return RefusedException.of(e, List.of(fault(e, files)));
        }
        if (failure instanceof Error e
                && !(e instanceof LinkageError || e instanceof AssertionError || e instanceof StackOverflowError)) {
            throw e;
        }
        return RefusedException.unexpected(source, failure);
    }

    /**
     * Returns the error with its position. If a self-check failed, the position is in the filter. If a setting was
     * refused, the position is at the setting.
     */
    private static Fault fault(ConfigException refused, FilesRead files) {
        FilterFault fault = refused.getCause() instanceof SelfCheckException check && check.getCause() != null
                ? GroovyFilters.fault(check.filter(), check.getCause(), String.valueOf(check.getMessage()))
                : null;
        return fault == null ? files.loaded().places().fault(refused) : Fault.of(fault);
    }

    private static void close(@Nullable FilterAssembly assembly, @Nullable BuiltFilters built) {
        if (assembly != null) {
            assembly.close();
        }
        if (built != null) {
            built.end();
            built.close();
        }
    }

    private static RefusedException refused(FilterFaultsException e) {
        return new RefusedException(e.faults().stream().map(Fault::of).toList());
    }

    /**
     * Creates the assembly on a separate thread and within a time limit, because the code of an extension may never
     * return.
     */
    private FilterAssembly assembleInTime(LoadedConfig loaded, @Nullable BuiltFilters built, GenerationObjects objects)
            throws RefusedException, InterruptedException {
        Duration limit = loaded.config().filters().buildTimeout();
        CompletableFuture<FilterAssembly> assembly = new CompletableFuture<>();
        Thread thread = new Thread(
                () -> {
                    try {
                        assembly.complete(assemble(loaded, built, objects));
                    } catch (Throwable e) {
                        assembly.completeExceptionally(e);
                    }
                },
                "lychgate-extensions");
        thread.setDaemon(true);
        thread.start();
        try {
            return assembly.get(limit.toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RefusedException refused) {
                throw refused;
            }
            if (e.getCause() instanceof Error error) {
                throw error;
            }
            throw e.getCause() instanceof RuntimeException failure ? failure : new IllegalStateException(e.getCause());
        } catch (TimeoutException e) {
            String place = Arrays.stream(thread.getStackTrace())
                    .filter(frame -> frame.getModuleName() == null)
                    .findFirst()
                    .map(frame -> ", at " + frame)
                    .orElse("");
            ConfigException late = new ConfigException(
                    "extensions",
                    "not ready after " + Durations.print(limit) + place,
                    "extensions that open within filters.build-timeout");
            throw RefusedException.of(late, List.of(loaded.places().fault(late)));
        } finally {
            if (!assembly.isDone()) {
                thread.interrupt();
                assembly.thenAccept(FilterAssembly::close);
            }
        }
    }

    /**
     * Assigns each filter of the directory to the lists that name it, or to all requests if no list names it.
     *
     * @throws RefusedException if filters or their settings have errors; the exception lists them
     */
    private FilterAssembly assemble(LoadedConfig loaded, @Nullable BuiltFilters built, GenerationObjects objects)
            throws RefusedException {
        GatewayConfig config = loaded.config();
        Map<String, NamedFilter> named = new LinkedHashMap<>(others);
        Set<String> mentioned = uses(config).keySet();
        List<NamedFilter> everywhere = new ArrayList<>();
        List<Fault> code = new ArrayList<>();
        if (built != null) {
            built.faults().forEach(fault -> code.add(Fault.of(fault)));
            for (GroovyFilter filter : built.filters()) {
                if (!mentioned.contains(filter.name())) {
                    everywhere.add(filter.named());
                    // No list names this filter, but a list may name it with a typing error, so the message suggests
                    // it.
                    named.putIfAbsent(filter.name(), filter.named());
                } else if (named.putIfAbsent(filter.name(), filter.named()) != null) {
                    code.add(Fault.of(new FilterFault(
                            filter.file(),
                            0,
                            0,
                            "the configuration names filter " + filter.name()
                                    + ", but several filters have that name")));
                }
            }
        }
        List<ConfigException> settings = new ArrayList<>();
        FilterAssembly assembly = FilterAssembly.of(config, named, objects, settings::addAll);
        if (code.isEmpty() && settings.isEmpty()) {
            return assembly.with(everywhere);
        }
        if (settings.isEmpty()) {
            assembly.close();
        }
        // The filter list of a route group is read once per route, so the same error occurs several times.
        Map<String, Fault> lines = new LinkedHashMap<>();
        settings.stream()
                .filter(fault -> built == null || named.containsKey(fault.value()) || !isFailed(built, fault))
                .map(loaded.places()::fault)
                .forEach(fault -> lines.putIfAbsent(fault.toString().replaceAll("\\[\\d+]", "[]"), fault));
        if (code.isEmpty()) {
            throw RefusedException.of(settings.get(0), List.copyOf(lines.values()));
        }
        code.addAll(lines.values());
        throw new RefusedException(code);
    }

    /**
     * Returns whether an error only reports that a list names a filter that could not be created. The list itself is
     * then correct.
     */
    private static boolean isFailed(BuiltFilters built, ConfigException fault) {
        return built.failed().contains(fault.value())
                && fault.key()
                        .matches("filters\\.global\\[\\d+]|routes\\[\\d+]\\.(filters\\[\\d+]|on-failure\\.filter)");
    }

    /** Returns, for each filter name, the settings of all places that name the filter. */
    private static Map<String, List<Map<String, Object>>> uses(GatewayConfig config) {
        Map<String, List<Map<String, Object>>> uses = new HashMap<>();
        Stream.concat(
                        config.filters().global().stream(),
                        config.routes().stream().map(RouteConfig::filters).flatMap(List::stream))
                .distinct()
                .forEach(use -> uses.computeIfAbsent(use.name(), name -> new ArrayList<>())
                        .add(use.settings()));
        config.routes().stream()
                .map(route -> route.resilience().onFailure().filter())
                .filter(Objects::nonNull)
                .forEach(name ->
                        uses.computeIfAbsent(name, n -> new ArrayList<>()).add(Map.of()));
        return uses;
    }
}
