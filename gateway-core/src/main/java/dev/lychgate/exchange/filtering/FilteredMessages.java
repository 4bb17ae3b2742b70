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

/** What both directions of a {@link FilteredExchange} share: the run of filters, their choices, and the relay of a held body. */
abstract class FilteredMessages {
    final ExchangeState state;
    final FilterContext context;
    final FilterRun run;
    private final FilterLoop loop;
    private final FilterHost host;

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
    }

    public final <T> @Nullable T attribute(AttributeKey<T> key) {
        return key.type().cast(context.attributes().get(key));
    }

    public final @Nullable Route takeRoute() {
        return context.takeRoute();
    }

    public final @Nullable ProxyTarget target(Route route, @Nullable ProxyTarget target) {
        return context.target(route, target);
    }

    final @Nullable GatewayError errorOf(@Nullable FilteredBody body) {
        TransformChain.Failure failure = body == null ? null : body.failure();
        return failure == null ? null : FilterFailures.ofTransform(loop, context, failure);
    }

    /** Fails the exchange if a transform of {@code body} has failed. @return whether that is so */
    final boolean failIfBroken(FilteredBody body) {
        GatewayError error = errorOf(body);
        if (error != null) {
            host.failLogged(error);
        }
        return error != null;
    }

    /** Sends what is held, as far as the receiver takes it. @return false if the exchange has failed by that */
    final boolean relay(FilteredBody body, BodySink to) {
        boolean waits = false;
        while (!waits) {
            ByteBuf chunk = body.next();
            if (chunk == null) {
                break;
            }
            send(chunk, to);
            // Only a transform that makes much of little has to wait; what arrived as it is has been paid for.
            waits = !to.isWritable() && body.hasMore();
        }
        return !failIfBroken(body);
    }

    /** A transform may have kept all of a chunk. */
    static void send(ByteBuf chunk, BodySink to) {
        if (chunk.isReadable()) {
            to.sendBody(chunk);
        } else {
            chunk.release();
        }
    }

    /** What has arrived of a body that filters may await: lets the filter run, or refuses the body. */
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
        // The end may need memory as well.
        if (!body.isLost()) {
            run.onBody();
        }
    }
}
