package dev.lychgate.exchange;

import dev.lychgate.cache.CacheLookup;
import dev.lychgate.cache.CacheOutcome;
import dev.lychgate.cache.CachedResponse;
import dev.lychgate.cache.IncomingResponse;
import dev.lychgate.cache.ResponseCaches;
import dev.lychgate.cache.RouteCache;
import dev.lychgate.chain.FilterSlot;
import dev.lychgate.config.RouteAction;
import dev.lychgate.error.GatewayError;
import dev.lychgate.exchange.attempt.Attempts;
import dev.lychgate.exchange.attempt.LoopUpstreams;
import dev.lychgate.exchange.call.CacheRefresh;
import dev.lychgate.exchange.state.ExchangeState;
import dev.lychgate.generation.ProxyTarget;
import dev.lychgate.http.RequestHead;
import dev.lychgate.http.ResponseHead;
import dev.lychgate.loop.Loop;
import dev.lychgate.origin.ResponseBodyListener;
import dev.lychgate.route.Route;
import dev.lychgate.splice.SplicedPiece;
import dev.lychgate.tls.TlsSession;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.DefaultHttpHeadersFactory;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The use of the cache by one exchange. The class sends a stored response instead of forwarding the request, or stores
 * the response of the origin while the response is relayed. Created only on routes with a cache. Used on the exchange's
 * event loop.
 */
final class CachedExchange extends CacheRole {
    private final ExchangeParts exchange;
    private final ExchangeState state;
    private final LoopUpstreams upstreams;
    private final Loop loop;
    private final CacheLookup lookup;
    private final Runnable next;
    private CacheLookup.Use use = CacheLookup.Use.RELAY;
    private boolean waiting;
    /**
     * The time until which the request may wait for the response to another request, in nanoseconds of the monotonic
     * clock.
     */
    private final long until;

    private @Nullable ScheduledFuture<?> patience;

    private CachedExchange(
            ExchangeParts exchange, LoopUpstreams upstreams, CacheLookup lookup, long until, Runnable next) {
        this.exchange = exchange;
        this.state = exchange.state;
        this.upstreams = upstreams;
        this.loop = upstreams.loop();
        this.lookup = lookup;
        this.until = until;
        this.next = next;
    }

    /**
     * Searches the cache of the exchange's route.
     *
     * @param next continues the exchange if its request has waited for the response to another request and cannot use
     *     that response
     * @return whether the exchange continues immediately; if false, the exchange has a response, or waits
     */
    static boolean pass(ResponseCaches caches, ExchangeParts exchange, LoopUpstreams upstreams, Runnable next) {
        ExchangeState state = exchange.state;
        RequestHead head = state.requireRequestHead();
        Route route = state.requireRoute();
        RouteCache cache = caches.of(route.id());
        if (cache != null) {
            state.cached(CacheOutcome.BYPASS);
        }
        if (ResponseCaches.isUnsafe(head)) {
            boolean secure = state.isSecure(head);
            String target = ResponseCaches.target(head, secure);
            exchange.cached = new Invalidation(caches, target, secure, state, upstreams.loop());
            return true;
        }
        FilterSlot[] endpointFilters = state.chains().endpoint();
        // If a filter has chosen an endpoint filter, the endpoint filter must respond instead of the cache.
        if (cache == null || exchange.filtering().endpointFilters(endpointFilters) != endpointFilters) {
            return true;
        }
        ProxyTarget own = ofRoute(exchange, route);
        ProxyTarget target = exchange.filtering().target(route, own);
        CacheLookup lookup = cache.lookup(
                head,
                state.isSecure(head),
                chosenUpstream(own, target),
                state.varying(),
                OverloadedOrigin.of(state, target));
        if (lookup == null) {
            return true;
        }
        long now = upstreams.loop().nanoTime();
        CachedExchange cached = new CachedExchange(exchange, upstreams, lookup, now + cache.patience(), next);
        exchange.cached = cached;
        CacheLookup.Found found = lookup.search(now);
        return cached.continues(
                found == CacheLookup.Found.NOTHING ? lookup.join(cached::wake, cached.isIdentified(), now) : found,
                now);
    }

    private static @Nullable ProxyTarget ofRoute(ExchangeParts exchange, Route route) {
        return route.action() instanceof RouteAction.Proxy
                ? exchange.state.generation().target(route)
                : null;
    }

    /**
     * Returns the upstream that filters have chosen in place of the route's upstream; null if they have not chosen an
     * upstream.
     */
    private static @Nullable String chosenUpstream(@Nullable ProxyTarget own, @Nullable ProxyTarget target) {
        if (target == null || (own != null && own.upstream() == target.upstream())) {
            return null;
        }
        return target.upstream().name();
    }

    private boolean continues(CacheLookup.Found found, long now) {
        switch (found) {
            case FRESH -> serve(now);
            case STALE -> {
                refresh(now);
                serve(now);
            }
            case REFUSED -> refuse();
            case NOTHING -> {
                return true;
            }
            case WAIT -> await(now);
        }
        return false;
    }

    private void serve(long now) {
        CachedResponse served = lookup.serve(now);
        exchange.relay.respond(served.head(), served.body());
    }

    /** Responds to a client that accepts only a stored response (RFC 9111, 5.2.1.7). */
    private void refuse() {
        HttpHeaders headers = DefaultHttpHeadersFactory.headersFactory().newHeaders();
        headers.add(HttpHeaderNames.CACHE_CONTROL, "no-store");
        exchange.relay.respond(new ResponseHead(504, headers), Unpooled.EMPTY_BUFFER);
    }

