package dev.lychgate.server.reload;

import dev.lychgate.config.ConfigException;
import dev.lychgate.config.GatewayConfig;
import dev.lychgate.filters.groovy.GroovyFilters;
import dev.lychgate.filters.settings.NamedFilter;
import dev.lychgate.generation.Generation;
import dev.lychgate.server.admin.Generations;
import dev.lychgate.server.filters.FilterAssembly;
import dev.lychgate.server.yaml.LoadedConfig;
import dev.lychgate.server.yaml.Places;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The filter directory of a gateway whose settings come from code: built for the start, then followed. A change that is
 * refused is logged, and the running generation serves on, as in a gateway that runs from a file. There is no copy of the
 * last good filters: a start with a directory that can't be used fails.
 *
 * <p>Building and applying block; not to be called on an event loop.
 */
public final class EmbeddedFilters implements AutoCloseable {
    private final GroovyFilters groovy = new GroovyFilters();
    private final GenerationBuilder builder;
    private final BuiltGeneration first;
    private volatile GatewayConfig config;
    private @Nullable Reloader reloader;
    private @Nullable FileWatch watch;

    private EmbeddedFilters(GatewayConfig config, Map<String, NamedFilter> named) {
        this.config = config;
        this.builder = new GenerationBuilder("the settings", this::loaded, groovy, named);
        this.first = build();
    }

    /**
     * Builds the filters of the directory that {@code config} names.
     *
     * @param named the other filters that the settings may refer to, by name
     * @throws ConfigException if the directory, a filter in it or a setting can't be used
     */
    public static EmbeddedFilters build(GatewayConfig config, Map<String, NamedFilter> named) {
        return new EmbeddedFilters(config, named);
    }

    private BuiltGeneration build() {
        try {
            return builder.build(builder.readRest(builder.read()));
        } catch (RefusedException e) {
            throw refused(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ConfigException("filters.directory", directory(), "a build that is not interrupted");
        }
    }

    private LoadedConfig loaded() {
        return new LoadedConfig(config, Places.NONE);
    }

    private String directory() {
        return Objects.requireNonNull(config.filters().directory());
    }

    private ConfigException refused(RefusedException e) {
        ConfigException setting = e.setting();
        return setting != null
                ? setting
                : new ConfigException(
                        "filters.directory", directory(), "filters that can be used: " + String.join("; ", e.faults()));
    }

    /** What the gateway starts with. */
    public FilterAssembly assembly() {
        return first.assembly();
    }

    /**
     * Follows the directory from now on.
     *
     * @param running the generation that was made of {@link #assembly()}
     * @param apply lets an assembly take over; throws {@link ConfigException} if it can't
     * @return the generations that come of it
     */
    public synchronized Generations follow(Generation running, Function<FilterAssembly, Generation> apply) {
        Reloader following = new Reloader(builder, apply, null, groovy.alive());
        following.started(first, running, null);
        reloader = following;
        watch = FileWatch.start(null, following, first.files().filters());
        return following;
    }

    /**
     * Lets other settings take over, with the filters as they are in the directory now.
     *
     * @throws ConfigException if they can't be used; nothing has changed then
     */
    public Generation apply(GatewayConfig changed) {
        Reloader following = Objects.requireNonNull(reloader, "not followed yet");
        // The lock of the reloader: no change of the directory is built with settings that may still be refused.
        synchronized (following) {
            GatewayConfig before = config;
            config = changed;
            try {
                return following.take("the settings were applied");
            } catch (RefusedException e) {
                config = before;
                throw refused(e);
            } catch (InterruptedException e) {
                config = before;
                Thread.currentThread().interrupt();
                throw new ConfigException("filters.directory", directory(), "a build that is not interrupted");
            }
        }
    }

    /** Stops following the directory; the gateway serves on with the filters that it has. */
    public synchronized void stopFollowing() {
        if (watch != null) {
            watch.close();
        }
    }

    /** Stops following and releases the filters of all generations: for when the gateway has been drained or closed. */
    @Override
    public synchronized void close() {
        stopFollowing();
        if (reloader == null) {
            first.close();
        } else {
            reloader.close();
        }
    }
}
