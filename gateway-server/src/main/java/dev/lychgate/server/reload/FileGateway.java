package dev.lychgate.server.reload;

import dev.lychgate.Lychgate;
import dev.lychgate.filters.groovy.FilterSources;
import dev.lychgate.filters.groovy.GroovyFilters;
import dev.lychgate.generation.Generation;
import dev.lychgate.server.yaml.Environment;
import dev.lychgate.server.yaml.LoadedConfig;
import java.nio.file.Path;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A gateway that lives by its files: started from them, and following them when they change. */
public final class FileGateway implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(FileGateway.class);

    private final Lychgate gateway;
    private final Reloader reloader;
    private final FileWatch watch;

    private FileGateway(Lychgate gateway, Reloader reloader, FileWatch watch) {
        this.gateway = gateway;
        this.reloader = reloader;
        this.watch = watch;
    }

    /**
     * Starts a gateway; returns when every listener is bound. If the filter directory can't be used, and there is a copy of
     * the filters that were taken last, it starts with those, loudly.
     *
     * @throws RefusedException with all that is wrong with the files; nothing is left running
     */
    public static FileGateway start(Path file, Environment environment) throws RefusedException, InterruptedException {
        GroovyFilters groovy = new GroovyFilters();
        GenerationBuilder builder = new GenerationBuilder(file, environment, groovy);
        LastGood lastGood = LastGood.beside(file);
        LoadedConfig loaded = builder.read();
        RefusedException refused = null;
        BuiltGeneration first;
        try {
            first = builder.build(loaded, GenerationBuilder.sources(loaded.config()));
        } catch (RefusedException e) {
            first = fallback(builder, loaded, lastGood, e);
            refused = e;
        }
        Lychgate gateway;
        try {
            gateway = Lychgate.start(first.assembly());
        } catch (RuntimeException e) {
            first.close();
            throw e;
        }
        Reloader reloader = new Reloader(builder, gateway::apply, lastGood, groovy.alive());
        reloader.started(first, gateway.gateway().generation(), refused);
        gateway.follows(reloader);
        FileWatch watch = FileWatch.start(file, reloader, refused == null ? first.sources() : null);
        return new FileGateway(gateway, reloader, watch);
    }

    /**
     * Builds all that {@link #start} would, and starts nothing.
     *
     * @return what is unwise about the files, but no reason to refuse them; one line each
     * @throws RefusedException with all that is wrong
     */
    public static List<String> check(Path file, Environment environment) throws RefusedException, InterruptedException {
        GenerationBuilder builder = new GenerationBuilder(file, environment, new GroovyFilters());
        LoadedConfig loaded = builder.read();
        BuiltGeneration built = builder.build(loaded, GenerationBuilder.sources(loaded.config()));
        try {
            // What only shows when all is put together, and the self-checks of filters.
            Generation.first(built.assembly().config(), built.assembly().filters(), 1);
            return built.sources() == null ? List.of() : built.sources().warnings();
        } finally {
            built.close();
        }
    }

    private static BuiltGeneration fallback(
            GenerationBuilder builder, LoadedConfig loaded, LastGood lastGood, RefusedException refused)
            throws RefusedException, InterruptedException {
        FilterSources good = loaded.config().filters().directory() == null ? null : lastGood.read();
        if (good == null) {
            throw refused;
        }
        BuiltGeneration built;
        try {
            built = builder.build(loaded, good);
        } catch (RefusedException e) {
            LOG.error("the last good filters in {} can't be used either: {}", lastGood.place(), e.getMessage());
            throw refused;
        }
        refused.faults().forEach(fault -> LOG.error("refused: {}", fault));
        LOG.error(
                "the filter directory can't be used: serving with the last good filters, {}, from {}",
                good,
                lastGood.place());
        return built;
    }

    public Lychgate gateway() {
        return gateway;
    }

    public Reloader reloader() {
        return reloader;
    }

    /** Follows the files no more; the gateway goes on until it is drained or closed. */
    public void stopFollowing() {
        watch.close();
    }

    /**
     * Follows the files no more, and lets go of the filters of all generations that are kept: for when the gateway has been
     * drained or closed. Exchanges that are under way nevertheless run on.
     */
    @Override
    public void close() {
        watch.close();
        reloader.close();
    }
}
