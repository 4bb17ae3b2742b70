package dev.lychgate.cache;

import dev.lychgate.http.RequestHead;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpMethod;
import org.jspecify.annotations.Nullable;

/**
 * The use of the cache by one request: finds a stored response, or validates it, or stores the response of the origin while the client
 * receives it. Used on one event loop. {@link #close} must be called once, at the end of the exchange.
 *
 * <p>The methods follow the path of the request. {@link #search} is the first. If it has found a response that may be
 * sent at once, {@link #serve} creates the response. Otherwise, {@link #join} determines whether the request waits for
 * another request, after which {@link #searchAgain} follows. If the request is sent to the origin, {@link #prepare}
 * precedes it, {@link #onResponse} handles the response head, and {@link #onBody} and {@link #onEnd} handle the body.
 * {@link #servesDespiteFailure} and {@link #servesDespiteRefusal} replace an error by a stale response.
 */
public final class CacheLookup implements AutoCloseable {
    /** The result of {@link #search}. */
    public enum Found {
        /** The stored response may be sent. */
        FRESH,
        /** The stored response may be sent, and must be validated in the background. */
        STALE,
        /** The request must be sent to the origin. */
        NOTHING,
        /** The client accepts only a stored response, and none is usable. */
        REFUSED,
        /** The request must wait for the response to another request. */
        WAIT
    }

    /** The result of {@link #onResponse}. */
    public enum Use {
        /** The response is relayed. */
        RELAY,
        /** The origin confirmed the stored response, which is to be sent when the origin's response has ended. */
        VALIDATED,
        /** The origin failed, and a stale response is to be sent instead. */
        STALE
    }

    private final CachePolicy policy;
    private final ResponseStore store;
    private final OutcomeCounts counts;
    private final CacheRequest request;
    private final Staleness staleness;
    private final CacheStatus status = new CacheStatus();
    private final Coalescing coalescing;
    /** The time of the last search, in nanoseconds of the monotonic clock. */
    private long requested;
    /** The stored response that was found, with a reference to its body; this lookup releases the reference. */
    private @Nullable StoredResponse found;

    /**
     * The stored response that this lookup validates in the background; null if there is none. Its body may be released
     * before the origin responds, so that a validation keeps no memory while it waits.
     */
    private @Nullable StoredResponse refreshed;

    /** Whether the request is sent to the origin. */
    private boolean sent;

    private boolean validating;

    /** Whether the request has waited for another request, and the response to that request is sent. */
    private boolean collapsed;

    private @Nullable StoringResponse storing;
    private CacheOutcome outcome = CacheOutcome.MISS;
    private boolean closed;

    CacheLookup(
            CachePolicy policy,
            ResponseStore store,
            OutcomeCounts counts,
            CacheRequest request,
            StaleUnderOverload overload) {
        this.policy = policy;
        this.store = store;
        this.counts = counts;
        this.request = request;
        this.staleness = new Staleness(policy, request, overload);
        this.coalescing = new Coalescing(store.flights());
    }

    // ---- search

    /** Searches for a stored response. {@code now} is the monotonic clock, in nanoseconds. */
    public Found search(long now) {
        requested = now;
        releaseFound();
        StoredResponse stored = store.find(request.key, request.fields());
        found = stored;
        if (stored == null) {
            status.forwarded(store.has(request.key) ? "vary-miss" : "uri-miss");
            return orRefused();
        }
        if (request.isNoCache()) {
            status.forwarded("request");
            return orRefused();
        }
        boolean validated = !stored.directives.noCache();
        if (validated && stored.freshness.isFresh(now, request.directives)) {
            return serves(CacheOutcome.HIT, Found.FRESH);
        }
        if (staleness.isAccepted(stored, now)) {
            return serves(CacheOutcome.STALE, Found.FRESH);
        }
        if (staleness.precedesOrigin(stored, now)) {
            status.overloaded();
            return serves(CacheOutcome.STALE, Found.FRESH);
        }
        if (staleness.isServedWhileValidated(stored, now)) {
            return serves(CacheOutcome.STALE, Found.STALE);
        }
        status.forwarded(stored.freshness.remaining(now) <= 0 || !validated ? "stale" : "request");
        return orRefused();
    }

    private Found serves(CacheOutcome as, Found result) {
        if (outcome != CacheOutcome.COALESCED) {
            outcome = as;
        }
        return result;
    }

    private Found orRefused() {
        request.copyFields();
        return request.isOnlyIfCached() ? Found.REFUSED : Found.NOTHING;
    }

