package dev.lychgate.server.reload;

import dev.lychgate.filters.groovy.FilterSources;
import dev.lychgate.filters.groovy.GroovyFilters;
import dev.lychgate.generation.Generation;
import dev.lychgate.server.filters.FilterAssembly;
import dev.lychgate.server.yaml.Environment;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A gateway that is started from its files and follows them when they change.
 *
 * @param <G> the gateway
 */
public final class FileGateway<G extends ReloadableGateway> implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(FileGateway.class);

    private final G gateway;
    private final Reloader reloader;
    private final FileWatch watch;

    private FileGateway(G gateway, Reloader reloader, FileWatch watch) {
        this.gateway = gateway;
        this.reloader = reloader;
        this.watch = watch;
    }

    /**
     * Starts a gateway; returns when every listener is bound. If the filter directory can't be used, and there is a copy of
     * the filters that were taken last, it starts with those, loudly.
     *
     * @param starting starts a gateway; if it throws, nothing of it is left running
     * @throws RefusedException with all that is wrong with the files; nothing is left running
     */
    public static <G extends ReloadableGateway> FileGateway<G> start(
            Path file, Environment environment, Function<FilterAssembly, G> starting)
            throws RefusedException, InterruptedException {
        GroovyFilters groovy = new GroovyFilters();
        GenerationBuilder builder = new GenerationBuilder(file, environment, groovy);
        LastGood lastGood = LastGood.beside(file);
        FirstGeneration<G> first = first(builder, lastGood, starting);
        try {
            G gateway = first.gateway();
            Reloader reloader = new Reloader(builder, gateway::apply, lastGood, groovy.alive());
            reloader.started(first.built(), gateway.generation(), first.instead());
            gateway.follows(reloader);
            // What was refused is looked at again: it may have been mended while we started.
            FilterSources known =
                    first.instead() == null ? first.built().files().filters() : null;
            return new FileGateway<>(gateway, reloader, FileWatch.start(file, reloader, known));
        } catch (RuntimeException | Error e) {
            first.close();
            throw e;
        }
    }

    private static <G extends ReloadableGateway> FirstGeneration<G> first(
            GenerationBuilder builder, LastGood lastGood, Function<FilterAssembly, G> starting)
            throws RefusedException, InterruptedException {
        try {
            return FirstGeneration.start(builder, lastGood, starting);
        } catch (RefusedException e) {
            if (e.getCause() != null) {
                // Whoever called us tells the faults; where an unexpected one is from only the trace tells.
                e.log(LOG);
            }
            throw e;
        }
    }

    /**
     * Builds all that {@link #start} would, and starts nothing.
     *
     * @return what is unwise about the files, but no reason to refuse them; one line each
     * @throws RefusedException with all that is wrong
     */
    public static List<String> check(Path file, Environment environment) throws RefusedException, InterruptedException {
        GenerationBuilder builder = new GenerationBuilder(file, environment, new GroovyFilters());
        BuiltGeneration built = builder.build(builder.readRest(builder.read()));
        try {
            // What only shows when all is put together, and the self-checks of filters.
            Generation.first(built.assembly().config(), built.assembly().filters(), 1);
            return built.files().warnings();
        } catch (RuntimeException | Error e) {
            throw builder.refused(built.files(), e);
        } finally {
            built.close();
        }
    }

    /**
     * Builds what a gateway would be made of, to be looked at, and lets go of it again. Constructors and scripts of filters run;
     * their self-checks don't.
     *
     * @throws RefusedException with all that is wrong with the files
     * @throws dev.lychgate.config.ConfigException if filters that others bring can't be had
     */
    public static <T> T look(Path file, Environment environment, Function<FilterAssembly, T> eyes)
            throws RefusedException, InterruptedException {
        GenerationBuilder builder = new GenerationBuilder(file, environment, new GroovyFilters());
        BuiltGeneration built = builder.build(builder.readRest(builder.read()));
        try {
            return eyes.apply(built.assembly());
        } finally {
            built.close();
        }
    }

    public G gateway() {
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
