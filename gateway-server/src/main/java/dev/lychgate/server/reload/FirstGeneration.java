package dev.lychgate.server.reload;

import dev.lychgate.config.GateConfig;
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
 * @param instead the reason why the gateway does not run the generation of the files on disk; null if the gateway
 *     runs that generation
 * @param rollout the copy of the stable generation, which the gateway runs because the files on disk belong to a
 *     candidate; null if the gateway does not run a copy
 */
record FirstGeneration<G extends ReloadableGateway>(
        BuiltGeneration built,
        G gateway,
        @Nullable RefusedException instead,
        @Nullable StableCopy rollout) {
    private static final Logger LOG = LoggerFactory.getLogger(FirstGeneration.class);

    /**
     * Starts a gateway from the files on disk. If the files are refused, the gateway starts with the last good filters
     * and logs errors. If the files belong to a candidate, the gateway starts with the stable generation.
     *
     * @param copies returns the copy of the stable generation if the files belong to a candidate; otherwise null
     * @param starting starts a gateway; if it throws an exception, it leaves nothing running
     * @throws RefusedException if the files are refused; the exception lists all errors. Nothing is left running, and
     *     the built filters are released
     */
    static <G extends ReloadableGateway> FirstGeneration<G> start(
            GenerationBuilder builder,
            LastGood lastGood,
            Function<FilesRead, @Nullable StableCopy> copies,
            Function<FilterAssembly, G> starting)
            throws RefusedException, InterruptedException {
        LoadedConfig loaded = builder.read();
        FilesRead files = null;
        try {
            files = builder.readRest(loaded);
            StableCopy copy = copies.apply(files);
            if (copy != null) {
                FirstGeneration<G> stable = stable(builder, copy, starting);
                if (stable != null) {
                    return stable;
                }
            }
            return start(builder, files, starting, null, isTested(files, lastGood));
        } catch (RefusedException e) {
            FilterSources good = loaded.config().filters().directory() == null ? null : lastGood.read();
            if (good != null && !isSame(files, good)) {
                try {
                    return fallback(builder, FilesRead.of(loaded, good), lastGood, starting, e);
                } catch (RefusedException again) {
                    if (!e.isOfTests()) {
                        throw again;
                    }
                }
            }
            return untested(builder, files, starting, e);
        }
    }

    /**
     * Starts the stable generation. Returns null if it is refused, for example because an environment variable is
     * missing.
     */
    private static <G extends ReloadableGateway> @Nullable FirstGeneration<G> stable(
            GenerationBuilder builder, StableCopy copy, Function<FilterAssembly, G> starting)
            throws InterruptedException {
        try {
            FirstGeneration<G> stable = admitting(builder, copy, starting);
            copy.log();
            return new FirstGeneration<>(stable.built, stable.gateway, null, copy);
        } catch (RefusedException e) {
            LOG.error(
                    "the gateway starts with the files on disk, because the stable generation of the rollout is refused: {}",
                    e.getMessage());
            return null;
        }
    }

    /**
     * Starts the stable generation with the admin section on disk, because the admin section is not subject to a
     * rollout.
     */
    private static <G extends ReloadableGateway> FirstGeneration<G> admitting(
            GenerationBuilder builder, StableCopy copy, Function<FilterAssembly, G> starting)
            throws RefusedException, InterruptedException {
        if (copy.stable().hasAdminOf(copy.onDisk())) {
            return start(builder, copy.stable(), starting, null, false);
        }
        try {
            return start(builder, copy.stable().withAdminOf(copy.onDisk()), starting, null, false);
        } catch (RefusedException e) {
            FirstGeneration<G> kept = start(builder, copy.stable(), starting, null, false);
            LOG.warn(
                    "the admin section on disk is refused: {}; the admin section and the operators of the stable"
                            + " generation stay in force",
                    e.getMessage());
            return kept;
        }
    }

    /**
     * Returns whether the gate must test the filters. Filters that equal the last good filters are not tested at a
     * start: a test that depends on the time or the machine must not turn a restart into an outage.
     */
    private static boolean isTested(FilesRead files, LastGood lastGood) {
        if (files.filters() == null || files.config().lifecycle().gate().tests() == GateConfig.Check.OFF) {
            return false;
        }
        FilterSources good = lastGood.read();
        return good == null || !isSame(files, good);
    }

    private static boolean isSame(@Nullable FilesRead files, FilterSources good) {
        FilterSources tried = files == null ? null : files.filters();
        return tried != null && tried.fingerprint().equals(good.fingerprint());
    }

    /**
     * Starts with filters that failed their tests, because no other filters are available. If the filters are refused
     * for another reason, throws the refusal.
     */
    private static <G extends ReloadableGateway> FirstGeneration<G> untested(
            GenerationBuilder builder,
            @Nullable FilesRead files,
            Function<FilterAssembly, G> starting,
            RefusedException refused)
            throws RefusedException, InterruptedException {
        if (files == null || !refused.isOfTests()) {
            throw refused;
        }
        FirstGeneration<G> first = start(builder, files, starting, null, false);
        refused.log(LOG);
        LOG.error("tests of filters failed: serving with these filters nevertheless, because no earlier filters are"
                + " stored");
        return first;
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
            first = start(builder, good, starting, refused, false);
        } catch (RefusedException e) {
            LOG.error(
                    "the last good filters in {} are refused as well, and are not used: {}",
                    lastGood.place(),
                    e.getMessage(),
                    e.getCause());
            throw refused;
        }
        refused.log(LOG);
        LOG.error(
                "the filter directory is refused; serving with the last good filters from {} ({})",
                lastGood.place(),
                good.filters());
        return first;
    }

    private static <G extends ReloadableGateway> FirstGeneration<G> start(
            GenerationBuilder builder,
            FilesRead files,
            Function<FilterAssembly, G> starting,
            @Nullable RefusedException instead,
            boolean tested)
            throws RefusedException, InterruptedException {
        BuiltGeneration built = builder.build(files);
        if (tested) {
            builder.gate().check(built, null);
        }
        try {
            return new FirstGeneration<>(built, starting.apply(built.assembly()), instead, null);
        } catch (BindFailure | StartFailure e) {
            // The cause is the machine and not the filters, so a start with other filters would also fail.
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
