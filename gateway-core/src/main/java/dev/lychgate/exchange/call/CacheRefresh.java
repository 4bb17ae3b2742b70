package dev.lychgate.exchange.call;

import dev.lychgate.cache.CacheLookup;
import dev.lychgate.cache.IncomingResponse;
import dev.lychgate.error.GatewayError;
import dev.lychgate.exchange.attempt.LoopUpstreams;
import dev.lychgate.exchange.state.ExchangeState;
import dev.lychgate.generation.ProxyTarget;
import dev.lychgate.http.RequestHead;
import dev.lychgate.http.ResponseHead;
import dev.lychgate.loop.Holding;
import dev.lychgate.tracing.TraceContext;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.concurrent.TimeUnit;

/**
 * Validates a stored response in the background, while clients receive the stale response. The exchange that found the
 * stale response begins the call, but may end before it. The call takes the same path to the origin as the request of
 * this exchange would take. Used on the event loop of this exchange.
 */
public final class CacheRefresh extends Call {
    private static final long LONGEST = TimeUnit.SECONDS.toNanos(30);

    private final CacheLookup lookup;
    private final boolean credentials;

    private CacheRefresh(
            ExchangeState state,
            LoopUpstreams upstreams,
            ProxyTarget target,
            String path,
            CacheLookup lookup,
            int maxBody,
            boolean credentials) {
        super(state, upstreams, target, path, Holding.Kind.COPY, new byte[0], 0, maxBody);
        this.lookup = lookup;
        this.credentials = credentials;
    }

    /**
     * Begins a validation.
     *
     * @param exchange the exchange that found the stale response
     * @param target the target of the exchange's route
     * @param head the request, to which {@code lookup} has added its conditions
     * @param lookup the lookup of the validation, which this call closes
     * @param credentials whether the sender is identified; if true, the response is stored only if it may be shared
     */
    public static void begin(
            ExchangeState exchange,
            LoopUpstreams upstreams,
            ProxyTarget target,
            RequestHead head,
            CacheLookup lookup,
            boolean credentials) {
        String path = exchange.requireRoute().targetPath(head);
        exchange.downstream().forwarding().apply(head, exchange.requestId());
        ExchangeState state = new ExchangeState(
                upstreams.loop(), CallClient.copied(exchange), exchange.generation(), exchange.requestId());
        state.accept(head, exchange.requestId(), null);
        // The route determines the Host header that origins receive.
        state.enter(exchange.requireRoute());
        TraceContext own = childOf(exchange.trace(), upstreams.loop());
        if (own != null) {
            state.trace(own);
        }
        CacheRefresh call = new CacheRefresh(state, upstreams, target, path, lookup, lookup.maxEntry(), credentials);
        call.begin(target.exchange() > 0 ? Math.min(LONGEST, target.exchange()) : LONGEST);
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
    void onComplete(ResponseHead head, byte[] whole, HttpHeaders trailers) {
        try {
            lookup.onResponse(new IncomingResponse(
                    head,
                    state.requireRequestHead(),
                    credentials,
                    false,
                    loop().nanoTime(),
                    System.currentTimeMillis() / 1000));
            if (lookup.isStoring()) {
                ByteBuf body = Unpooled.wrappedBuffer(whole);
                lookup.onBody(body);
                body.release();
                lookup.onEnd();
            }
        } finally {
            end();
        }
    }

    @Override
    void onFailure(GatewayError error) {
        end();
    }

    @Override
    void onTooLong() {
        if (closeEarly()) {
            end();
        }
    }

    private void end() {
        lookup.close();
        releaseMemory();
    }
}
