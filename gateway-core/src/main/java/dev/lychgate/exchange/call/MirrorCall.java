package dev.lychgate.exchange.call;

import dev.lychgate.config.CompareConfig;
import dev.lychgate.error.GatewayError;
import dev.lychgate.exchange.attempt.LoopUpstreams;
import dev.lychgate.exchange.state.ExchangeState;
import dev.lychgate.generation.ProxyTarget;
import dev.lychgate.http.BodyFraming;
import dev.lychgate.http.ResponseHead;
import dev.lychgate.loop.Holding;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpHeaders;
import org.jspecify.annotations.Nullable;

/**
 * The call that sends a copy to the upstream of a mirror. Used on the event loop of the copied exchange, which may have
 * ended.
 */
final class MirrorCall extends Call {
    /**
     * The maximum number of bytes that are read from a discarded response body. Up to this length, reading the rest of
     * the body costs less than opening another connection. The call ends at this length, even if the body is longer or
     * endless.
     */
    private static final int DISCARDED = 1 << 20;

    /** Receives the result. Called once. */
    interface Listener {
        /**
         * Called at the end of the call.
         *
         * @param response the response; null if there is no response, or if responses are not compared
         */
        void onShadow(MirrorOutcome outcome, @Nullable ComparedResponse response);
    }

    private final HttpHeaders trailers;
    private final @Nullable CompareConfig compare;
    private final Listener listener;
    private boolean keeps;
    private long received;

    /**
     * Creates the call of a copy.
     *
     * @param requestBody the body, which {@link Mirror} counts against the memory budget
     */
    MirrorCall(
            ExchangeState state,
            LoopUpstreams upstreams,
            ProxyTarget target,
            String path,
            byte[] requestBody,
            HttpHeaders trailers,
            @Nullable CompareConfig compare,
            Listener listener) {
        super(state, upstreams, target, path, Holding.Kind.COPY, requestBody, 0, longest(compare));
        this.trailers = trailers;
        this.compare = compare;
        this.listener = listener;
        this.keeps = compare != null && compare.body().bytes() > 0;
    }

    private static int longest(@Nullable CompareConfig compare) {
        return Math.max(DISCARDED, compare == null ? 0 : compare.body().asInt());
    }

    @Override
    HttpHeaders requestTrailers() {
        return trailers;
    }

    /**
     * Skips the step in which attempts wait for a turn, because the quota of a turn is meant for requests of clients.
     */
    @Override
    public void onAttemptDue() {
        if (attempts.choose() && attempts.enterEndpoint()) {
            onTurn();
        }
    }

    @Override
    int firstBytes(ResponseHead head) {
        keeps = keeps && (head.framing() != BodyFraming.LENGTH || isComparable(head.contentLength()));
        return keeps ? super.firstBytes(head) : 0;
    }

    private boolean isComparable(long length) {
        return compare != null && length <= compare.body().bytes();
    }

    @Override
    public void onResponseBody(ByteBuf chunk) {
        received += chunk.readableBytes();
        if (keeps && isComparable(received)) {
            super.onResponseBody(chunk);
            return;
        }
        chunk.release();
        keeps = false;
        dropBody();
        if (received > DISCARDED) {
            onTooLong();
        }
    }

    @Override
    void onComplete(ResponseHead head, byte[] whole, HttpHeaders trailersOfResponse) {
        listener.onShadow(MirrorOutcome.RESPONSE, response(head, keeps ? whole : null));
    }

    /**
     * Reports the response without its body. The status and the header fields are known, and a body that is too long is
     * not compared.
     */
    @Override
    void onTooLong() {
        if (closeEarly()) {
            listener.onShadow(MirrorOutcome.RESPONSE, response(state.requireResponseHead(), null));
        }
    }

    private @Nullable ComparedResponse response(ResponseHead head, byte @Nullable [] body) {
        return compare == null ? null : ComparedResponse.of(head, compare).with(body);
    }

    @Override
    void onFailure(GatewayError error) {
        listener.onShadow(MirrorOutcome.of(error.kind()), null);
    }
}
