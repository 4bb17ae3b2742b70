package dev.lychgate.gateway;

import dev.lychgate.chain.FilterSet;
import dev.lychgate.chain.FilterUse;
import dev.lychgate.config.ConfigException;
import dev.lychgate.config.GatewayConfig;
import dev.lychgate.config.ListenerConfig;
import dev.lychgate.config.Quantity;
import dev.lychgate.config.UpstreamConfig;
import dev.lychgate.exchange.Worker;
import dev.lychgate.generation.Generation;
import dev.lychgate.generation.Split;
import dev.lychgate.generation.Traffic;
import dev.lychgate.health.HealthMonitor;
import dev.lychgate.listener.Listener;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Builds the generations of a gateway, swaps them in by writing one reference, and closes the filters of a replaced
 * generation after its last exchange. A method that changes the generations waits until earlier changes are complete,
 * and must not be called on an event loop. Any thread may read the generations.
 */
final class Generations {
    private static final Logger LOG = LoggerFactory.getLogger(Generations.class);

    /** The longest time for which a new generation waits for the first results of its names and discovered services. */
    static final Duration FIRST_ANSWERS = Duration.ofSeconds(2);

    /** The interval at which the gateway checks whether exchanges still use the filters of a replaced generation. */
    private static final Duration END_INTERVAL = Duration.ofMillis(100);

    /**
     * The parts of a gateway that adopt each new generation.
     *
     * @param listeners change with the stable generation, and keep their settings during a rollout
     */
    record Followers(
            List<Worker> workers,
            HealthMonitor health,
            FilterWatchdog watchdog,
            LadderWatch ladders,
            Listeners listeners) {}

    private final ChangingEndpoints discovery;
    private final ScheduledExecutorService thread;
    private volatile Traffic traffic;
    /** The parts that adopt new generations; null until {@link #follow} is called. */
    private volatile @Nullable Followers followers;
    /** The highest number that a generation has had so far. Numbers of withdrawn candidates are not reused. */
    private long lastNumber;

    /**
     * Creates the generations of a gateway that has not started yet.
     *
     * @param first the generation with which the gateway starts
     * @param discovery watches the names and discovered services of upstreams
     * @param thread closes the filters of replaced generations
     */
    Generations(Generation first, ChangingEndpoints discovery, ScheduledExecutorService thread) {
        this.discovery = discovery;
        this.thread = thread;
        this.traffic = Traffic.of(first);
        this.lastNumber = first.number();
        traffic.takeOver();
    }

    /** Sets the parts that adopt new generations. Changes are possible only after this call. */
    void follow(Followers all) {
        all.health().adopt(traffic.upstreams());
        followers = all;
        // Expired faults are ended on an event loop, because a loop accepts tasks from any thread without a lock.
        traffic.stable()
                .faultBoard()
                .watch(all.workers().get(0).loop().eventLoop(), () -> onFaultsEnded(all.workers()));
    }

    private static void onFaultsEnded(List<Worker> workers) {
        workers.forEach(worker -> worker.loop().onLoop(worker::onFaultsEnded));
    }

    /** Returns the generations in force. */
    Traffic traffic() {
        return traffic;
    }

    // ---- changes

    /** Replaces the stable generation. A candidate stays in force. */
    Generation apply(GatewayConfig changed, FilterSet filters) {
        Traffic.Candidate beside = traffic.candidate();
        DescriptorBudget budget = DescriptorBudget.ofProcess(
                changed, beside == null ? null : beside.generation().config());
        if (beside != null) {
            requireSameListeners(changed);
        }
        prepare(changed, budget);
        return replace(changed, filters, budget);
    }

    private synchronized Generation replace(GatewayConfig changed, FilterSet filters, DescriptorBudget budget) {
        Traffic before = traffic;
        Generation next = build(changed, filters, false);
        try (Listeners.Change listeners = prepareListeners(changed, budget)) {
            become(before.replacing(next, loops()), listeners);
        }
        LOG.info(
                "generation {} is in force: {}, {}, {}",
                next.number(),
                Quantity.of(changed.routes().size(), "route"),
                Quantity.of(changed.upstreams().size(), "upstream"),
                Quantity.of(filters.entries().size(), "filter"));
        warn(next, before.stable());
        return next;
    }

    /** Adds a candidate to the stable generation. Replaces an earlier candidate. */
    Generation introduce(GatewayConfig changed, FilterSet filters, Split split) {
        requireSameListeners(changed);
        prepare(changed, DescriptorBudget.ofProcess(traffic.stable().config(), changed));
        return addCandidate(changed, filters, split);
    }

    private synchronized Generation addCandidate(GatewayConfig changed, FilterSet filters, Split split) {
        Traffic before = traffic;
        Generation next = build(changed, filters, true);
        become(before.introducing(next, split), null);
        LOG.info(
                "candidate {} introduced next to stable generation {}: {}, {}, {}",
                next.number(),
                before.stable().number(),
                Quantity.of(changed.routes().size(), "route"),
                Quantity.of(changed.upstreams().size(), "upstream"),
                Quantity.of(filters.entries().size(), "filter"));
        warn(next, before.stable());
        return next;
    }

    /** Changes the rule that selects the new exchanges for the candidate. */
    synchronized void split(Split split) {
        traffic = traffic.divided(split);
    }

    /** Makes the candidate the stable generation. */
    synchronized Generation promote() {
        Generation before = traffic.stable();
        become(traffic.promoted(), null);
        Generation promoted = traffic.stable();
        LOG.info("candidate {} promoted: it replaces generation {}", promoted.number(), before.number());
        return promoted;
    }

