package dev.lychgate.exchange.filtering;

import dev.lychgate.chain.FilterSlot;
import dev.lychgate.error.ErrorKind;
import dev.lychgate.error.GatewayError;
import dev.lychgate.exchange.state.Half;
import dev.lychgate.filter.FilterOutcome;
import dev.lychgate.http.ResponseHead;
import org.jspecify.annotations.Nullable;

/**
 * The bodies of one exchange that filters control. Filters control a body if a filter needs, reads, replaces or
 * transforms it. Used on the exchange's event loop and, while a filter runs, on the thread of that filter.
 */
final class FilterBodies {
    private final FilterContext context;
    private final FilterLoop loop;
    private final FilterHost host;
    private @Nullable FilteredBody ofRequest;
    private @Nullable FilteredBody ofResponse;

    FilterBodies(FilterContext context, FilterLoop loop, FilterHost host) {
        this.context = context;
        this.loop = loop;
        this.host = host;
    }

    /** Returns the body of the message that filters of the current stage process. */
    private FilteredBody current() {
        return context.stage().changesRequest() ? request() : response();
    }

    /**
     * Prepares the whole body for {@code filter}.
     *
     * @return the outcome if the filter can't run, because the body is too long or a transform has failed; null if the
     *     filter can run
     */
    @Nullable
    FilterOutcome refuse(FilterSlot filter) {
        if (isOfTunnel()) {
            return null;
        }
        FilteredBody body = current();
        if (body.flow() != null) {
            throw new IllegalStateException(
                    "the filter needs the whole body, but an earlier filter has passed the body to mapBody");
        }
        boolean fits = body.limitTo(filter.bodyLimit());
        FilterOutcome failure = transformFailure();
        if (failure != null) {
            return failure;
        }
        // If the head announces a body that is too long, the request is rejected at once, so that the client does not
        // receive 100 (Continue).
        boolean isAnnouncedLonger = context.stage().changesRequest()
                && context.requestHead().contentLength() > filter.bodyLimit()
                && !isWhole();
        return !fits || isAnnouncedLonger ? tooLong(filter) : null;
    }

    /** Returns whether the whole body is available, so that the filter does not have to wait. */
    boolean isWhole() {
        return isOfTunnel()
                || (!current().isLost() && (current().isEnded() || current().isReplaced()));
    }

    /** Returns whether the whole body is available and is not longer than {@code limit} bytes. */
    boolean isWholeWithin(int limit) {
        return isWhole()
                && transformFailure() == null
                && (isOfTunnel() || (current().flow() == null && current().limitTo(limit)));
    }

    /**
     * Returns whether the message of the current stage opens a tunnel. The bytes of a tunnel are not a body, and
     * filters cannot wait for the end of a tunnel.
     */
    private boolean isOfTunnel() {
        return !context.stage().changesRequest() && isTunnelGranted();
    }

    /** Returns the outcome of a failed transform of the body; null if no transform has failed. */
    @Nullable
    FilterOutcome transformFailure() {
        TransformChain.Failure failure = current().failure();
        return failure == null ? null : new FilterOutcome.Fail(FilterFailures.ofTransform(loop, context, failure));
    }

    /** Returns the outcome for a body that is longer than {@code filter} permits. */
    FilterOutcome tooLong(FilterSlot filter) {
        return context.stage().changesRequest()
                ? new FilterOutcome.Fail(GatewayError.downstream(
                        ErrorKind.BODY_TOO_LARGE, "the request body is longer than " + filter.bodyLimit() + " bytes"))
                : FilterFailures.of(
                        loop, context, filter, "needs the whole body, but the body exceeds the filter's limit", null);
    }

    /** Returns the request body. From the first call on, filters control the body. */
    FilteredBody request() {
        FilteredBody body = ofRequest;
        if (body == null) {
            body = new FilteredBody(loop, context, this::onReclaim);
            if (context.state().request() == Half.DONE) {
                body.end(context.state().requestTrailers());
            }
            ofRequest = body;
        }
        return body;
    }

    /** Returns the response body. From the first call on, filters control the body. */
    FilteredBody response() {
        FilteredBody body = ofResponse;
        if (body == null) {
            body = new FilteredBody(loop, context, this::onReclaim);
            ofResponse = body;
        }
        return body;
    }

    /** Fails the exchange, because the memory budget has no room for its bodies or other exchanges need the memory. */
    private void onReclaim() {
        host.fail(TransformChain.refusal());
    }

    /** Returns the request body; null if filters do not control the body. */
    @Nullable
    FilteredBody heldRequest() {
        return ofRequest;
    }

    /** Returns the response body; null if filters do not control the body. */
    @Nullable
    FilteredBody heldResponse() {
        return ofResponse;
    }

    /** Discards the response body, because the response is discarded. */
    void dropResponse() {
        FilteredBody body = ofResponse;
        if (body != null) {
            body.close();
            ofResponse = null;
        }
    }

    void close() {
        if (ofRequest != null) {
            ofRequest.close();
        }
        if (ofResponse != null) {
            ofResponse.close();
        }
    }

    private boolean isTunnelGranted() {
        ResponseHead head = context.responseHead();
        return head != null && head.isTunnel();
    }
}
