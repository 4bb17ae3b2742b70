package dev.lychgate.exchange.filtering;

import dev.lychgate.error.GatewayError;
import dev.lychgate.exchange.state.ExchangeState;
import dev.lychgate.exchange.state.Half;
import dev.lychgate.http.BodyFraming;
import dev.lychgate.http.BodySink;
import dev.lychgate.http.RequestHead;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import org.jspecify.annotations.Nullable;

/**
 * The part of a {@link FilteredExchange} for requests. The request body waits for the filters and passes through their
 * transforms and publishers. All attempts together count as one receiver, so the gateway subscribes to the publishers
 * once per exchange.
 */
abstract class FilteredRequest extends FilteredMessages {
    private boolean requestSent;

    FilteredRequest(ExchangeState state, FilterLoop loop, FilterHost host) {
        super(state, loop, host);
    }

    private @Nullable FilteredBody awaitedRequest() {
        return context.stage().changesRequest() && run.awaitsBody()
                ? context.bodies().heldRequest()
                : null;
    }

    public final boolean takeRequestChunk(ByteBuf chunk) {
        FilteredBody body = awaitedRequest();
        if (body == null) {
            return false;
        }
        boolean fits = body.hold(chunk);
        if (body.isLost()) {
            state.downstream().pauseReading();
        } else {
            onChunk(body, fits);
        }
        return true;
    }

    public final boolean takeRequestEnd(HttpHeaders trailers) {
        FilteredBody body = awaitedRequest();
        if (body == null) {
            return false;
        }
        end(body, trailers);
        return true;
    }

    public final @Nullable GatewayError frameRequest(RequestHead head) {
        FilteredBody body = context.bodies().heldRequest();
        if (body == null) {
            return null;
        }
        if (body.isReplaced() || (body.isEnded() && body.isTransformed())) {
            byte[] bytes = body.settle();
            head.headers().remove(HttpHeaderNames.CONTENT_LENGTH);
            if (!body.trailers().isEmpty()) {
                head.frame(BodyFraming.CHUNKED, 0);
            } else {
                boolean none = bytes.length == 0 && head.framing() == BodyFraming.NONE;
                head.frame(none ? BodyFraming.NONE : BodyFraming.LENGTH, bytes.length);
                // A body that is sent with its length has no trailers.
                head.headers().remove(HttpHeaderNames.TRAILER);
            }
        }
        if (head.framing() == BodyFraming.NONE) {
            body.closeTail();
        } else if (body.isChanged()) {
            head.frame(BodyFraming.CHUNKED, 0);
        }
        return errorOf(body);
    }

    public final boolean holdsWholeRequest() {
        FilteredBody body = context.bodies().heldRequest();
        return body != null && body.isWhole() && body.flow() == null;
    }

    public final boolean sendWholeRequest(BodySink to) {
        FilteredBody body = context.bodies().heldRequest();
        if (body == null || !holdsWholeRequest()) {
            return false;
        }
        byte[] bytes = body.bytes();
        body.release();
        if (bytes.length > 0) {
            // Each attempt gets a new buffer, because the bytes may be sent again.
            to.sendBody(Unpooled.wrappedBuffer(bytes));
        }
        requestSent = true;
        sendEnd(body, body.trailers(), to);
        return true;
    }

    public final boolean isRequestSent() {
        return requestSent;
    }

    public final boolean relayRequest(ByteBuf chunk, BodySink to) {
        FilteredBody body = context.bodies().heldRequest();
        return relay(chunk, body, sink(body, to));
    }

    public final boolean acceptsRequest() {
        return !requestContinues && isRequested(context.bodies().heldRequest());
    }

    public final boolean hasUnsentRequest() {
        FilteredBody body = context.bodies().heldRequest();
        return body != null && !requestSent && (body.hasNext() || body.flow() != null);
    }

    public final boolean relayHeldRequest(BodySink to) {
        FilteredBody body = context.bodies().heldRequest();
        if (body == null || requestSent) {
            return true;
        }
        BodyFlow flow = body.flow();
        if (flow == null) {
            return relay(body, to) && !body.hasNext();
        }
        if (!flow.isStarted()) {
            flow.start(to, host, host::onRequestDemand, trailers -> endOfFlow(body, trailers, to));
        }
        if (body.isReplaced()) {
            body.release();
            send(Unpooled.wrappedBuffer(body.bytes()), flow);
            flow.sendEnd(body.trailers());
        } else if (relay(body, flow) && to.isOpen() && state.request() == Half.DONE) {
            endRequest(state.requestTrailers(), to);
        }
        flow.requestIfWritable();
        return requestSent || (!body.hasNext() && flow.isWritable());
    }

    private void endOfFlow(FilteredBody body, HttpHeaders trailers, BodySink to) {
        requestSent = true;
        sendEnd(body, trailers, to);
        host.onRequestSent();
    }

    public final boolean endRequest(HttpHeaders trailers, BodySink to) {
        FilteredBody body = context.bodies().heldRequest();
        if (body == null) {
            to.sendEnd(trailers);
            return true;
        }
        BodySink sink = sink(body, to);
        if (requestSent || !body.isTransformed()) {
            // If the publishers have ended the request, a later attempt sends the end again.
            sendEnd(body, trailers, requestSent ? to : sink);
            return sink == to;
        }
        return endTransformed(body, trailers, sink) && sink == to;
    }
}
