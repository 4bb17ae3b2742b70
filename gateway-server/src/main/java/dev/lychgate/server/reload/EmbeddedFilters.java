package dev.lychgate.server.reload;

import dev.lychgate.config.ConfigException;
import dev.lychgate.config.GatewayConfig;
import dev.lychgate.filters.groovy.GroovyFilters;
import dev.lychgate.filters.settings.NamedFilter;
import dev.lychgate.generation.Generation;
import dev.lychgate.server.filters.FilterAssembly;
import dev.lychgate.server.yaml.LoadedConfig;
import dev.lychgate.server.yaml.Places;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The filter directory of an embedded gateway with settings in code. Its filters are built at startup, and the
 * directory is watched afterwards. As in a gateway with a configuration file, a refused change is logged and the
 * running generation stays in force. No copy of the last good filters is kept, so a start with an unusable directory
 * fails.
 *
 * <p>{@link #build} and {@link #apply} block, and must not run on an event loop.
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
     * @param named the filters outside the directory that the settings may refer to, by name
     * @throws ConfigException if the directory, a filter in it or a setting is refused
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
                        "filters.directory", directory(), "filters without errors: " + String.join("; ", e.faults()));
    }

    public FilterAssembly assembly() {
        return first.assembly();
    }

    /**
     * Starts to watch the directory.
     *
     * @param running the generation that was built from {@link #assembly()}
     * @param gateway puts assemblies into force
     * @return the reloader of the directory
     */
    public synchronized Reloader follow(Generation running, Swap gateway) {
        Reloader following = new Reloader(builder, gateway, null, groovy.alive(), Rollouts.none(), ChangeNotes.none());
        following.started(first, running, null);
        reloader = following;
        watch = FileWatch.start(null, following, first.files().filters());
        return following;
    }

    /**
     * Puts other settings into force. The filters are the current filters of the directory.
     *
     * @throws ConfigException if the settings or filters are refused; the running generation stays in force
     */
    public Generation apply(GatewayConfig changed) {
        Reloader following = Objects.requireNonNull(reloader, "not followed yet");
        // While this thread holds the lock of the reloader, no other thread builds changed filters with the new
        // settings, which may still be refused.
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

    /** Stops watching the directory. The running generation stays in force. */
    public synchronized void stopFollowing() {
        if (watch != null) {
            watch.close();
        }
    }

    /** Stops watching and releases the filters of all generations. Call it after the gateway was drained or closed. */
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
