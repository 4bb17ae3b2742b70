package dev.lychgate.cache;

import dev.lychgate.http.RequestHead;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpMethod;
import org.jspecify.annotations.Nullable;

/**
 * The use of the cache by one request. It finds a stored response, validates a stored response, or stores the response
 * of the origin while the client receives it. Used on one event loop. {@link #close} must be called at the end of the
 * exchange.
 *
 * <p>The order of calls follows the path of the request:
 *
 * <ol>
 *   <li>{@link #search} looks for a stored response. If it finds one that may be sent, {@link #serve} creates the
 *       response.
 *   <li>If the search finds nothing, {@link #join} determines whether the request waits for another request. After the
 *       wait, {@link #searchAgain} follows.
 *   <li>Before the request is sent to the origin, {@link #prepare} adds conditions.
 *   <li>{@link #onResponse} handles the head of the origin's response, and {@link #onBody} and {@link #onEnd} handle
 *       its body.
 *   <li>If the request fails, {@link #servesDespiteFailure} or {@link #servesDespiteRefusal} decides whether a stale
 *       response replaces the error.
 * </ol>
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
        /** The client accepts nothing but a stored response, and no usable response is stored. */
        REFUSED,
        /** The request must wait for the response to another request. */
        WAIT
    }

    /** The result of {@link #onResponse}. */
    public enum Use {
        /** The response of the origin is forwarded to the client. */
        RELAY,
        /** The origin has confirmed the stored response, which must be sent after the end of the origin's response. */
        VALIDATED,
        /** The origin has failed, and a stale response must be sent in place of its response. */
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
    /**
     * The stored response that the search has found, with a reference to its body. This lookup releases the reference.
     */
    private @Nullable StoredResponse found;

    /**
     * The stored response that this lookup validates in the background; null if it validates none. The body of the
     * response may be released before the origin responds, so that a waiting validation keeps no memory.
     */
    private @Nullable StoredResponse refreshed;

    /** Whether the request is sent to the origin. */
    private boolean sent;

    private boolean validating;

    /** Whether the request has waited for another request and gets the response to that other request. */
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

    /** Searches for a stored response. {@code now} is the current time of the monotonic clock, in nanoseconds. */
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
     * Begins to validate the found response in the background.
     *
     * @param copy a copy of this request. This method adds conditions to the copy, which turn it into the validation
     *     request
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
     * Makes this request a leader or a follower among the concurrent requests for the same key. A leader is sent to the
     * origin, and a follower waits for the response to the leader. Called if {@link #search} has found nothing.
     *
     * @param wake runs when the leader has a result or has failed, possibly on another event loop
     * @param identified whether the sender is identified by means other than the credentials in the request
     * @return {@link Found#WAIT} if the request must wait; {@link Found#NOTHING} if it must be sent; a result of {@link
     *     #search} if a response has been stored in the meantime
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
            // The stale response is not needed before the wait ends, so it must not occupy memory during the wait.
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
     * Returns the name of the flights that this request may lead or follow. A flight is a group of requests that wait
     * for the response to one of these requests. Requests with equal names probably receive equal responses. A request
     * with credentials does not lead requests without credentials, because its response may be private to its sender.
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
     * Ends the wait and searches again. Called when the leader has a result or has failed, or when the maximum wait has
     * passed.
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
     * Makes a follower the new leader of the coalesced requests, because this request, the current leader, has failed.
     * May be called more than once.
     */
    public void fail() {
        coalescing.fail();
    }

    // ---- serve

    /**
     * Creates the response to the request from the stored response that the search has found.
     *
     * @param now the current time of the monotonic clock, in nanoseconds
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
     * Adds conditions to the request for the origin, so that the origin validates the stored response. These conditions
     * replace the conditions of the client.
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

    /**
     * Decides how the response of the origin is used. Adds {@code Cache-Status} to the response, and begins to store
     * the response if this is permitted.
     */
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
            // A client may have provoked this response, so the requests of other clients are still coalesced.
            fail();
        }
    }

    /**
     * Updates the stored response after the origin has confirmed it, and returns the response to send. The reference of
     * {@code stored} passes to the returned response.
     */
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

    /** Returns whether a stale response may be sent in place of the error of a request that failed at the origin. */
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
     * @param forwarded whether an earlier attempt of this exchange was sent to an origin
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

    /** Returns the maximum length of a stored body, in bytes. */
    public int maxEntry() {
        return (int) policy.rules().maxEntry();
    }

    /**
     * Returns whether the body of the response is being stored. A body that is being stored must be read into memory
     * and not spliced.
     */
    public boolean isStoring() {
        return storing != null;
    }

    /**
     * Copies a chunk of the origin's response body if the response is being stored. The chunk is neither changed nor
     * retained.
     */
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

    /**
     * Ends the use of the cache by this request. An incomplete response is not stored, and requests that wait for this
     * request continue. May be called more than once.
     */
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
        // A filter has responded in place of the origin, and will probably respond to the waiting requests as well.
        coalescing.land(Flights.Landing.UNCACHEABLE);
    }
}
