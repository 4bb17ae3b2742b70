package dev.lychgate.exchange.filtering;

import dev.lychgate.chain.FilterSlot;
import org.jspecify.annotations.Nullable;

/** The access of filters to an exchange through a view, and through the views of its request and response. */
abstract class ViewAccess {
    final FilterContext exchange;
    /** The only filter with this view; null if the running filters share it. */
    private final @Nullable FilterSlot of;

    private volatile boolean valid = true;

    /**
     * Creates access that is not revoked.
     *
     * @param of the only filter with this view; null if the running filters share it
     */
    ViewAccess(FilterContext exchange, @Nullable FilterSlot of) {
        this.exchange = exchange;
        this.of = of;
    }

    final boolean isShared() {
        return of == null;
    }

    final boolean isValid() {
        return valid;
    }

    /** Ends access to the exchange through this view. */
    final void revoke() {
        // Has an effect only once, because the late outcome of an abandoned filter must not end the call-outs of the
        // next filter.
        if (valid) {
            valid = false;
            exchange.endCalls();
        }
    }

    final void requireValid() {
        // A shared view is valid only for the filter that is being called, and only on the event loop. Otherwise, a
        // filter could access the exchange while another filter runs or after all filters have run.
        if (!valid || (of == null && !exchange.hasTurn())) {
            throw new IllegalStateException("the exchange has continued without this filter");
        }
    }

    final void requireRequestChangeable() {
        requireValid();
        if (!exchange.stage().changesRequest()) {
            throw new IllegalStateException("the request can't be changed in this phase");
        }
    }

    final FilterContext exchange() {
        return exchange;
    }

    final FilterSlot filter() {
        // The view of an asynchronous filter names that filter, because an abandoned filter may still write to the log
        // while another filter runs.
        return of == null ? exchange.slot() : of;
    }

    /** Requires that the running filter has declared a body and has needed the body of this exchange. */
    final void requireBody() {
        requireValid();
        if (filter().bodyLimit() == 0) {
            throw new IllegalStateException("filter " + filter().name() + " does not declare a body: add body 65536");
        }
        if (!exchange.isBodyNeeded()) {
            throw new IllegalStateException(
                    "filter " + filter().name() + " did not need the body of this exchange: its condition was false");
        }
    }
}
