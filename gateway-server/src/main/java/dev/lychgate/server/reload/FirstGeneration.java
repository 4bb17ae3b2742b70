package dev.lychgate.server.reload;

import dev.lychgate.filters.groovy.FilterSources;
import dev.lychgate.gateway.StartFailure;
import dev.lychgate.listener.BindFailure;
import dev.lychgate.server.filters.FilterAssembly;
import dev.lychgate.server.yaml.LoadedConfig;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A started gateway and the generation that it was started with.
 *
 * @param <G> the gateway
 * @param instead the reason why it does not run the generation of the files; null if it does
 */
record FirstGeneration<G extends ReloadableGateway>(
        BuiltGeneration built, G gateway, @Nullable RefusedException instead) {
    private static final Logger LOG = LoggerFactory.getLogger(FirstGeneration.class);

    /**
     * Starts a gateway from the files. If they are refused, it starts with the last good filters and logs errors.
     *
     * @param starting starts a gateway; if it throws, it leaves nothing running
     * @throws RefusedException with all faults of the files; nothing is left running, and the built filters are released
     */
    static <G extends ReloadableGateway> FirstGeneration<G> start(
            GenerationBuilder builder, LastGood lastGood, Function<FilterAssembly, G> starting)
            throws RefusedException, InterruptedException {
        LoadedConfig loaded = builder.read();
        FilterSources tried = null;
        try {
            FilesRead files = builder.readRest(loaded);
            tried = files.filters();
            return start(builder, files, starting, null);
        } catch (RefusedException e) {
            FilterSources good = loaded.config().filters().directory() == null ? null : lastGood.read();
            if (good == null || (tried != null && tried.fingerprint().equals(good.fingerprint()))) {
                throw e;
            }
            return fallback(builder, FilesRead.of(loaded, good), lastGood, starting, e);
        }
    }

    private static <G extends ReloadableGateway> FirstGeneration<G> fallback(
            GenerationBuilder builder,
            FilesRead good,
            LastGood lastGood,
            Function<FilterAssembly, G> starting,
            RefusedException refused)
            throws RefusedException, InterruptedException {
        FirstGeneration<G> first;
        try {
            first = start(builder, good, starting, refused);
        } catch (RefusedException e) {
            LOG.error(
                    "the last good filters in {} are refused, too: {}", lastGood.place(), e.getMessage(), e.getCause());
            throw refused;
        }
        refused.log(LOG);
        LOG.error(
                "the filter directory is refused: serving with the last good filters, {}, from {}",
                good.filters(),
                lastGood.place());
        return first;
    }

    private static <G extends ReloadableGateway> FirstGeneration<G> start(
            GenerationBuilder builder,
            FilesRead files,
            Function<FilterAssembly, G> starting,
            @Nullable RefusedException instead)
            throws RefusedException, InterruptedException {
        BuiltGeneration built = builder.build(files);
        try {
            return new FirstGeneration<>(built, starting.apply(built.assembly()), instead);
        } catch (BindFailure | StartFailure e) {
            // The cause is the machine: other filters would fail as well.
            built.close();
            throw e;
        } catch (RuntimeException | Error e) {
            built.close();
            throw builder.refused(files, e);
        }
    }

    /** Stops the gateway and releases its generation. */
    void close() {
        gateway.close();
        built.close();
    }
}
