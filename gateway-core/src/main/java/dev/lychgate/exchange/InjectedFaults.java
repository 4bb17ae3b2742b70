package dev.lychgate.exchange;

import dev.lychgate.config.ByteSize;
import dev.lychgate.config.FaultEffects;
import dev.lychgate.error.ErrorKind;
import dev.lychgate.error.InjectedFault;
import dev.lychgate.exchange.state.ExchangeRecord.Injection;
import dev.lychgate.exchange.state.ExchangeState;
import dev.lychgate.generation.FaultPlan;
import dev.lychgate.generation.FaultRule;
import dev.lychgate.generation.FaultRule.Kind;
import dev.lychgate.loop.Holding;
import dev.lychgate.loop.Loop;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The faults that affect one exchange. The delays of several faults add up, the first abort or reset ends the exchange,
 * and the lowest bandwidth applies. A fault that ends during the delay has no further effect on the exchange. Created
 * only for exchanges that a fault selects. Used on the exchange's event loop.
 *
 * <p>A delayed request counts against the memory budget. If the budget has no room for the request, or other messages
 * need the memory, the delay ends.
 */
final class InjectedFaults implements Injected, Holding.Owner {
    /** The estimated memory of a delayed exchange, in bytes, without its head. */
    private static final int EXCHANGE = 4 << 10;

    private final FaultPlan plan;
    private final List<FaultRule> rules;
    private final ExchangeParts exchange;
    private final ExchangeState state;
    private final Loop loop;
    private final LastingFaults lasting;
    private final Runnable next;
    private final Holding memory;
    private List<Delay> delays = List.of();
    private long delayedSince;
    private @Nullable ScheduledFuture<?> delay;

    /** The delay of one fault, in nanoseconds. */
    private record Delay(FaultRule rule, long nanos) {}

    private InjectedFaults(
            FaultPlan plan,
            List<FaultRule> rules,
            ExchangeParts exchange,
            Loop loop,
            LastingFaults lasting,
            Runnable next) {
        this.plan = plan;
        this.rules = rules;
        this.exchange = exchange;
        this.state = exchange.state;
        this.loop = loop;
        this.lasting = lasting;
        this.next = next;
        this.memory = loop.memory().holding(this);
    }

    /**
     * Injects the faults that select a request.
     *
     * @param lasting the delayed or slowed exchanges of the loop, which are released when their faults end
     * @param next forwards the request after a delay
     * @return whether the request continues immediately
     */
    static boolean pass(FaultPlan plan, ExchangeParts exchange, Loop loop, LastingFaults lasting, Runnable next) {
        ExchangeState state = exchange.state;
        List<FaultRule> hits = plan.hits(state.requireRoute(), state.requireRequestHead(), state, loop.random());
        if (hits.isEmpty()) {
            return true;
        }
        InjectedFaults injected = new InjectedFaults(plan, hits, exchange, loop, lasting, next);
        exchange.injected = injected;
        return injected.begin();
    }

    // ---- delay

    private boolean begin() {
        List<Delay> drawn = state.downstream().isDraining() ? List.of() : drawDelays();
        if (drawn.isEmpty() || !memory.hold(EXCHANGE, Holding.Kind.BODY)) {
            return takeEffect();
        }
        delays = drawn;
        delays.forEach(one -> state.injected(new Injection(one.rule.name(), Kind.DELAY, one.nanos)));
        state.pauseRequest();
        delayedSince = loop.nanoTime();
        lasting.add(this);
        schedule(total());
        return false;
    }

    private List<Delay> drawDelays() {
        List<Delay> drawn = new ArrayList<>(rules.size());
        for (FaultRule rule : rules) {
            long nanos = rule.delay(loop.random());
            if (nanos > 0) {
                drawn.add(new Delay(rule, nanos));
            }
        }
        return drawn;
    }

    private long total() {
        return delays.stream().mapToLong(Delay::nanos).sum();
    }

    private void schedule(long nanos) {
        delay = loop.eventLoop().schedule(this::onDelayed, nanos, TimeUnit.NANOSECONDS);
    }

