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
import io.netty.handler.codec.http.DefaultHttpHeadersFactory;
import io.netty.handler.codec.http.HttpHeaders;
import org.jspecify.annotations.Nullable;

/** The common part of both directions of a {@link FilteredExchange}: filter run, choices, and relay of held bodies. */
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

    final @Nullable GatewayError errorOf(@Nullable FilteredBody body) {
        TransformChain.Failure failure = body == null ? null : body.failure();
        return failure == null ? null : FilterFailures.ofTransform(loop, context, failure);
    }

    /** Fails the exchange if a transform of {@code body} has failed. @return whether one has */
    final boolean failIfBroken(FilteredBody body) {
        GatewayError error = errorOf(body);
        if (error != null) {
            host.failLogged(error);
        }
        return error != null;
    }

    /** Sends held chunks while the receiver is writable. @return false if the exchange has failed */
    final boolean relay(FilteredBody body, BodySink to) {
        boolean waits = false;
        while (!waits) {
            ByteBuf chunk = body.next();
            if (chunk == null) {
                break;
            }
            send(chunk, to);
            // Only the expanded output of a transform waits: unchanged chunks are already in memory.
            waits = !to.isWritable() && body.hasMore();
        }
        return !failIfBroken(body);
    }

    /** Sends a chunk unless it is empty, because a transform may consume a whole chunk. */
    static void send(ByteBuf chunk, BodySink to) {
        if (chunk.isReadable()) {
            to.sendBody(chunk);
        } else {
            chunk.release();
        }
    }

    /** Handles a chunk of a body that a filter may await: a failed transform ends the wait, an oversized body too. */
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
        // The end may have exceeded the memory, too.
        if (!body.isLost()) {
            run.onBody();
        }
    }

    /** Ends a message, unless an action on its trailers has failed. */
    final void sendEnd(@Nullable FilteredBody body, HttpHeaders trailers, BodySink to) {
        TrailerActions actions = body == null ? null : body.trailerActions();
        if (actions == null) {
            to.sendEnd(trailers);
            return;
        }
        HttpHeaders sent =
                DefaultHttpHeadersFactory.trailersFactory().newHeaders().add(trailers);
        GatewayError error = actions.run(loop, context, sent);
        if (error == null) {
            to.sendEnd(sent);
        } else {
            host.failLogged(error);
        }
    }
}
