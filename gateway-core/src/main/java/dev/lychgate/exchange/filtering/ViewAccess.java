package dev.lychgate.exchange.filtering;

import dev.lychgate.chain.FilterSlot;
import org.jspecify.annotations.Nullable;

/** The access of filters to an exchange through a view, and through the views of its request and response. */
abstract class ViewAccess {
    final FilterContext exchange;
    /** The only filter that uses this view; null if several filters share the view. */
    private final @Nullable FilterSlot of;

    private volatile boolean valid = true;

    /**
     * Creates access that is not revoked.
     *
     * @param of the only filter that uses this view; null if several filters share the view
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
        // A second call has no effect, because the late outcome of an abandoned filter must not end the call-outs of
        // the next filter.
        if (valid) {
            valid = false;
            exchange.endCalls();
        }
    }

    final void requireValid() {
        // A shared view is valid for the filter that is being called, on the event loop. Without this restriction, a
        // filter could access the exchange while another filter runs, or after all filters have run.
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
        // The view of an asynchronous filter names its own filter, because an abandoned filter may still write to the
        // log while another filter runs.
        return of == null ? exchange.slot() : of;
    }

    /**
     * Checks that the running filter has declared that it needs bodies, and that it needs the body of this exchange.
     */
    final void requireBody() {
        requireValid();
        if (filter().bodyLimit() == 0) {
            throw new IllegalStateException(
                    "filter " + filter().name() + " does not declare that it needs a body; add body 65536");
        }
        if (!exchange.isBodyNeeded()) {
            throw new IllegalStateException("filter " + filter().name()
                    + " did not need the body of this exchange, because the condition for the body was false");
        }
    }
}
