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

/**
 * What is known at run time of the endpoints of one upstream: one per process and name, carried over from generation to
 * generation. Any thread may change it; event loops only read {@link #snapshot()}, which never waits for a change.
 */
public final class UpstreamState {
    @SuppressWarnings("rawtypes") // there is no class of a map of these
    private static final AtomicReferenceFieldUpdater<UpstreamState, Map> SNAPSHOT =
            AtomicReferenceFieldUpdater.newUpdater(UpstreamState.class, Map.class, "snapshot");

    private final LongSupplier clock;
    private final int loops;
    private volatile Map<EndpointAddress, EndpointState> snapshot = Map.of();
    private final AtomicReference<DnsAnswers> answers = new AtomicReference<>(DnsAnswers.NONE);
    private final Map<EndpointAddress, EndpointOutcomes> outcomes = new ConcurrentHashMap<>();

    /**
     * @param clock nanoseconds, as of {@link System#nanoTime()}
     * @param loops how many event loops count outcomes
     */
    UpstreamState(LongSupplier clock, int loops) {
        this.clock = clock;
        this.loops = loops;
    }

    /** What is known of each endpoint; another object as soon as anything has changed. Immutable. */
    public Map<EndpointAddress, EndpointState> snapshot() {
        return snapshot;
    }

    /** What is known of one endpoint. */
    public EndpointState of(EndpointAddress address) {
        return snapshot.getOrDefault(address, EndpointState.INITIAL);
    }

    /** What DNS last said about its names; for each as long as somebody asks. */
    public DnsAnswers answers() {
        return Objects.requireNonNull(answers.get());
    }

    /** DNS has answered: with the addresses of a host, or the targets of a service. Holds until it says something else. */
    public void answered(DnsQuestion question, List<?> answer) {
        answers.updateAndGet(known -> known.with(question, answer));
    }

    /** DNS will be asked; until it answers, what it has said to who asks for the same in another way holds here, too. */
    public void lend(DnsQuestion question) {
        answers.updateAndGet(known -> known.withLent(question));
    }

    /** DNS is asked no more, and what it has said is forgotten. */
    public void forget(DnsQuestion question) {
        answers.updateAndGet(known -> known.without(question));
    }

    /** {@code config} with the endpoints that its names stand for at present; itself if it has no names. */
    public UpstreamConfig resolve(UpstreamConfig config) {
        return config.hasNames() ? config.withEndpoints(answers().endpoints(config)) : config;
    }

    /** A check has come to another result. */
    public void health(EndpointAddress address, Health health) {
        change(address, state -> state.withHealth(health, "", clock.getAsLong()));
    }

    /** A check has found it unhealthy, or still does. @param fault what was wrong, for people */
    public void unhealthy(EndpointAddress address, String fault) {
        change(address, state -> state.withHealth(Health.UNHEALTHY, fault, clock.getAsLong()));
    }

    /** Leaves it out until a point in time, in nanoseconds of {@link System#nanoTime()}. */
    public void eject(EndpointAddress address, long until) {
        change(address, state -> state.withEjection(until));
    }

    /** The operator enables, drains or disables it. */
    public void admin(EndpointAddress address, AdminState admin) {
        change(address, state -> state.withAdmin(admin, clock.getAsLong()));
    }

    /**
     * The operator sets its weight.
     *
     * @param weight 1 to {@value EndpointConfig#MAX_WEIGHT}; 0 goes back to the configured one
     */
    public void weight(EndpointAddress address, int weight) {
        if (weight < 0 || weight > EndpointConfig.MAX_WEIGHT) {
            throw new IllegalArgumentException("a weight from 0 to " + EndpointConfig.MAX_WEIGHT);
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

    /** Without a lock: checks tell their results on event loops. */
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

    /** Knows these and no others from now on; who comes while others are known starts slowly. */
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

    /** How attempts at an endpoint end: the same object from generation to generation. */
    EndpointOutcomes outcomes(EndpointAddress address) {
        return outcomes.computeIfAbsent(address, a -> new EndpointOutcomes(loops));
    }
}
