package dev.lychgate.exchange.filtering;

import dev.lychgate.chain.FilterSlot;
import dev.lychgate.chain.LogMark;
import dev.lychgate.error.GatewayError;
import dev.lychgate.filter.BodyRefusal;
import dev.lychgate.filter.CallException;
import dev.lychgate.filter.FilterOutcome;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Converts the failure of a filter into a count, a log line and the outcome of its policy. */
public final class FilterFailures {
    private static final Logger LOG = LoggerFactory.getLogger(FilterFailures.class);

    private FilterFailures() {}

    /**
     * Returns the error of an exchange with a failed body transform; counts and logs it, unless the transform refused the body.
     */
    static GatewayError ofTransform(FilterLoop loop, FilterSubject exchange, TransformChain.Failure failure) {
        if (failure.cause() instanceof BodyRefusal refusal) {
            return refusal.error();
        }
        String what = note(loop, exchange, failure.of(), "failed in its body transform", "", failure.cause());
        return GatewayError.internal(what, failure.cause());
    }

    /**
     * Counts and logs a failure of {@code slot}, unless the filter refuses a body.
     *
     * @return the outcome by the filter's policy, or the error of the refusal
     */
    static FilterOutcome of(
            FilterLoop loop, FilterSubject exchange, FilterSlot slot, String how, @Nullable Throwable cause) {
        if (inner(cause) instanceof BodyRefusal refusal) {
            return new FilterOutcome.Fail(refusal.error());
        }
        String then = slot.failsClosed() ? "" : "; the exchange continues without it";
        String what = note(loop, exchange, slot, how, then, cause);
        if (!slot.failsClosed()) {
            return FilterOutcome.Proceed.PROCEED;
        }
        // Without a response of a service that it needs, the filter is not at fault.
        return new FilterOutcome.Fail(
                inner(cause) instanceof CallException call ? call.getError() : GatewayError.internal(what, cause));
    }

    /** Returns the cause within the exceptions by which futures report it. */
    private static @Nullable Throwable inner(@Nullable Throwable cause) {
        Throwable inner = cause;
        while ((inner instanceof ExecutionException || inner instanceof CompletionException)
                && inner.getCause() != null) {
            inner = inner.getCause();
        }
        return inner;
    }

    private static String note(
            FilterLoop loop,
            FilterSubject exchange,
            FilterSlot slot,
            String how,
            String then,
            @Nullable Throwable cause) {
        slot.stats().failed(loop.index());
        exchange.filterFailed();
        String what = slot + " " + how;
        String more = slot.failures().tell(loop.loop().deadlines().now());
        if (more != null) {
            log(exchange.mark(), slot, what, then + more, cause);
        }
        return what;
    }

    /** An exception class of a filter may throw in getMessage. */
    private static void log(LogMark mark, FilterSlot of, String what, String then, @Nullable Throwable cause) {
        try {
            String place = "";
            if (cause != null) {
                place = FailureTrace.place(of, cause);
                FailureTrace.shorten(of, cause);
            }
            mark.on(LOG.atError()).setCause(cause).log("{}{}{}{}", mark, what, place, then);
        } catch (Throwable e) {
            mark.on(LOG.atError())
                    .log(
                            "{}{}{}; its {} can't be logged",
                            mark,
                            what,
                            then,
                            cause == null ? "cause" : cause.getClass().getName());
        }
    }
}
