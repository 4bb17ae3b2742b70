package dev.lychgate.exchange;

import dev.lychgate.config.ByteSize;
import dev.lychgate.config.FaultEffects;
import dev.lychgate.error.ErrorKind;
import dev.lychgate.error.GatewayError;
import dev.lychgate.error.InjectedFault;
import dev.lychgate.exchange.state.ExchangeRecord.Injection;
import dev.lychgate.exchange.state.ExchangeState;
import dev.lychgate.exchange.state.Half;
import dev.lychgate.generation.FaultPlan;
import dev.lychgate.generation.FaultRule;
import dev.lychgate.generation.FaultRule.Kind;
import dev.lychgate.loop.Loop;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The faults that one exchange meets: their delays add up, the first abort or reset ends the exchange, and the lowest bandwidth
 * applies. Created only for exchanges that meet a fault. On the exchange's event loop.
 */
final class InjectedFaults implements Injected {
    private final List<FaultRule> rules;
    private final ExchangeParts exchange;
    private final ExchangeState state;
    private final Loop loop;
    private final Runnable next;
    private @Nullable ScheduledFuture<?> delay;

    private InjectedFaults(List<FaultRule> rules, ExchangeParts exchange, Loop loop, Runnable next) {
        this.rules = rules;
        this.exchange = exchange;
        this.state = exchange.state;
        this.loop = loop;
        this.next = next;
    }

    /**
     * Injects the faults that hit a request.
     *
     * @param next forwards the request, if it does not continue at once
     * @return whether the request continues at once
     */
    static boolean pass(FaultPlan plan, ExchangeParts exchange, Loop loop, Runnable next) {
        ExchangeState state = exchange.state;
        List<FaultRule> hits = plan.hits(state.requireRoute(), state.requireRequestHead(), state, loop.random());
        if (hits.isEmpty()) {
            return true;
        }
        InjectedFaults injected = new InjectedFaults(hits, exchange, loop, next);
        exchange.injected = injected;
        return injected.begin();
    }

    private boolean begin() {
        long nanos = state.downstream().isDraining() ? 0 : delays();
        if (nanos == 0) {
            return takeEffect();
        }
        if (state.request() == Half.BODY) {
            state.downstream().pauseReading();
        }
        delay = loop.eventLoop().schedule(this::onDelayed, nanos, TimeUnit.NANOSECONDS);
        return false;
    }

    private long delays() {
        long all = 0;
        for (FaultRule rule : rules) {
            long nanos = rule.delay(loop.random());
            if (nanos > 0) {
                state.injected(new Injection(rule.name(), Kind.DELAY, nanos));
                all += nanos;
            }
        }
        return all;
    }

    private void onDelayed() {
        delay = null;
        try {
            if (takeEffect()) {
                next.run();
                exchange.onResumed();
            }
        } catch (RuntimeException e) {
            exchange.failureHandler().onFault("the request failed after the delay of a fault", e);
        }
    }

    /** Returns whether the request is forwarded. */
    private boolean takeEffect() {
        FaultRule slowest = null;
        long speed = Long.MAX_VALUE;
        for (FaultRule rule : rules) {
            FaultEffects effects = rule.effects();
            if (effects.abort() != null || effects.reset()) {
                end(rule, effects);
                return false;
            }
            ByteSize bandwidth = effects.bandwidth();
            if (bandwidth != null && bandwidth.bytes() < speed) {
                slowest = rule;
                speed = bandwidth.bytes();
            }
        }
        // A WebSocket has no body.
        boolean hasBody = state.requireRequestHead().protocol() == null;
        if (slowest != null && hasBody && !state.downstream().isDraining()) {
            state.injected(new Injection(slowest.name(), Kind.BANDWIDTH, speed));
            exchange.relay.pace = new BodyPace(loop, state, exchange.relay, exchange.relay::onClientWritable, speed);
        }
        return true;
    }

    private void end(FaultRule rule, FaultEffects effects) {
        Integer status = effects.abort();
        if (status != null) {
            state.injected(new Injection(rule.name(), Kind.ABORT, status));
            Integer grpc = effects.grpcStatus();
            exchange.fail(GatewayError.injected(new InjectedFault(rule.name(), status, grpc == null ? 0 : grpc)));
        } else {
            state.injected(new Injection(rule.name(), Kind.RESET, 0));
            state.failed(GatewayError.injected(new InjectedFault(rule.name(), ErrorKind.FAULT_INJECTED.status(), 0)));
            exchange.reset();
        }
    }

    @Override
    public void cancel() {
        if (delay != null) {
            delay.cancel(false);
            delay = null;
        }
    }

    @Override
    public void drain() {
        if (delay != null) {
            cancel();
            onDelayed();
        }
        BodyPace pace = exchange.relay.pace;
        if (pace != null) {
            exchange.relay.pace = null;
            pace.end();
        }
    }
}
