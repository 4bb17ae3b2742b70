package dev.lychgate.exchange;

import dev.lychgate.exchange.attempt.Attempts;
import dev.lychgate.exchange.call.Mirror;
import dev.lychgate.exchange.call.ObservedBody;
import dev.lychgate.exchange.state.Downstream;
import dev.lychgate.exchange.state.ExchangeState;
import dev.lychgate.exchange.state.ExchangeTap;
import dev.lychgate.generation.ProxyTarget;
import dev.lychgate.http.ResponseHead;
import dev.lychgate.loop.Loop;
import dev.lychgate.origin.ResponseBodyListener;
import org.jspecify.annotations.Nullable;

/**
 * The attempts of an exchange. If the request is mirrored or the exchange is recorded, observers see what the attempts send and
 * receive; otherwise there are no observers.
 */
abstract class ForwardedExchange extends KeptHeads {
    final ExchangeState state;
    private @Nullable Attempts attempts;
    private @Nullable Mirror mirror;

    ForwardedExchange(ExchangeState state, Loop loop) {
        super(loop.memory());
        this.state = state;
    }

    /** Returns the attempts; null while the exchange needs no origin. */
    final @Nullable Attempts attempts() {
        return attempts;
    }

    final void attempts(Attempts all) {
        attempts = all;
    }

    /** Returns where the request was sent, or is going to be; null if it needs no origin. */
    public final @Nullable ProxyTarget target() {
        Attempts all = attempts;
        return all == null ? null : all.target();
    }

    /** Copies the request that {@code sending} is going to send. */
    final void copy(Mirror to, Attempts sending) {
        mirror = to;
        sending.tap(to);
    }

    /** The exchange has a response, which neither the gateway nor filters have changed yet. */
    final void observe(ResponseHead head) {
        if (mirror != null) {
            mirror.onPrimaryHead(head);
        }
    }

    /** Returns the receiver of the response's body. */
    final ResponseBodyListener observed(ResponseBodyListener relay) {
        ExchangeTap tap = state.tap();
        ResponseBodyListener first =
                tap == ExchangeTap.NONE ? relay : new ObservedBody(tap::onOriginBody, () -> {}, relay);
        return mirror == null ? first : mirror.before(first);
    }

    /** Returns the length from which the body of the response is spliced; a body that is observed is not spliced. */
    final long splicesFrom(Downstream downstream) {
        boolean needed = state.tap() != ExchangeTap.NONE || (mirror != null && mirror.needsPrimaryBody());
        return needed ? Downstream.NO_SPLICE : downstream.splicesFrom();
    }

    /** The exchange ends; its copy may continue. */
    final void leaveCopy() {
        if (mirror != null) {
            mirror.onExchangeEnd();
        }
    }
}
