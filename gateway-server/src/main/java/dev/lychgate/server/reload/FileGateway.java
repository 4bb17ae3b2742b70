package dev.lychgate.server.reload;

import dev.lychgate.config.EndpointAddress;
import dev.lychgate.config.HistoryConfig;
import dev.lychgate.filters.groovy.CompileReport;
import dev.lychgate.filters.groovy.FilterSources;
import dev.lychgate.filters.groovy.GroovyFilters;
import dev.lychgate.filters.state.GenerationObjects;
import dev.lychgate.generation.Generation;
import dev.lychgate.server.filters.FilterAssembly;
import dev.lychgate.server.history.ChangeHistory;
import dev.lychgate.server.history.Entry;
import dev.lychgate.server.yaml.Environment;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A gateway that is started from its files and reloads them when they change.
 *
 * @param <G> the gateway
 */
public final class FileGateway<G extends ReloadableGateway> implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(FileGateway.class);

    private final G gateway;
    private final Reloader reloader;
    private final Rollouts rollouts;
    private final FileWatch watch;

    private FileGateway(G gateway, Reloader reloader, Rollouts rollouts, FileWatch watch) {
        this.gateway = gateway;
        this.reloader = reloader;
        this.rollouts = rollouts;
        this.watch = watch;
    }

    /**
     * Starts a gateway, and returns when every listener is bound. If the filter directory is refused, the gateway logs
     * the errors. It then starts with the copy of the last good filters, if such a copy exists.
     *
     * @param starting starts a gateway; if it throws an exception, it leaves nothing running
     * @throws RefusedException if the files are refused; the exception lists all errors, and nothing is left running
     */
    public static <G extends ReloadableGateway> FileGateway<G> start(
            Path file, Environment environment, Function<FilterAssembly, G> starting)
            throws RefusedException, InterruptedException {
        LastGood lastGood = LastGood.beside(file);
        GroovyFilters groovy =
                GroovyFilters.reusing(lastGood.place().resolveSibling("compiled-filters-" + file.getFileName()));
        GenerationBuilder builder = new GenerationBuilder(file, environment, groovy);
        RolloutJournal journal = RolloutJournal.beside(file);
        FirstGeneration<G> first;
        try {
            first = first(
                    builder, lastGood, onDisk -> StableCopy.of(journal, file, lastGood, builder, onDisk), starting);
        } catch (RefusedException | RuntimeException | Error e) {
            groovy.alive().state().end(GenerationObjects.CLOSE_LIMIT);
            throw e;
        }
        ChangeNotes notes = notes(file, builder, first);
        try {
            G gateway = first.gateway();
            Rollouts rollouts = new Rollouts(
                    new GatewayEntrance(gateway),
                    new MeteredJudge(gateway.rolloutMeter()),
                    new RolloutStore(journal, lastGood),
                    RolloutClock.SYSTEM,
                    new Shadows(builder::isolated));
            Reloader reloader = new Reloader(builder, gateway, lastGood, groovy.alive(), rollouts, notes);
            reloader.started(first.built(), gateway.generation(), first.instead());
            gateway.follows(reloader, reloader.proposals());
            // A refused directory is read again, because it may have been corrected while the gateway started.
            FilterSources known =
                    first.instead() == null ? first.built().files().filters() : null;
            StableCopy copy = first.rollout();
            if (copy != null) {
                known = copy.onDisk().filters();
                reloader.resume(copy);
            }
            return new FileGateway<>(gateway, reloader, rollouts, FileWatch.start(file, reloader, known));
        } catch (RuntimeException | Error e) {
            first.close();
            notes.close();
            throw e;
        }
    }

    private static ChangeNotes notes(Path file, GenerationBuilder builder, FirstGeneration<?> first) {
        HistoryConfig settings = first.built().files().config().lifecycle().history();
        return settings == null
                ? ChangeNotes.none()
                : new ChangeNotes(
                        ChangeHistory.start(
                                file,
                                settings,
                                first.gateway().receivers(settings),
                                () -> first.gateway()
                                        .generation()
                                        .config()
                                        .lifecycle()
                                        .history()),
                        KeptFiles.beside(
                                file,
                                settings.generations(),
                                settings.generationsSize().bytes()),
                        file,
                        builder::included);
    }

    private static <G extends ReloadableGateway> FirstGeneration<G> first(
            GenerationBuilder builder,
            LastGood lastGood,
            Function<FilesRead, @Nullable StableCopy> copies,
            Function<FilterAssembly, G> starting)
            throws RefusedException, InterruptedException {
        try {
            return FirstGeneration.start(builder, lastGood, copies, starting);
        } catch (RefusedException e) {
            if (e.getCause() != null) {
                // The caller reports the errors. The log additionally contains the stack trace of an unexpected
                // failure.
                e.log(LOG);
            }
            throw e;
        }
    }

    /**
     * Builds everything that {@link #start} builds, and runs the gate. Does not start a gateway.
     *
     * @param report receives the compile times of the filters
     * @return warnings about files that are accepted nevertheless, one line each
     * @throws RefusedException if the files are refused; the exception lists all errors
     */
    public static List<String> check(Path file, Environment environment, Consumer<CompileReport> report)
            throws RefusedException, InterruptedException {
        GroovyFilters groovy = new GroovyFilters();
        GenerationBuilder builder = new GenerationBuilder(file, environment, groovy);
        BuiltGeneration built = builder.build(builder.readRest(builder.read()));
        report.accept(groovy.report());
        try {
            // Detects errors in the combination of filters and settings, and runs the self-checks of filters.
            List<String> warnings = new ArrayList<>(built.files().warnings());
            groovy.report().warnings().forEach(warning -> warnings.add("filters: " + warning));
            Set<String> upstreams = built.assembly().config().targets().keySet();
            groovy.report()
                    .unknownUpstreams(name -> upstreams.contains(configuredName(name)))
                    .forEach(warning -> warnings.add("filters: " + warning));
            warnings.addAll(builder.gate().verdict(built.files(), null, groovy));
            Generation.first(built.assembly().config(), built.assembly().filters(), 1);
            return warnings;
        } catch (RuntimeException | Error e) {
            throw builder.refused(built.files(), e);
        } finally {
            built.close();
            groovy.alive().state().end(GenerationObjects.CLOSE_LIMIT);
        }
    }

    /**
     * Returns the name that the configuration uses for the target of a call-out: the name of an upstream, or an origin.
     */
    private static String configuredName(String called) {
        try {
            return called.indexOf('/') < 0 ? called : EndpointAddress.originOf(called);
        } catch (IllegalArgumentException e) {
            return called;
        }
    }

    /**
     * Builds the assembly of a gateway, calls {@code eyes} with the assembly, and releases the assembly. Constructors
     * and scripts of filters run, but not their self-checks.
     *
     * @throws RefusedException if the files are refused; the exception lists all errors
     * @throws dev.lychgate.config.ConfigException if a filter of a service provider cannot be loaded
     */
    public static <T> T look(Path file, Environment environment, Function<FilterAssembly, T> eyes)
            throws RefusedException, InterruptedException {
        return look(file, environment, builder -> builder.readRest(builder.read()), eyes);
    }

    /**
     * Works like {@link #look(Path, Environment, Function)}, but uses the files of an earlier generation and the
     * current environment.
     *
     * @param entry the entry of the history that records the generation
     * @param directory an empty directory for the filters
     * @throws RefusedException also if the files are no longer kept
     */
    public static <T> T look(
            Path file, Environment environment, Entry entry, Path directory, Function<FilterAssembly, T> eyes)
            throws RefusedException, InterruptedException {
        return look(
                file,
                environment,
                builder -> {
                    try {
                        return KeptFiles.beside(file, 0, 0).read(entry.change(), file, builder, directory);
                    } catch (IOException e) {
                        throw RefusedException.missing("the files of entry " + entry.number()
                                + " of the history are not kept: " + e.getMessage());
                    }
                },
                eyes);
    }

    /** Reads the files of a generation. */
    private interface Reading {
        FilesRead read(GenerationBuilder builder) throws RefusedException;
    }

    private static <T> T look(Path file, Environment environment, Reading reading, Function<FilterAssembly, T> eyes)
            throws RefusedException, InterruptedException {
        GroovyFilters groovy = new GroovyFilters();
        GenerationBuilder builder = new GenerationBuilder(file, environment, groovy);
        BuiltGeneration built = builder.build(reading.read(builder));
        try {
            return eyes.apply(built.assembly());
        } finally {
            built.close();
            groovy.alive().state().end(GenerationObjects.CLOSE_LIMIT);
        }
    }

    public G gateway() {
        return gateway;
    }

    public Reloader reloader() {
        return reloader;
    }

    /** Stops watching the files; the gateway runs until it is drained or closed. */
    public void stopFollowing() {
        watch.close();
        rollouts.stop();
    }

    /**
     * Stops watching the files and releases the filters of all retained generations. Call it after the gateway was
     * drained or closed. Exchanges in progress continue.
     */
    @Override
    public void close() {
        watch.close();
        reloader.close();
    }
}