    private void refresh(long now) {
        Route route = state.requireRoute();
        ProxyTarget target = exchange.filtering().target(route, ofRoute(exchange, route));
        if (target == null || state.downstream().isDraining()) {
            return;
        }
        RequestHead copy = state.requireRequestHead().copy();
        CacheLookup background = lookup.refresh(copy, now);
        if (background != null) {
            CacheRefresh.begin(state, upstreams, target, copy, background, isIdentified());
        }
    }

    /** Returns whether the sender has a verified identity or a TLS client certificate. */
    private boolean isIdentified() {
        TlsSession tls = state.downstream().tls();
        return state.identity() != null || (tls != null && tls.clientCertificate() != null);
    }

    // ---- wait for the response to another request

    private void await(long now) {
        waiting = true;
        patience = loop.eventLoop().schedule(this::resume, until - now, TimeUnit.NANOSECONDS);
    }

    /**
     * Continues this exchange in a later task, after its wait for the response to another request. Called on the event
     * loop of that request.
     */
    private void wake() {
        if (loop.inLoop()) {
            // Deferred, so that the other request continues first.
            loop.later(this::resume);
        } else {
            loop.onLoop(this::resume);
        }
    }

    private void resume() {
        if (!waiting) {
            return;
        }
        endWait();
        try {
            long now = loop.nanoTime();
            if (continues(lookup.searchAgain(this::wake, now - until < 0, isIdentified(), now), now)) {
                next.run();
            }
            exchange.onResumed();
        } catch (Throwable e) {
            exchange.failureHandler()
                    .onFault("the request failed after it waited for the response to another request", e);
        }
    }

    private void endWait() {
        waiting = false;
        if (patience != null) {
            patience.cancel(false);
            patience = null;
        }
    }

    // ---- the request to the origin and its response

    /**
     * Adds conditions to the request for the origin. With these conditions, the origin validates the stored response.
     */
    @Override
    void prepare(RequestHead head) {
        lookup.prepare(head);
    }

    /** Decides about the accepted response of the origin, before the gateway changes it. */
    @Override
    void onAccepted(ResponseHead head) {
        boolean fallback = state.remedy() != null;
        use = lookup.onResponse(new IncomingResponse(
                head,
                state.requireRequestHead(),
                isIdentified(),
                fallback,
                loop.nanoTime(),
                System.currentTimeMillis() / 1000));
    }

    /** Returns whether a stored response replaces the accepted response. */
    @Override
    boolean replacesResponse() {
        if (use == CacheLookup.Use.STALE) {
            exchange.endAttempt(null);
            serve(loop.nanoTime());
        }
        return use != CacheLookup.Use.RELAY;
    }

    /** Sends a stale response in place of a failure. Returns false if there is no stale response. */
    @Override
    boolean respondsDespite(@Nullable GatewayError error) {
        long now = loop.nanoTime();
        return lookup.servesDespiteFailure(now) && replace(error, now);
    }

    @Override
    boolean respondsToShed(GatewayError error) {
        long now = loop.nanoTime();
        return lookup.servesDespiteRefusal(now, state.attempts() > 0) && replace(error, now);
    }

    private boolean replace(@Nullable GatewayError error, long now) {
        Attempts attempts = exchange.attempts();
        if (attempts != null) {
            attempts.end(error);
            attempts.giveUp();
        }
        serve(now);
        return true;
    }

    @Override
    boolean isStoring() {
        return lookup.isStoring();
    }

    /** Returns a receiver of the origin's body that stores the body and passes it to {@code relay}. */
    @Override
    ResponseBodyListener before(ResponseBodyListener relay) {
        return new Tee(relay);
    }

    /** Stops waiting and storing, because the exchange fails. */
    @Override
    void cancel() {
        endWait();
    }

    /** Ends the use of the cache. Called at the end of the exchange. */
    @Override
    void close() {
        endWait();
        if (state.error() != null) {
            lookup.fail();
        }
        state.cached(lookup.outcome());
        lookup.close();
    }

    private final class Tee implements ResponseBodyListener {
        private final ResponseBodyListener relay;

        Tee(ResponseBodyListener relay) {
            this.relay = relay;
        }

        @Override
        public void onResponseBody(ByteBuf chunk) {
            if (use == CacheLookup.Use.VALIDATED) {
                chunk.release();
                return;
            }
            lookup.onBody(chunk);
            relay.onResponseBody(chunk);
        }

        @Override
        public void onResponseBody(SplicedPiece chunk) {
            relay.onResponseBody(chunk);
        }

        @Override
        public void onResponseEnd(HttpHeaders trailers) {
            if (use == CacheLookup.Use.VALIDATED) {
                // The connection returns to its pool before the stored response is sent to a client that may be slow.
                exchange.endAttempt(null);
                serve(loop.nanoTime());
                return;
            }
            lookup.onEnd();
            relay.onResponseEnd(trailers);
        }

        @Override
        public void onOriginReadComplete() {
            relay.onOriginReadComplete();
        }
    }

    /** The invalidation of stored responses by a request that may change resources. */
    private static final class Invalidation extends CacheRole {
        private final ResponseCaches caches;
        private final String target;
        private final boolean secure;
        private final ExchangeState state;
        private final Loop loop;

        Invalidation(ResponseCaches caches, String target, boolean secure, ExchangeState state, Loop loop) {
            this.caches = caches;
            this.target = target;
            this.secure = secure;
            this.state = state;
            this.loop = loop;
        }

        @Override
        void onAccepted(ResponseHead head) {
            if (state.remedy() == null) {
                caches.invalidate(target, secure, head.status(), head.headers(), loop.nanoTime());
            }
        }
    }
}
