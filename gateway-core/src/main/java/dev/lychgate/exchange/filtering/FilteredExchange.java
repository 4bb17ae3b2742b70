package dev.lychgate.exchange.filtering;

import dev.lychgate.chain.LogMark;
import dev.lychgate.error.GatewayError;
import dev.lychgate.exchange.state.ExchangeState;
import dev.lychgate.exchange.state.Phase;
import dev.lychgate.http.BodyFraming;
import dev.lychgate.http.BodySink;
import dev.lychgate.http.RequestHead;
import dev.lychgate.http.ResponseHead;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The filtering of an exchange with filters. This class implements the part for responses: the response body waits for
 * the outbound filters and passes through their transforms and publishers.
 */
public final class FilteredExchange extends FilteredRequest implements Filtering {
    private static final Logger TRACES = LoggerFactory.getLogger("dev.lychgate.trace");

    private @Nullable FilterTrace trace;
    private @Nullable String traceField;

    public FilteredExchange(ExchangeState state, FilterLoop loop, FilterHost host) {
        super(state, loop, host);
    }

    @Override
    public boolean isActive() {
        return true;
    }

    /**
     * Records all later filter calls.
     *
     * @param now the current time, in nanoseconds
     * @param field the name of the response header that carries the trace; null if only the log contains the trace
     */
    public void trace(long now, @Nullable String field) {
        FilterTrace begun = new FilterTrace(context, state.generation().redaction(), now);
        trace = begun;
        traceField = field;
        run.trace(begun);
    }

    /** Keeps a copy of the request for filters that read the original request. Called before the first filter runs. */
    public void keepOriginalRequest(RequestHead original) {
        context.originalRequest(original);
    }

    @Override
    public void completeResponse(ResponseHead head) {
        context.completeResponse(head);
        if (trace != null && traceField != null) {
            head.headers().set(traceField, trace.field());
        }
    }

    @Override
    public void close() {
        run.close();
        if (trace != null) {
            LogMark mark = context.mark();
            mark.on(TRACES.atInfo()).log("{}", trace.json());
        }
        context.bodies().close();
    }

    @Override
    public void completed() {
        context.completed();
    }

    // ---- the response body

    @Override
    public boolean takeResponseChunk(ByteBuf chunk) {
        if (state.phase() != Phase.FILTERING_RESPONSE) {
            return false;
        }
        FilteredBody body = context.bodies().response();
        boolean fits = body.hold(chunk);
        if (!body.isLost()) {
            onChunk(body, fits);
        }
        return true;
    }

    @Override
    public boolean takeResponseEnd(HttpHeaders trailers) {
        if (state.phase() != Phase.FILTERING_RESPONSE) {
            return false;
        }
        end(context.bodies().response(), trailers);
        return true;
    }

    @Override
    public boolean holdLocalResponse(ByteBuf body) {
        context.bodies().dropResponse();
        FilteredBody held = context.bodies().response();
        held.hold(body);
        held.end(EmptyHttpHeaders.INSTANCE);
        return true;
    }

    @Override
    public void dropResponse() {
        context.bodies().dropResponse();
    }

    @Override
    public @Nullable GatewayError frameResponse(ResponseHead head, boolean toHead, boolean unseen) {
        ResponseFraming.afterFilters(head, context, toHead, unseen);
        return errorOf(context.bodies().heldResponse());
    }

    @Override
    public Delivery deliver(ResponseHead head, BodySink client) {
        FilteredBody body = context.bodies().heldResponse();
        if (body == null) {
            return Delivery.NOT_HELD;
        }
        boolean bodiless = head.framing() == BodyFraming.NONE;
        if (bodiless) {
            body.closeFlow();
            return deliver(head, body, true, client);
        }
        BodyFlow flow = body.flow();
        if (flow == null) {
            return deliver(head, body, false, client);
        }
        // The publishers start before the held bytes are passed to them, because the publishers may not have requested
        // these bytes yet.
        flow.start(client, host, host::onBodyDemand, trailers -> sendEnd(body, trailers, client));
        Delivery delivery = flow.isOpen() ? deliver(head, body, false, flow) : Delivery.DONE;
        flow.flush();
        return delivery;
    }

    private Delivery deliver(ResponseHead head, FilteredBody body, boolean bodiless, BodySink to) {
        if (bodiless || body.isReplaced()) {
            body.release();
        }
        if (body.isReplaced()) {
            if (!bodiless) {
                send(Unpooled.wrappedBuffer(body.bytes()), to);
            }
            sendEnd(bodiless ? null : body, body.trailers(), to);
            return Delivery.DONE;
        }
        if (!relay(body, to)) {
            return Delivery.DONE;
        }
        if (!body.isEnded()) {
            flush(head, body, to);
            return Delivery.READ_ON;
        }
        if (!body.hasNext()) {
            sendEnd(bodiless ? null : body, body.trailers(), to);
        }
        return Delivery.DONE;
    }

    @Override
    public boolean deliverTunnel(Consumer<ByteBuf> to) {
        FilteredBody body = context.bodies().heldResponse();
        if (body == null) {
            return false;
        }
        for (ByteBuf chunk = body.next(); chunk != null; chunk = body.next()) {
            to.accept(chunk);
        }
        return body.isEnded();
    }

    @Override
    public boolean relayResponse(ByteBuf chunk, BodySink to) {
        FilteredBody body = context.bodies().heldResponse();
        return relay(chunk, body, sink(body, to));
    }

    @Override
    public boolean acceptsResponse() {
        return !responseContinues && isRequested(context.bodies().heldResponse());
    }

    @Override
    public void endResponse(ResponseHead head, HttpHeaders trailers, BodySink client) {
        FilteredBody body = context.bodies().heldResponse();
        // Actions on trailers do not run for a response without a body, for example to a HEAD request.
        boolean bodiless = head.framing() == BodyFraming.NONE;
        BodySink to = bodiless ? client : sink(body, client);
        if (body != null && body.isTransformed() && !bodiless) {
            body.end(trailers);
            endTransformed(body, trailers, to);
        } else {
            sendEnd(bodiless ? null : body, trailers, to);
        }
    }

    @Override
    public void flushResponse(ResponseHead head, BodySink to) {
        FilteredBody body = context.bodies().heldResponse();
        if (body != null) {
            BodyFlow flow = body.flow();
            flush(head, body, sink(body, to));
            if (flow != null) {
                flow.flush();
            }
        }
    }

    private void flush(ResponseHead head, FilteredBody body, BodySink to) {
        boolean hasBody = head.framing() != BodyFraming.NONE;
        if (hasBody && body.isTransformed() && !body.isEnded() && !body.hasNext()) {
            ByteBuf flushed = body.flush();
            if (!failIfBroken(body)) {
                send(flushed, to);
            }
        }
    }

    @Override
    public boolean relayHeldResponse(ResponseHead head, BodySink client) {
        FilteredBody body = context.bodies().heldResponse();
        if (body == null) {
            return true;
        }
        BodySink to = sink(body, client);
        if (to instanceof BodyFlow flow) {
            flow.requestIfWritable();
        }
        if (!body.hasNext()) {
            return acceptsResponse();
        }
        if (!relay(body, to)) {
            return false;
        }
        if (body.isEnded()) {
            endTransformed(body, body.trailers(), to);
        } else {
            flush(head, body, to);
        }
        // A flush is necessary, because unflushed bytes are never sent, and the client's channel would never become
        // writable.
        state.downstream().flush();
        return !body.isEnded() && !body.hasNext() && acceptsResponse();
    }
}