    private void onDelayed() {
        cancel();
        lasting.remove(this);
        try {
            if (takeEffect()) {
                next.run();
                exchange.onResumed();
            }
        } catch (Throwable e) {
            exchange.failureHandler().onFault("internal error while forwarding a request that a fault had delayed", e);
        }
    }

    // ---- other effects

    /** Applies abort, reset and bandwidth. Returns whether the request is forwarded. */
    private boolean takeEffect() {
        for (FaultRule rule : rules) {
            FaultEffects effects = rule.effects();
            if (effects.abort() != null || effects.reset()) {
                end(rule, effects);
                return false;
            }
        }
        FaultRule slowest = slowest();
        // Bandwidth applies to bodies only, and a WebSocket has no body.
        boolean hasBody = state.requireRequestHead().protocol() == null;
        if (slowest != null && hasBody && !state.downstream().isDraining()) {
            long speed = speed(slowest);
            state.injected(new Injection(slowest.name(), Kind.BANDWIDTH, speed));
            exchange.relay.pace = new BodyPace(loop, state, exchange.relay, exchange.relay::onClientWritable, speed);
            lasting.add(this);
        }
        return true;
    }

    /** Returns the fault with the lowest bandwidth; null if no fault limits the bandwidth. */
    private @Nullable FaultRule slowest() {
        return rules.stream()
                .filter(rule -> rule.effects().bandwidth() != null)
                .min(Comparator.comparingLong(InjectedFaults::speed))
                .orElse(null);
    }

    /** Returns the bandwidth of a fault, in bytes per second. */
    private static long speed(FaultRule rule) {
        ByteSize bandwidth = rule.effects().bandwidth();
        return bandwidth == null ? Long.MAX_VALUE : bandwidth.bytes();
    }

    private void end(FaultRule rule, FaultEffects effects) {
        Integer status = effects.abort();
        if (status != null) {
            state.injected(new Injection(rule.name(), Kind.ABORT, status));
            Integer grpc = effects.grpcStatus();
            exchange.fail(new InjectedFault(rule.name(), status, grpc == null ? 0 : grpc).error());
        } else {
            state.injected(new Injection(rule.name(), Kind.RESET, 0));
            state.failed(new InjectedFault(rule.name(), ErrorKind.FAULT_INJECTED.status(), 0).error());
            exchange.reset();
        }
    }

    // ---- end of faults

    /**
     * Ends the effects of faults that are no longer active.
     *
     * @param active stores for each fault whether it is still active. All exchanges of the loop share this map; this
     *     method adds missing entries
     */
    void onFaultsEnded(Map<FaultRule, Boolean> active) {
        if (!rules.removeIf(rule -> !active.computeIfAbsent(rule, plan::isActive))) {
            return;
        }
        if (delay != null) {
            delays = delays.stream().filter(one -> rules.contains(one.rule)).toList();
            long left = total() - (loop.nanoTime() - delayedSince);
            if (left > 0) {
                delay.cancel(false);
                schedule(left);
            } else {
                lasting.release(this);
            }
        }
        BodyPace pace = exchange.relay.pace;
        if (pace != null) {
            FaultRule slowest = slowest();
            if (slowest == null) {
                pace.end();
            } else {
                pace.raise(speed(slowest));
            }
        }
    }

    @Override
    public void drain() {
        endDelay();
        BodyPace pace = exchange.relay.pace;
        if (pace != null) {
            pace.end();
        }
    }

    private void endDelay() {
        if (delay != null) {
            delays = List.of();
            lasting.release(this);
        }
    }

    /** Forwards the request, unless its delay was cancelled after the call of {@link LastingFaults#release}. */
    void onReleased() {
        if (delay != null) {
            onDelayed();
        }
    }

    @Override
    public void cancel() {
        memory.release();
        if (delay != null) {
            delay.cancel(false);
            delay = null;
        }
    }

    @Override
    public void close() {
        cancel();
        lasting.remove(this);
    }

    // ---- memory budget

    /** Ends the delay, because other messages need the memory. */
    @Override
    public void releaseBytes() {
        endDelay();
    }

    @Override
    public void onReclaim() {
        // releaseBytes() has ended the delay before.
    }
}
