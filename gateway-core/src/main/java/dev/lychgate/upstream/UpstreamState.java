package dev.lychgate.upstream;

import dev.lychgate.config.EndpointAddress;
import dev.lychgate.config.EndpointConfig;
import dev.lychgate.config.UpstreamConfig;
import dev.lychgate.upstream.EndpointState.AdminState;
import dev.lychgate.upstream.EndpointState.Health;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The run-time state of the endpoints of one upstream. A process has one object per upstream name. The object carries
 * over from generation to generation. Any thread may change the state. Event loops read {@link #snapshot()}, which
 * never waits for a change.
 */
public final class UpstreamState {
    @SuppressWarnings("rawtypes") // no class literal denotes a parameterized map
    private static final AtomicReferenceFieldUpdater<UpstreamState, Map> SNAPSHOT =
            AtomicReferenceFieldUpdater.newUpdater(UpstreamState.class, Map.class, "snapshot");

    private final LongSupplier clock;
    private final int loops;
    private volatile Map<EndpointAddress, EndpointState> snapshot = Map.of();
    private final AtomicReference<DnsAnswers> answers = new AtomicReference<>(DnsAnswers.NONE);
    /**
     * The endpoints of discovered services; null until a service is discovered, so that the classes of discovery are
     * not loaded needlessly.
     */
    private final AtomicReference<@Nullable FoundSets> found = new AtomicReference<>();

    private final Map<EndpointAddress, EndpointOutcomes> outcomes = new ConcurrentHashMap<>();

    /**
     * Creates the state of an upstream without endpoints.
     *
     * @param clock returns the time, in nanoseconds of {@link System#nanoTime()}
     * @param loops number of event loops that count outcomes
     */
    UpstreamState(LongSupplier clock, int loops) {
        this.clock = clock;
        this.loops = loops;
    }

    /** Returns the states of all endpoints as an immutable map. After each change, the result is a new object. */
    public Map<EndpointAddress, EndpointState> snapshot() {
        return snapshot;
    }

    /** Returns the state of one endpoint. */
    public EndpointState of(EndpointAddress address) {
        return snapshot.getOrDefault(address, EndpointState.INITIAL);
    }

    /** Returns the last DNS results of the upstream's names. A result is kept while its name is watched. */
    public DnsAnswers answers() {
        return Objects.requireNonNull(answers.get());
    }

    /** Stores a DNS result (the addresses of a host or the targets of a service) until the next result. */
    public void answered(DnsQuestion question, List<?> answer) {
        answers.updateAndGet(known -> known.with(question, answer));
    }

    /**
     * Prepares for a DNS lookup. Until this lookup has a result, the upstream uses the result of a lookup of the same
     * name with other DNS settings, if there is one.
     */
    public void lend(DnsQuestion question) {
        answers.updateAndGet(known -> known.withLent(question));
    }

    /** Removes the result of a DNS lookup, because its name is no longer watched. */
    public void forget(DnsQuestion question) {
        answers.updateAndGet(known -> known.without(question));
    }

    /** Stores the endpoints of a discovered service until the next change. */
    public void found(SourceQuestion question, List<FoundEndpoint> endpoints) {
        found.updateAndGet(known -> orNone(known).with(question, endpoints));
    }

    /**
     * Prepares for the watch of a service. Until the source reports endpoints, the upstream uses the endpoints that a
     * source with other settings has reported for the same service, if there are any.
     */
    public void lend(SourceQuestion question) {
        found.updateAndGet(known -> orNone(known).withLent(question));
    }

    /** Returns the endpoints that are in use for a discovered service. */
    public List<FoundEndpoint> found(SourceQuestion question) {
        return orNone(found.get()).of(question);
    }

    /** Removes the endpoints of a service that is no longer watched. */
    public void forget(SourceQuestion question) {
        found.updateAndGet(known -> orNone(known).without(question));
    }

    private static FoundSets orNone(@Nullable FoundSets known) {
        return known == null ? FoundSets.NONE : known;
    }

    /**
     * Returns {@code config} with the current endpoints in place of its host names and discovered services;
     * {@code config} itself if it contains neither names nor services.
     */
    public UpstreamConfig resolve(UpstreamConfig config) {
        if (!config.hasChangingEndpoints()) {
            return config;
        }
        List<EndpointConfig> named = config.hasNames() ? answers().endpoints(config) : config.endpoints();
        boolean discovers = !config.discovered().isEmpty();
        return config.withEndpoints(discovers ? orNone(found.get()).endpoints(config, named) : named);
    }

    /** Returns whether an endpoint is neither unhealthy nor ejected. */
    public boolean isHealthy(EndpointAddress address) {
        return of(address).isHealthy(clock.getAsLong());
    }

    /** Stores a result of active checks that differs from the previous result. */
    public void health(EndpointAddress address, Health health) {
        change(address, state -> state.withHealth(health, "", clock.getAsLong()));
    }

    /**
     * Stores a failed check of an unhealthy endpoint.
     *
     * @param fault the reason, for operators
     */
    public void unhealthy(EndpointAddress address, String fault) {
        change(address, state -> state.withHealth(Health.UNHEALTHY, fault, clock.getAsLong()));
    }

    /** Ejects an endpoint until a point in time, in nanoseconds of {@link System#nanoTime()}. */
    public void eject(EndpointAddress address, long until) {
        change(address, state -> state.withEjection(until));
    }

    /** Sets the state that an operator has chosen: enabled, draining or disabled. */
    public void admin(EndpointAddress address, AdminState admin) {
        change(address, state -> state.withAdmin(admin, clock.getAsLong()));
    }

    /**
     * Sets the weight that an operator has chosen.
     *
     * @param weight 1 to {@value EndpointConfig#MAX_WEIGHT}; 0 restores the configured weight
     */
    public void weight(EndpointAddress address, int weight) {
        if (weight < 0 || weight > EndpointConfig.MAX_WEIGHT) {
            throw new IllegalArgumentException(
                    "weight: " + weight + " (expected: 0 to " + EndpointConfig.MAX_WEIGHT + ")");
        }
        change(address, state -> state.withWeight(weight));
    }

    private void change(EndpointAddress address, UnaryOperator<EndpointState> by) {
        update(known -> {
            EndpointState before = known.getOrDefault(address, EndpointState.INITIAL);
            EndpointState after = by.apply(before);
            return after.equals(before) ? known : with(known, address, after);
        });
    }

    /** Updates the map without a lock, because health checks report their results on event loops. */
    private void update(UnaryOperator<Map<EndpointAddress, EndpointState>> by) {
        Map<EndpointAddress, EndpointState> known;
        do {
            known = snapshot;
        } while (!SNAPSHOT.compareAndSet(this, known, by.apply(known)));
    }

    private static Map<EndpointAddress, EndpointState> with(
            Map<EndpointAddress, EndpointState> known, EndpointAddress address, EndpointState state) {
        Map<EndpointAddress, EndpointState> copy = new LinkedHashMap<>(known);
        copy.put(address, state);
        return Map.copyOf(copy);
    }

    /**
     * Keeps the states of these endpoints, adds missing states, and removes the states of all other endpoints. An
     * endpoint that is added after the first call begins with a slow start.
     */
    void keep(Collection<EndpointAddress> named) {
        update(known -> kept(known, named));
        outcomes.keySet().retainAll(named);
    }

    private Map<EndpointAddress, EndpointState> kept(
            Map<EndpointAddress, EndpointState> known, Collection<EndpointAddress> named) {
        Map<EndpointAddress, EndpointState> kept = new LinkedHashMap<>();
        for (EndpointAddress address : named) {
            EndpointState fresh = known.isEmpty() ? EndpointState.INITIAL : EndpointState.newcomer(clock.getAsLong());
            kept.put(address, known.getOrDefault(address, fresh));
        }
        return kept.equals(known) ? known : Map.copyOf(kept);
    }

    /** Returns the counters for the outcomes of attempts at an endpoint. All generations get the same object. */
    EndpointOutcomes outcomes(EndpointAddress address) {
        return outcomes.computeIfAbsent(address, a -> new EndpointOutcomes(loops));
    }
}
