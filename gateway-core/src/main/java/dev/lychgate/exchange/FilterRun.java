package dev.lychgate.exchange;

import dev.lychgate.error.GatewayError;
import dev.lychgate.filter.FilterOutcome;
import dev.lychgate.filter.FilterSet;
import dev.lychgate.filter.InboundFilter;
import dev.lychgate.filter.OutboundFilter;
import dev.lychgate.http.FieldSyntax;
import dev.lychgate.http.RequestHead;
import dev.lychgate.http.ResponseHead;
import io.netty.handler.codec.http.HttpHeaders;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the filters of a generation over one head. Whatever a filter throws costs the exchange it was thrown in, at most;
 * only what the JVM itself can't go on with is passed on.
 */
final class FilterRun {
    private static final Logger LOG = LoggerFactory.getLogger(FilterRun.class);

    private FilterRun() {}

    /** The first outcome that ends the run, or {@link FilterOutcome#PROCEED}. */
    static FilterOutcome inbound(FilterSet filters, RequestHead head) {
        for (int i = 0; i < filters.inboundCount(); i++) {
            InboundFilter filter = filters.inbound(i);
            FilterOutcome outcome;
            try {
                outcome = filter.filter(head);
                HttpHeaders changed = outcome instanceof FilterOutcome.Respond answer
                        ? answer.head().headers()
                        : head.headers();
                if (FieldSyntax.faulty(changed) != null) {
                    throw new IllegalArgumentException("it set a header field that can't be sent");
                }
            } catch (RuntimeException | LinkageError | AssertionError | StackOverflowError e) {
                return new FilterOutcome.Fail(GatewayError.internal("filter " + filter.name() + " failed", e));
            }
            if (!(outcome instanceof FilterOutcome.Proceed)) {
                return outcome;
            }
        }
        return FilterOutcome.PROCEED;
    }

    /** Lets every outbound filter see the head; one that throws leaves it as the others have made it. */
    static void outbound(FilterSet filters, ResponseHead head, String requestId) {
        for (int i = 0; i < filters.outboundCount(); i++) {
            OutboundFilter filter = filters.outbound(i);
            try {
                filter.filter(head);
                removeFaulty(head.headers(), filter, requestId);
            } catch (RuntimeException | LinkageError | AssertionError | StackOverflowError e) {
                LOG.error("{} outbound filter {} failed", requestId, filter.name(), e);
            }
        }
    }

    private static void removeFaulty(HttpHeaders headers, OutboundFilter filter, String requestId) {
        CharSequence faulty = FieldSyntax.faulty(headers);
        while (faulty != null) {
            LOG.error(
                    "{} outbound filter {} set a header field that can't be sent; left out", requestId, filter.name());
            headers.remove(faulty);
            faulty = FieldSyntax.faulty(headers);
        }
    }
}