    /**
     * Begins a validation of the found response in the background.
     *
     * @param copy a copy of this request, which becomes the request of the validation: this method adds the conditions
     * @return the lookup of the validation; null if another request already validates the response
     */
    public @Nullable CacheLookup refresh(RequestHead copy, long now) {
        StoredResponse stored = found;
        if (stored == null || !stored.beginRefresh()) {
            return null;
        }
        copy.method(HttpMethod.GET);
        RequestConditions.remove(copy.headers());
        CacheRequest own = new CacheRequest(policy, request.key, copy);
        own.copyFields();
        CacheLookup background = new CacheLookup(policy, store, counts, own, StaleUnderOverload.NONE);
        background.requested = now;
        background.refreshed = stored;
        background.prepare(copy, stored);
        return background;
    }

    // ---- coalescing

    /**
     * Makes this request the leader of the requests for the key, or a follower of the current leader. Called if {@link
     * #search} has found nothing.
     *
     * @param wake runs when the other request has a result or has failed, possibly on another event loop
     * @param identified whether the sender is identified by other means than the credentials in the request
     * @return {@link Found#WAIT}; {@link Found#NOTHING} if the request must be sent; or another result of a search, because a response has
     *     been stored in the meantime
     */
    public Found join(Runnable wake, boolean identified, long now) {
        if (policy.patience() == 0 || !request.acceptsSharedResponse()) {
            return Found.NOTHING;
        }
        Coalescing.Part part = coalescing.join(nameOfFlight(identified), wake, now);
        if (part == Coalescing.Part.ALONE) {
            return Found.NOTHING;
        }
        if (part == Coalescing.Part.WAITS) {
            // The stale response is not needed before the end of the wait, and must not occupy memory until then.
            releaseFound();
            return Found.WAIT;
        }
        Found again = search(now);
        if (isServed(again)) {
            coalescing.land(Flights.Landing.STORED);
        }
        return again;
    }

    /**
     * Returns the name of the flights that this request may lead or follow: requests with the same name probably
     * receive the same stored response. A request with credentials does not lead requests without credentials, because
     * its response may be for its sender only.
     */
    private String nameOfFlight(boolean identified) {
        String values = store.selecting(request.key).valuesOf(request.fields());
        boolean personal =
                !policy.rules().ignoreCredentials() && (identified || policy.containsCredentials(request.fields()));
        String name = values.isEmpty() ? request.key.text() : request.key.text() + values;
        return personal ? name + "\n=" : name;
    }

    private static boolean isServed(Found found) {
        return found == Found.FRESH || found == Found.STALE;
    }

    /**
     * Ends the wait and searches again. Called when the other request has a result or has failed, or when the time to
     * wait has expired.
     *
     * @param wake see {@link #join}
     * @param patient whether the request may wait again
     * @return see {@link #join}
     */
    public Found searchAgain(Runnable wake, boolean patient, boolean identified, long now) {
        boolean late = coalescing.stopWaiting();
        outcome = CacheOutcome.COALESCED;
        Found result = search(now);
        if (isServed(result)) {
            collapse();
            coalescing.land(Flights.Landing.STORED);
            return result;
        }
        if ((coalescing.hasLanded(Flights.Landing.STALE) && servesDespiteFailure(now))
                || (coalescing.hasLanded(Flights.Landing.SHED) && servesDespiteRefusal(now, false))) {
            collapse();
            return Found.FRESH;
        }
        outcome = CacheOutcome.MISS;
        if (late) {
            coalescing.leadToo();
        }
        return patient && coalescing.mayFollowAgain() ? join(wake, identified, now) : result;
    }

    private void collapse() {
        collapsed = true;
        status.collapsed();
    }

    /**
     * Makes a follower the leader of the coalesced requests, because this request has failed. May be called more than
     * once.
     */
    public void fail() {
        coalescing.fail();
    }

    // ---- serve

    /**
     * Creates the response to the request from the stored response.
     *
     * @param now the monotonic clock, in nanoseconds
     */
    public CachedResponse serve(long now) {
        StoredResponse stored = found;
        if (stored == null) {
            throw new IllegalStateException("no stored response was found");
        }
        found = null;
        boolean hit = !sent && !collapsed;
        String announced = policy.announces() ? status.ofStored(hit, stored.freshness.remaining(now)) : null;
        return CachedResponse.of(stored, request.method, request.fields(), announced, now);
    }

    // ---- forward

    /**
     * Adds the conditions that validate the stored response to the request for the origin. They replace the conditions
     * of the client.
     */
    public void prepare(RequestHead head) {
        prepare(head, found);
    }

    private void prepare(RequestHead head, @Nullable StoredResponse stored) {
        sent = true;
        if (stored != null && stored.hasValidator()) {
            validating = true;
            RequestConditions.validate(head.headers(), stored);
        }
    }

