package dev.lychgate.upstream;

import dev.lychgate.config.RouteTimeouts;
import dev.lychgate.config.UpstreamConfig;
import dev.lychgate.resilience.Protection;
import dev.lychgate.tls.OriginTls;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A named set of endpoints, in one generation. Made by one thread, which asks for every {@link #subset} that will be
 * needed; immutable from then on, but for what the {@link Subset}s publish.
 */
public final class Upstream {
    private final UpstreamConfig config;
    private final UpstreamState state;
    private final List<Endpoint> endpoints;
    private final Map<Map<String, String>, Subset> subsets = new HashMap<>();
    private final Subset whole;
    private final RouteTimeouts timeouts;
    private final Protection protection;
    private final @Nullable Persistence persistence;
    private final @Nullable OriginTls tls;

    /**
     * @param state what is known of its endpoints, also from former generations
     * @param protection what protects it, with what former generations have learned
     * @param tls how TLS is spoken with those of its endpoints that want it; null if none does
     */
    public Upstream(UpstreamConfig config, UpstreamState state, Protection protection, @Nullable OriginTls tls) {
        this.tls = tls;
        this.config = config;
        this.state = state;
        this.protection = protection;
        this.endpoints = config.endpoints().stream()
                .map(e -> new Endpoint(
                        config.name(),
                        e,
                        state.outcomes(e.address()),
                        tls,
                        config.pool().protocol(),
                        config.proxyProtocol(),
                        config.dns()))
                .toList();
        this.timeouts = config.timeouts().orElse(RouteTimeouts.DEFAULT);
        this.persistence = Persistence.of(config.persistence(), config.name(), endpoints);
        this.whole = subset(Map.of());
    }

    public String name() {
        return config.name();
    }

    public UpstreamConfig config() {
        return config;
    }

    public UpstreamState state() {
        return state;
    }

    /** What stands between it and its callers. */
    public Protection protection() {
        return protection;
    }

    public List<Endpoint> endpoints() {
        return endpoints;
    }

    /** How long we wait for it, with every default filled in. */
    public RouteTimeouts timeouts() {
        return timeouts;
    }

    /** What binds clients to its endpoints; null if nothing does. */
    public @Nullable Persistence persistence() {
        return persistence;
    }

    /** How TLS is spoken with those of its endpoints that want it; null if none does. */
    public @Nullable OriginTls tls() {
        return tls;
    }

    /** All its endpoints. */
    public Subset whole() {
        return whole;
    }

    /** Those of its endpoints that have all of {@code metadata}. Only for whoever makes the generation. */
    public Subset subset(Map<String, String> metadata) {
        return subsets.computeIfAbsent(
                metadata,
                wanted -> new Subset(
                        this,
                        endpoints.stream()
                                .filter(e -> e.config().metadata().entrySet().containsAll(wanted.entrySet()))
                                .toList()));
    }
}
