package dev.lychgate.exchange;

import dev.lychgate.exchange.attempt.Attempts;
import dev.lychgate.exchange.call.Mirror;
import dev.lychgate.exchange.state.Downstream;
import dev.lychgate.http.ResponseHead;
import dev.lychgate.origin.ResponseBodyListener;
import org.jspecify.annotations.Nullable;

/** The part of an exchange that a copy of its request observes. Without a copy, nothing is observed. */
abstract class CopiedExchange {
    private @Nullable Mirror mirror;

    /** Copies the request that {@code attempts} are going to send. */
    final void copy(Mirror to, Attempts attempts) {
        mirror = to;
        attempts.tap(to);
    }

    /** The exchange has a response, which filters have not changed yet. @return its head */
    final ResponseHead observed(ResponseHead head) {
        if (mirror != null) {
            mirror.onPrimaryHead(head);
        }
        return head;
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
