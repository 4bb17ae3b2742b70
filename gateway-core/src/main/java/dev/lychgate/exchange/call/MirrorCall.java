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

/** The exchange of a copy with the upstream of a mirror. On the event loop of the copied exchange, which may have ended. */
final class MirrorCall extends Call {
    /**
     * The most bytes of a discarded body. Up to this length, reading the rest costs less than another connection; an endless
     * response ends here.
     */
    private static final int DISCARDED = 1 << 20;

    /** Receives the result, once. */
    interface Listener {
        /** @param response null without a response, or if it is not compared */
        void onShadow(MirrorOutcome outcome, @Nullable ComparedResponse response);
    }

    private final HttpHeaders trailers;
    private final @Nullable CompareConfig compare;
    private final Listener listener;
    private boolean keeps;
    private long received;

    /** @param requestBody the body, which its owner counts against the memory budget */
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

    /** Copies wait for no turn: the quota is for requests of clients. */
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
    void onComplete(ResponseHead head, byte[] whole) {
        listener.onShadow(MirrorOutcome.RESPONSE, response(head, keeps ? whole : null));
    }

    /** The status and the fields are known, and nothing needs the rest. */
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
