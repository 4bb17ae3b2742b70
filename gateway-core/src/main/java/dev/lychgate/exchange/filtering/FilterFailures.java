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

/** Counts and logs failures of filters. The failure policy of the filter determines the outcome of a failure. */
public final class FilterFailures {
    private static final Logger LOG = LoggerFactory.getLogger(FilterFailures.class);

    private FilterFailures() {}

    /**
     * Returns the error of an exchange with a failed body transform. Counts and logs the failure, unless the transform
     * refused the body.
     */
    static GatewayError ofTransform(FilterLoop loop, FilterSubject exchange, TransformChain.Failure failure) {
        if (failure.cause() instanceof BodyRefusal refusal) {
            return refusal.error();
        }
        String what = note(
                loop, exchange, failure.of(), "failed in its body transform", "; the exchange fails", failure.cause());
        return GatewayError.internal(what, failure.cause());
    }

    /**
     * Counts and logs a failure of {@code slot}, unless the filter refused a body.
     *
     * @param how the kind of the failure, such as {@code exceeded its timeout}, for the log
     * @return the outcome that the failure policy of the filter determines, or the error with which the filter refused
     *     the body
     */
    static FilterOutcome of(
            FilterLoop loop, FilterSubject exchange, FilterSlot slot, String how, @Nullable Throwable cause) {
        if (inner(cause) instanceof BodyRefusal refusal) {
            return new FilterOutcome.Fail(refusal.error());
        }
        String then = slot.failsClosed()
                ? "; the filter fails closed, so the exchange fails"
                : "; the filter fails open, so the failure does not affect the exchange";
        String what = note(loop, exchange, slot, how, then, cause);
        if (!slot.failsClosed()) {
            return FilterOutcome.Proceed.PROCEED;
        }
        // If a service that the filter needs has not responded, the exchange fails with the error of the call-out,
        // because the filter is not at fault.
        return new FilterOutcome.Fail(
                inner(cause) instanceof CallException call ? call.getError() : GatewayError.internal(what, cause));
    }

    /** Returns the exception that futures have wrapped in other exceptions. */
    private static @Nullable Throwable inner(@Nullable Throwable cause) {
        Throwable inner = cause;
        while ((inner instanceof ExecutionException || inner instanceof CompletionException)
                && inner.getCause() != null) {
            inner = inner.getCause();
        }
        return inner;
    }

    /**
     * Counts a failure, and logs it unless a line about the same class of exceptions was logged recently.
     *
     * @return the failure with the class of its exception, for the records of the exchange
     */
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
        Throwable inner = inner(cause);
        String kind = inner == null ? "" : inner.getClass().getName();
        String more = slot.failures().tell(kind, loop.loop().deadlines().now());
        if (more != null) {
            log(exchange.mark(), slot, what, then + more, cause);
        }
        return kind.isEmpty() ? what : what + ": " + kind;
    }

    /**
     * Logs a failure. If logging throws, for example because an exception class of a filter throws in getMessage, logs
     * only the name of the exception class.
     */
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
                            "{}{}{}; the exception ({}) can't be logged",
                            mark,
                            what,
                            then,
                            (cause == null ? e : cause).getClass().getName());
        }
    }
}
