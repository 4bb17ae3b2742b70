package dev.lychgate.server.reload;

import dev.lychgate.config.ConfigException;
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
import dev.lychgate.generation.SelfCheckException;
import dev.lychgate.server.filters.FilterAssembly;
import dev.lychgate.server.filters.NamedFilters;
import dev.lychgate.server.yaml.ConfigReader;
import dev.lychgate.server.yaml.Environment;
import dev.lychgate.server.yaml.FaultyConfigException;
import dev.lychgate.server.yaml.LoadedConfig;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Builds what a generation is made of from a configuration file and the filter directory that it names. Beside the running
 * gateway, and without a trace of the attempt where something is wrong. Used by one thread, which may wait.
 */
final class GenerationBuilder {
    private final String source;
    private final Settings settings;
    private final GroovyFilters groovy;
    private final Map<String, NamedFilter> others;

    /** Where the settings come from. */
    interface Settings {
        LoadedConfig read() throws FaultyConfigException;

        /** The files that were included when they were read last. */
        default List<Path> included() {
            return List.of();
        }
    }

    private record SettingsFile(Path file, ConfigReader reader) implements Settings {
        @Override
        public LoadedConfig read() throws FaultyConfigException {
            return reader.read(file);
        }

        @Override
        public List<Path> included() {
            return reader.included();
        }
    }

    /**
     * @param source names where the settings come from, for faults
     * @param others filters that the settings may refer to by name, beside those of the directory
     */
    GenerationBuilder(String source, Settings settings, GroovyFilters groovy, Map<String, NamedFilter> others) {
        this.source = source;
        this.settings = settings;
        this.groovy = groovy;
        this.others = others;
    }

    /** Of a file. */
    GenerationBuilder(Path file, Environment environment, GroovyFilters groovy) {
        this(file.toString(), new SettingsFile(file, new ConfigReader(environment)), groovy, NamedFilters.services());
    }

    /** Reads the configuration. @throws RefusedException with all that is wrong with it */
    LoadedConfig read() throws RefusedException {
        try {
            return settings.read();
        } catch (FaultyConfigException e) {
            throw new RefusedException(e.faults().stream().map(Object::toString).toList());
        } catch (RuntimeException | StackOverflowError e) {
            throw RefusedException.unexpected(source, e);
        }
    }

    /** The files that the configuration included when it was read last, taken or not. */
    List<Path> included() {
        return settings.included();
    }

    /** Reads what {@code loaded} names: its filter directory. @throws RefusedException if it can't be taken */
    FilesRead readRest(LoadedConfig loaded) throws RefusedException {
        String directory = loaded.config().filters().directory();
        try {
            return FilesRead.of(loaded, directory == null ? null : new FilterDirectory(Path.of(directory)).read());
        } catch (FilterFaultsException e) {
            if (directory == null || Files.isDirectory(Path.of(directory))) {
                throw refused(e);
            }
            ConfigException missing = new ConfigException(
                    "filters.directory", directory, "a directory that exists; this one is not there");
            throw RefusedException.of(missing, loaded.places().fault(missing).toString());
        } catch (RuntimeException | StackOverflowError e) {
            throw RefusedException.unexpected(source, e);
        }
    }

    /** Builds the filters and puts them where the configuration wants them. */
    BuiltGeneration build(FilesRead files) throws RefusedException, InterruptedException {
        FilterSources sources = files.filters();
        BuiltFilters built = null;
        try {
            built = sources == null
                    ? null
                    : groovy.build(sources, files.config().filters().buildTimeout(), uses(files.config()));
            return new BuiltGeneration(assemble(files.loaded(), built), files, built == null ? () -> {} : built::close);
        } catch (FilterFaultsException e) {
            throw refused(e);
        } catch (RefusedException e) {
            close(built);
            throw e;
        } catch (RuntimeException | Error e) {
            close(built);
            throw refused(files, e);
        }
    }

    /**
     * What is to be said of a failure that {@code files} have led to, while they were built or put to use.
     *
     * @throws Error if it is one that says nothing about the files, such as a lack of memory
     */
    RefusedException refused(FilesRead files, Throwable failure) {
        if (failure instanceof ConfigException e) {
            return RefusedException.of(e, line(e, files));
        }
        if (failure instanceof Error e
                && !(e instanceof LinkageError || e instanceof AssertionError || e instanceof StackOverflowError)) {
            throw e;
        }
        return RefusedException.unexpected(source, failure);
    }

    /** What is wrong, in one line: with the place in the filter whose self-check failed, or that of the setting. */
    private static String line(ConfigException refused, FilesRead files) {
        FilterFault fault = refused.getCause() instanceof SelfCheckException check && check.getCause() != null
                ? GroovyFilters.fault(check.filter(), check.getCause(), String.valueOf(check.getMessage()))
                : null;
        return String.valueOf(fault == null ? files.loaded().places().fault(refused) : fault);
    }

    private static void close(@Nullable BuiltFilters built) {
        if (built != null) {
            built.close();
        }
    }

    private static RefusedException refused(FilterFaultsException e) {
        return new RefusedException(e.faults().stream().map(Object::toString).toList());
    }

    /** Filters of the directory that nobody names run everywhere; those that are named run where they are. */
    private FilterAssembly assemble(LoadedConfig loaded, @Nullable BuiltFilters built) throws RefusedException {
        GatewayConfig config = loaded.config();
        Map<String, NamedFilter> named = new LinkedHashMap<>(others);
        Set<String> mentioned = uses(config).keySet();
        List<NamedFilter> everywhere = new ArrayList<>();
        for (GroovyFilter filter : built == null ? List.<GroovyFilter>of() : built.filters()) {
            if (!mentioned.contains(filter.name())) {
                everywhere.add(filter.named());
            } else if (named.putIfAbsent(filter.name(), filter.named()) != null) {
                throw new RefusedException(List.of(filter.file() + ": the configuration names filter " + filter.name()
                        + ", and there is more than one"));
            }
        }
        return FilterAssembly.<RefusedException>of(config, named, faults -> {
                    // A list of a group is read for each of its routes.
                    Map<String, String> lines = new LinkedHashMap<>();
                    faults.stream()
                            .map(fault -> loaded.places().fault(fault).toString())
                            .forEach(line -> lines.putIfAbsent(line.replaceAll("\\[\\d+]", "[]"), line));
                    throw RefusedException.of(faults.get(0), lines.values().toArray(String[]::new));
                })
                .with(everywhere);
    }

    /** Returns the settings with which a filter is named, by its name. */
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
