package dev.lychgate.exchange;

import dev.lychgate.exchange.attempt.Attempts;
import dev.lychgate.exchange.call.Mirror;
import dev.lychgate.exchange.state.Downstream;
import dev.lychgate.generation.ProxyTarget;
import dev.lychgate.http.ResponseHead;
import dev.lychgate.origin.ResponseBodyListener;
import org.jspecify.annotations.Nullable;

/** The attempts of an exchange, and the copy of the request that they send. Without a copy, nothing is observed. */
abstract class ForwardedExchange {
    private @Nullable Attempts attempts;
    private @Nullable Mirror mirror;

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
        return mirror == null ? relay : mirror.before(relay);
    }

    /** Returns the length from which the body of the response is spliced; a body that is compared is not spliced. */
    final long splicesFrom(Downstream downstream) {
        return mirror != null && mirror.needsPrimaryBody() ? Downstream.NO_SPLICE : downstream.splicesFrom();
    }

    /** The exchange ends; its copy may continue. */
    final void leaveCopy() {
        if (mirror != null) {
            mirror.onExchangeEnd();
        }
    }
}