    /** Decides about a response of the origin, adds {@code Cache-Status} to it, and begins to store it if that is permitted. */
    public Use onResponse(IncomingResponse response) {
        if (refreshed != null && refreshed.body.tryRetain()) {
            found = refreshed;
        }
        StoredResponse stored = found;
        int code = response.status();
        if (stored != null && validating && code == 304 && !response.fallback()) {
            found = validated(stored, response);
            outcome = CacheOutcome.VALIDATED;
            status.status(code);
            coalescing.land(store.has(request.key) ? Flights.Landing.STORED : Flights.Landing.UNCACHEABLE);
            return Use.VALIDATED;
        }
        if (stored != null && response.isServerError() && servesDespiteFailure(response.now())) {
            status.status(code);
            return Use.STALE;
        }
        IncomingResponse.Decision decision = response.decide(request, policy, store, requested);
        storing = decision.storing();
        if (policy.announces()) {
            response.head().headers().add(CacheStatus.NAME, status.ofOrigin(code, decision.result()));
        }
        if (storing == null) {
            settle(stored, decision.result(), code, response.now());
        }
        releaseFound();
        return Use.RELAY;
    }

    /** Handles a response that must not be stored. */
    private void settle(@Nullable StoredResponse stored, Storability decision, int code, long now) {
        if (stored != null && decision.replaces(code)) {
            store.remove(stored);
        }
        if (decision == Storability.NO_STORE_OF_CLIENT) {
            coalescing.land(Flights.Landing.UNCACHEABLE);
        } else if (decision == Storability.CREDENTIALS
                || (decision.isLasting(code) && (stored == null || decision.replaces(code)))) {
            coalescing.landUncacheable(now);
        } else {
            // A single client may have provoked this response, so the requests of other clients are still coalesced.
            fail();
        }
    }

    /** Updates the stored response. Returns the response to send, which takes over the reference of {@code stored}. */
    private StoredResponse validated(StoredResponse stored, IncomingResponse response) {
        IncomingResponse.Validated result = response.validate(stored, request, policy, requested);
        if (result.removes()) {
            store.remove(stored);
        }
        if (result.kept() != null && stored.body.tryRetain()) {
            store.put(result.kept(), request.fields(), requested);
        }
        return result.sent();
    }

    // ---- failures

    /** Returns whether a stale response may be sent in place of a failure. */
    public boolean servesDespiteFailure(long now) {
        StoredResponse stored = found;
        boolean serves = stored != null && staleness.replacesFailure(stored, now);
        if (serves) {
            outcome = CacheOutcome.STALE;
            coalescing.land(Flights.Landing.STALE);
        }
        return serves;
    }

    /**
     * Returns whether a stale response may be sent in place of the error of a request that was shed.
     *
     * @param forwarded whether an earlier attempt of the same exchange was sent to an origin
     */
    public boolean servesDespiteRefusal(long now, boolean forwarded) {
        StoredResponse stored = found;
        boolean serves = stored != null && staleness.replacesRefusal(stored, now);
        if (serves) {
            outcome = CacheOutcome.STALE;
            sent = forwarded;
            status.overloaded();
            coalescing.land(Flights.Landing.SHED);
        }
        return serves;
    }

    // ---- store

    /** Returns the length of the longest body that is stored, in bytes. */
    public int maxEntry() {
        return (int) policy.rules().maxEntry();
    }

    /** Returns whether the body of the response is being stored, so that it must be read in memory. */
    public boolean isStoring() {
        return storing != null;
    }

    /** Copies a chunk of the origin's body. Neither changes nor retains it. */
    public void onBody(ByteBuf chunk) {
        StoringResponse open = storing;
        if (open != null && !open.add(chunk)) {
            storing = null;
            if (open.isTooLong()) {
                coalescing.landUncacheable(open.since());
            }
            coalescing.land(Flights.Landing.UNCACHEABLE);
        }
    }

    /** Stores the response, because its body is complete. */
    public void onEnd() {
        StoringResponse open = storing;
        StoredResponse stored = open == null ? null : open.complete(request.key, policy.tags());
        storing = null;
        if (stored != null) {
            store.put(stored, request.fields(), requested);
            coalescing.land(Flights.Landing.STORED);
        }
        fail();
    }

    /** Returns how the cache has contributed to the response so far. */
    public CacheOutcome outcome() {
        return outcome;
    }

    private void releaseFound() {
        StoredResponse stored = found;
        if (stored != null) {
            found = null;
            stored.body.release();
        }
    }

    /** Ends the use: an incomplete response is not stored, and waiting requests continue. May be called more than once. */
    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        if (refreshed == null) {
            counts.increment(outcome);
        } else {
            refreshed.endRefresh();
        }
        StoringResponse open = storing;
        if (open != null) {
            storing = null;
            open.discard();
        }
        releaseFound();
        coalescing.leave();
        if (sent) {
            fail();
        }
        // A filter has responded in place of the origin, and will probably respond to the other requests, too.
        coalescing.land(Flights.Landing.UNCACHEABLE);
    }
}
