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
 * A named group of endpoints in one generation. One thread builds the object and calls {@link #subset} for every subset
 * that routes need. After that, the object is immutable, except for the sets that {@link Subset}s publish.
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
     * Creates the upstream of a generation.
     *
     * @param state the state of the upstream's endpoints, carried over from previous generations
     * @param protection the upstream's circuit breakers, limits and budgets, carried over from previous generations
     * @param tls the TLS settings for secure endpoints; null if there are no secure endpoints
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

    /** Returns the upstream's circuit breakers, limits and budgets. */
    public Protection protection() {
        return protection;
    }

    public List<Endpoint> endpoints() {
        return endpoints;
    }

    /** Returns the upstream's timeouts, with all defaults applied. */
    public RouteTimeouts timeouts() {
        return timeouts;
    }

    /** Returns the persistence, which binds clients to endpoints; null if persistence is off. */
    public @Nullable Persistence persistence() {
        return persistence;
    }

    /** Returns the TLS settings for secure endpoints; null if no endpoint is secure. */
    public @Nullable OriginTls tls() {
        return tls;
    }

    /** Returns the subset that contains all endpoints. */
    public Subset whole() {
        return whole;
    }

    /**
     * Returns the subset of the endpoints that have all of {@code metadata}. Called only while the generation is built.
     */
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
