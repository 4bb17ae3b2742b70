package dev.lychgate.exchange.filtering;

import dev.lychgate.chain.FilterSlot;
import dev.lychgate.error.GatewayError;
import dev.lychgate.exchange.state.ExchangeState;
import dev.lychgate.exchange.state.FilterStage;
import dev.lychgate.exchange.state.FilterTimes;
import dev.lychgate.filter.AttributeKey;
import dev.lychgate.generation.ProxyTarget;
import dev.lychgate.http.BodySink;
import dev.lychgate.route.Route;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpHeaders;
import org.jspecify.annotations.Nullable;

/**
 * The part of a {@link FilteredExchange} that requests and responses share: the runs of filters, the choices of
 * filters, and the relay of held bodies.
 */
abstract class FilteredMessages {
    /** The maximum number of output parts of transforms that are sent before other exchanges get a turn. */
    private static final int PARTS_PER_TURN = 8;

    final ExchangeState state;
    final FilterContext context;
    final FilterRun run;
    private final FilterLoop loop;
    final FilterHost host;
    /** Whether a later turn is scheduled to send further parts of the request. */
    boolean requestContinues;

    boolean responseContinues;

    FilteredMessages(ExchangeState state, FilterLoop loop, FilterHost host) {
        this.state = state;
        this.loop = loop;
        this.host = host;
        this.context = new FilterContext(state, loop, host);
        FilterTimes times = loop.times().take();
        state.timeline().filters(times);
        this.run = new FilterRun(loop, context, host, times);
    }

    public final void run(FilterStage stage, FilterSlot[] chain) {
        run.run(stage, chain);
    }

    public final void cancel() {
        run.cancel();
        FilteredBody request = context.bodies().heldRequest();
        if (request != null) {
            request.closeFlow();
        }
    }

    public final <T> @Nullable T attribute(AttributeKey<T> key) {
        return key.type().cast(context.attributes().get(key));
    }

    public final @Nullable Route takeRoute() {
        FilterChoices choices = context.choices();
        return choices == null ? null : choices.takeRoute();
    }

    public final @Nullable ProxyTarget target(Route route, @Nullable ProxyTarget target) {
        FilterChoices choices = context.choices();
        return choices == null ? target : choices.target(route, target);
    }

    public final FilterSlot[] endpointFilters(FilterSlot[] ofRoute) {
        FilterChoices choices = context.choices();
        FilterSlot chosen = choices == null ? null : choices.endpointFilter();
        return chosen == null ? ofRoute : new FilterSlot[] {chosen};
    }

    /** Returns the sink for a body: the publishers of the body or, without publishers, the receiver. */
    static BodySink sink(@Nullable FilteredBody body, BodySink receiver) {
        BodyFlow flow = body == null ? null : body.flow();
        return flow == null ? receiver : flow;
    }

    final @Nullable GatewayError errorOf(@Nullable FilteredBody body) {
        TransformChain.Failure failure = body == null ? null : body.failure();
        return failure == null ? null : FilterFailures.ofTransform(loop, context, failure);
    }

    /**
     * Fails the exchange if a transform of {@code body} has failed.
     *
     * @return whether a transform has failed
     */
    final boolean failIfBroken(FilteredBody body) {
        GatewayError error = errorOf(body);
        if (error != null) {
            host.failLogged(error);
        }
        return error != null;
    }

    /**
     * Sends held chunks. Pauses the output of transforms if the receiver is not writable or the turn is over.
     *
     * @return false if the exchange has failed
     */
    final boolean relay(FilteredBody body, BodySink to) {
        boolean waits = false;
        for (int left = PARTS_PER_TURN; !waits; left--) {
            ByteBuf chunk = body.next();
            if (chunk == null) {
                break;
            }
            send(chunk, to);
            // Further output of a transform has to wait, whereas chunks that are already in memory are sent.
            boolean writable = to.isWritable();
            waits = (left <= 1 || !writable) && body.hasMore();
            if (waits && writable) {
                continueLater(body);
            }
        }
        return !failIfBroken(body);
    }

    private void continueLater(FilteredBody body) {
        if (body == context.bodies().heldRequest() && !requestContinues) {
            requestContinues = true;
            loop.loop().later(() -> {
                requestContinues = false;
                host.onRequestDemand();
            });
        } else if (body == context.bodies().heldResponse() && !responseContinues) {
            responseContinues = true;
            loop.loop().later(() -> {
                responseContinues = false;
                host.onBodyDemand();
            });
        }
    }

    /** Returns whether the publishers of {@code body} request more of the body; true if there are no publishers. */
    static boolean isRequested(@Nullable FilteredBody body) {
        BodyFlow flow = body == null ? null : body.flow();
        return flow == null || flow.isWritable();
    }

    /**
     * Sends a chunk, unless the chunk is empty because a transform has consumed all its bytes. An empty chunk is
     * released.
     */
    static void send(ByteBuf chunk, BodySink to) {
        if (chunk.isReadable()) {
            to.sendBody(chunk);
        } else {
            chunk.release();
        }
    }

    /**
     * Handles a held chunk. If a transform has failed or the body is too long, the filter that waits for the body stops
     * waiting.
     */
    final void onChunk(FilteredBody body, boolean fits) {
        if (body.failure() != null) {
            run.onBody();
        } else if (!fits && run.awaitsBody()) {
            run.onBodyTooLong();
        }
    }

    final void end(FilteredBody body, HttpHeaders trailers) {
        if (!body.isLost()) {
            body.end(trailers);
        }
        // This is a second check, because the last output of transforms may have exceeded the memory budget.
        if (!body.isLost()) {
            run.onBody();
        }
    }

    /**
     * Runs the actions on trailers and ends the message. If an action fails and its filter fails closed, the exchange
     * fails. If {@code to} consists of the publishers of the body, the actions run later, after the publishers.
     */
    final void sendEnd(@Nullable FilteredBody body, HttpHeaders trailers, BodySink to) {
        if (!to.isOpen()) {
            // The last chunk has made the exchange fail, or publishers have ended the message.
            return;
        }
        BodyTail tail = body == null ? null : body.tail();
        TrailerActions actions = tail == null || to == tail.flow() ? null : tail.trailers();
        if (actions == null) {
            to.sendEnd(trailers);
            return;
        }
        GatewayError error = actions.result() == null ? actions.run(loop, context, trailers) : null;
        HttpHeaders sent = actions.result();
        if (sent != null) {
            to.sendEnd(sent);
        } else if (error != null) {
            host.failLogged(error);
        }
    }

    /**
     * Sends a chunk after the held chunks. This method owns {@code chunk}.
     *
     * @return false if the exchange has failed
     */
    final boolean relay(ByteBuf chunk, @Nullable FilteredBody body, BodySink to) {
        if (body == null) {
            to.sendBody(chunk);
            return true;
        }
        body.hold(chunk);
        return relay(body, to);
    }

    /**
     * Ends a transformed body, unless parts of the body are still held.
     *
     * @return whether the body has ended
     */
    final boolean endTransformed(FilteredBody body, HttpHeaders trailers, BodySink to) {
        if (body.hasNext()) {
            return false;
        }
        ByteBuf last = body.last();
        if (failIfBroken(body)) {
            return false;
        }
        send(last, to);
        sendEnd(body, trailers, to);
        return true;
    }
}
