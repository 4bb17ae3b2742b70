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
 * @param rollout the copy that it runs because the files are those of a candidate; null if it does not
 */
record FirstGeneration<G extends ReloadableGateway>(
        BuiltGeneration built,
        G gateway,
        @Nullable RefusedException instead,
        @Nullable StableCopy rollout) {
    private static final Logger LOG = LoggerFactory.getLogger(FirstGeneration.class);

    /**
     * Starts a gateway from the files. If they are refused, it starts with the last good filters and logs errors. If they are
     * those of a candidate, it starts with the stable generation.
     *
     * @param copies finds the stable generation for files of a candidate
     * @param starting starts a gateway; if it throws, it leaves nothing running
     * @throws RefusedException with all faults of the files; nothing is left running, and the built filters are released
     */
    static <G extends ReloadableGateway> FirstGeneration<G> start(
            GenerationBuilder builder,
            LastGood lastGood,
            Function<FilesRead, @Nullable StableCopy> copies,
            Function<FilterAssembly, G> starting)
            throws RefusedException, InterruptedException {
        LoadedConfig loaded = builder.read();
        FilterSources tried = null;
        try {
            FilesRead files = builder.readRest(loaded);
            StableCopy copy = copies.apply(files);
            if (copy != null) {
                FirstGeneration<G> stable = stable(builder, copy, starting);
                if (stable != null) {
                    return stable;
                }
            }
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

    /** Returns null if the stable generation is refused, for example without a variable of the environment. */
    private static <G extends ReloadableGateway> @Nullable FirstGeneration<G> stable(
            GenerationBuilder builder, StableCopy copy, Function<FilterAssembly, G> starting)
            throws InterruptedException {
        try {
            FirstGeneration<G> stable = start(builder, copy.stable(), starting, null);
            copy.log();
            return new FirstGeneration<>(stable.built, stable.gateway, null, copy);
        } catch (RefusedException e) {
            LOG.error("the stable generation of the rollout is refused; starting with the files: {}", e.getMessage());
            return null;
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
            return new FirstGeneration<>(built, starting.apply(built.assembly()), instead, null);
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
