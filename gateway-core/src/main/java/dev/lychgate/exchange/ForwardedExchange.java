package dev.lychgate.exchange;

import dev.lychgate.config.RouteAction;
import dev.lychgate.error.ErrorKind;
import dev.lychgate.error.GatewayError;
import dev.lychgate.exchange.attempt.Attempts;
import dev.lychgate.exchange.call.Mirror;
import dev.lychgate.exchange.call.ObservedBody;
import dev.lychgate.exchange.state.Downstream;
import dev.lychgate.exchange.state.ExchangeState;
import dev.lychgate.exchange.state.ExchangeTap;
import dev.lychgate.generation.OverloadPolicy;
import dev.lychgate.generation.ProxyTarget;
import dev.lychgate.http.ResponseHead;
import dev.lychgate.loop.Loop;
import dev.lychgate.origin.ResponseBodyListener;
import org.jspecify.annotations.Nullable;

/**
 * An exchange with its target and its attempts. A mirror of the request and a recording of the exchange also receive
 * the messages of the attempts.
 */
abstract class ForwardedExchange extends KeptHeads {
    final ExchangeState state;
    private @Nullable Attempts attempts;
    private @Nullable Mirror mirror;

    /**
     * The target of the request. The step RESPOND sets the target, and the step DEADLINE creates the attempts for this
     * target.
     */
    @Nullable
    ProxyTarget target;
    /** The path and the query that the origin receives. */
    String path = "";

    /** The use of the cache by this exchange; null = the exchange continues as if there were no cache. */
    @Nullable
    CacheRole cached;

    ForwardedExchange(ExchangeState state, Loop loop) {
        super(loop.memory());
        this.state = state;
    }

    /** Returns the attempts; null until the exchange needs an origin. */
    final @Nullable Attempts attempts() {
        return attempts;
    }

    final void attempts(Attempts all) {
        attempts = all;
    }

    /** Returns the target of the attempts; null if the exchange has not needed an origin. */
    public final @Nullable ProxyTarget target() {
        Attempts all = attempts;
        return all == null ? null : all.target();
    }

    /** Returns the attempts. Must not be called before the step {@link RequestStep#DEADLINE}, which creates them. */
    public final Attempts requireAttempts() {
        Attempts all = attempts();
        if (all == null) {
            throw state.unexpected("no attempts");
        }
        return all;
    }

    /**
     * Ends the current attempt, if there is one.
     *
     * @param why see {@link Attempts#end}
     */
    final void endAttempt(@Nullable GatewayError why) {
        Attempts all = attempts();
        if (all != null) {
            all.end(why);
        }
    }

    /** Returns the target, which the step RESPOND has set. */
    final ProxyTarget requireTarget() {
        ProxyTarget chosen = target;
        if (chosen == null) {
            throw state.unexpected("no target");
        }
        return chosen;
    }

    /** Counts a request that was shed, in the overload statistics of its upstream. */
    final void countShed(ErrorKind why) {
        OverloadPolicy policy = state.generation().overload();
        if (policy != null) {
            policy.shed(upstreamInUse(), why);
        }
    }

    /**
     * Returns the fixed response of the overload settings if the request is shed on the highest rung of the overload
     * ladder; otherwise null.
     */
    public final RouteAction.@Nullable Respond overloadPage() {
        OverloadPolicy policy = state.generation().overload();
        return policy == null || state.shed() < 0 ? null : policy.page(upstreamInUse());
    }

    private String upstreamInUse() {
        Attempts all = attempts();
        return (all == null ? requireTarget() : all.target()).upstream().name();
    }

    /** Prepares the mirror {@code to} to copy the request that {@code sending} will send. */
    final void copy(Mirror to, Attempts sending) {
        mirror = to;
        sending.tap(to);
    }

    /** Reports the accepted response head to the mirror and the cache before the gateway or filters change it. */
    final void observe(ResponseHead head) {
        if (mirror != null) {
            mirror.onPrimaryHead(head);
        }
        if (cached != null) {
            cached.onAccepted(head);
        }
    }

    /** Returns a receiver of the response body that also informs the recording, the mirror and the cache. */
    final ResponseBodyListener observed(ResponseBodyListener relay) {
        ExchangeTap tap = state.tap();
        ResponseBodyListener first =
                tap == ExchangeTap.NONE ? relay : new ObservedBody(tap::onOriginBody, () -> {}, relay);
        ResponseBodyListener second = mirror == null ? first : mirror.before(first);
        return cached == null ? second : cached.before(second);
    }

    /**
     * Returns the minimum length of response bodies to splice. A body that a recording, a mirror or the cache reads is
     * not spliced.
     */
    final long splicesFrom(Downstream downstream) {
        boolean needed = state.tap() != ExchangeTap.NONE
                || (mirror != null && mirror.needsPrimaryBody())
                || (cached != null && cached.isStoring());
        return needed ? Downstream.NO_SPLICE : downstream.splicesFrom();
    }

    /** Informs the mirror that the exchange ends. The copy may continue. */
    public final void leaveCopy() {
        if (mirror != null) {
            mirror.onExchangeEnd();
        }
    }
}