    /** Removes the candidate, if there is one. */
    synchronized void withdraw() {
        Traffic.Candidate candidate = traffic.candidate();
        if (candidate != null) {
            become(traffic.withdrawn(), null);
            LOG.info(
                    "candidate {} withdrawn: stable generation {} gets all new requests",
                    candidate.generation().number(),
                    traffic.stable().number());
        }
    }

    /** Applies changed addresses from DNS and changed endpoints of sources to the generations in force. */
    synchronized void resolved() {
        Followers all = followers;
        if (all == null) {
            return;
        }
        Traffic next = traffic.resolved(loops());
        if (next != traffic) {
            next.takeOverEndpoints();
            swap(next, all);
        }
    }

    // ---- implementation

    /** Checks whether the running gateway can use another configuration. Changes nothing. */
    void verify(GatewayConfig changed) {
        require(DescriptorBudget.ofProcess(traffic.stable().config(), changed));
    }

    private static void require(DescriptorBudget budget) {
        String shortage = budget.shortage();
        if (shortage != null) {
            throw new ConfigException("upstreams", "too many connections", "fewer connections, because " + shortage);
        }
    }

    /**
     * Verifies a configuration and waits for the first results of its names and discovered services. Waits without
     * holding the lock, because results need the lock to update the generations in force.
     */
    private void prepare(GatewayConfig changed, DescriptorBudget budget) {
        require(budget);
        discovery.prepare(
                changed.targets().values(),
                traffic.stable().upstreamStates(),
                changed.policies().discovery(),
                FIRST_ANSWERS);
    }

    /**
     * Checks that a candidate has the listeners of the stable generation, because both generations serve the same
     * connections.
     *
     * @throws ConfigException if a listener differs in more than policies and certificates
     */
    private void requireSameListeners(GatewayConfig changed) {
        List<ListenerConfig> before = traffic.stable().config().listeners();
        List<ListenerConfig> next = changed.listeners();
        boolean same = before.size() == next.size();
        for (int i = 0; same && i < next.size(); i++) {
            same = Listener.differOnlyInPolicies(before.get(i), next.get(i));
        }
        if (!same) {
            throw new ConfigException(
                    "listeners",
                    "changed",
                    "the listeners of the stable generation during a rollout; reload without a rollout to change"
                            + " listeners");
        }
    }

    private Listeners.Change prepareListeners(GatewayConfig changed, DescriptorBudget budget) {
        try {
            return requireFollowers().listeners().prepare(changed, budget);
        } catch (RuntimeException e) {
            discover(traffic);
            throw e;
        }
    }

    /**
     * Builds a new generation from the stable generation. If the build fails, the generations in force are unchanged.
     */
    private Generation build(GatewayConfig changed, FilterSet filters, boolean candidate) {
        try {
            Generation stable = traffic.stable();
            long number = lastNumber + 1;
            Generation next = candidate
                    ? stable.candidate(number, changed, filters, loops())
                    : stable.next(number, changed, filters, loops());
            lastNumber = next.number();
            return next;
        } catch (RuntimeException e) {
            discover(traffic);
            throw e;
        }
    }

    private void become(Traffic next, Listeners.@Nullable Change listeners) {
        Followers all = requireFollowers();
        next.takeOver();
        Worker.prepare(next.stable().config());
        if (listeners != null) {
            listeners.leave();
        }
        swap(next, all);
        if (listeners != null) {
            listeners.commit();
        }
        all.listeners().limit(next);
        discover(next);
        all.watchdog().watch(next);
        all.ladders().watch(next);
    }

    private void swap(Traffic next, Followers all) {
        List<FilterUse> replaced = new ArrayList<>(traffic.uses());
        replaced.removeAll(next.uses());
        traffic = next;
        all.health().adopt(next.upstreams());
        // Each loop adopts the new generation now. Otherwise, an idle loop would keep replaced generations and the
        // classes of their filters in memory until its next exchange.
        AtomicInteger behind = new AtomicInteger(all.workers().size());
        all.workers()
                .forEach(worker -> worker.loop().eventLoop().execute(() -> {
                    worker.generation();
                    behind.decrementAndGet();
                }));
        replaced.forEach(use -> endWhenUnused(use, behind));
    }

    /**
     * Closes replaced filters if no exchange uses them and no new exchange can begin with them. Otherwise, schedules
     * another check.
     *
     * @param behind the number of event loops on which an exchange may still begin with the replaced filters
     */
    private void endWhenUnused(FilterUse replaced, AtomicInteger behind) {
        if (traffic.uses().contains(replaced)) {
            return;
        }
        if (behind.get() == 0 && replaced.exchanges() == 0) {
            replaced.end();
        } else {
            thread.schedule(() -> endWhenUnused(replaced, behind), END_INTERVAL.toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    private void discover(Traffic of) {
        List<UpstreamConfig> named = new ArrayList<>();
        of.generations()
                .forEach(
                        generation -> named.addAll(generation.config().targets().values()));
        discovery.adopt(
                named,
                of.stable().upstreamStates(),
                of.stable().config().policies().discovery());
    }

    private Followers requireFollowers() {
        Followers all = followers;
        if (all == null) {
            throw new IllegalStateException("the gateway has not finished its startup");
        }
        return all;
    }

    private int loops() {
        return requireFollowers().workers().size();
    }

    /** Logs warnings about the settings of a generation, unless the previous generation had the same warnings. */
    static void warn(Generation of, @Nullable Generation before) {
        of.warnOfTls();
        List<String> warnings = of.routes().warnings();
        if (before == null || !warnings.equals(before.routes().warnings())) {
            warnings.forEach(warning -> LOG.warn("{}", warning));
        }
    }
}
