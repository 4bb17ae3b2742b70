package dev.lychgate.cache;

import dev.lychgate.http.BodyFraming;
import dev.lychgate.http.RequestHead;
import dev.lychgate.http.ResponseHead;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The use of the cache by one request: finds a stored response, or validates it, or stores the response of the origin while the client
 * receives it. Used on one event loop. {@link #close} must be called once, at the end of the exchange.
 *
 * <p>The methods follow the path of the request: {@link #search}, then {@link #serve} if a response may be sent at once; otherwise
 * {@link #join}, which may let the request wait until {@link #searchAgain}; {@link #prepare} before the request is sent, {@link
 * #onResponse} for the response head, and {@link #onBody} and {@link #onEnd} for the body. {@link #servesDespiteFailure} replaces a
 * failure by a stale response.
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
        /** The request must wait for the response to another one. */
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

    /**
     * A response to send.
     *
     * @param head the head, owned by the caller, without framing
     * @param body the body, which the caller must close
     */
    public record Served(ResponseHead head, BodyReader body) {}

    private final RouteCache cache;
    private final ResponseStore store;
    private final CacheKey key;
    private final HttpMethod method;
    private final @Nullable CacheControl directives;
    private final CacheStatus status = new CacheStatus();
    /** The fields of the request before later steps change them. Until then, those of the request itself. */
    private HttpHeaders request;

    private boolean copied;
    private final String path;
    private long requested;
    /** A response with a reference to its body, which is owned here. */
    private @Nullable StoredResponse found;

    /**
     * The response that this use validates in the background; otherwise null. Its body may be released before the origin responds, so
     * that a validation keeps no memory while it waits.
     */
    private @Nullable StoredResponse refreshed;

    /** Whether the request is sent to the origin. */
    private boolean sent;

    private boolean validating;
    private @Nullable BodyFill fill;
    private @Nullable ResponseHead filling;
    private @Nullable CacheControl fillDirectives;
    private @Nullable Vary fillVary;
    private @Nullable Freshness fillFreshness;
    /** The name of the flights of this request; null until it is needed. */
    private @Nullable String flight;

    /** Whether the request has waited for another one, whose response is sent. */
    private boolean collapsed;

    private Flights.@Nullable Flight leading;
    private Flights.@Nullable Follower following;
    private CacheOutcome outcome = CacheOutcome.MISS;
    private boolean closed;

    CacheLookup(RouteCache cache, CacheKey key, RequestHead head) {
        this.cache = cache;
        this.store = cache.store();
        this.key = key;
        this.method = head.method();
        this.request = head.headers();
        this.path = head.path();
        this.directives = cache.obeysClients() ? directives(head.headers()) : null;
    }

    /** {@code Pragma: no-cache} counts only without {@code Cache-Control} (RFC 9111, 5.4). */
    private static CacheControl directives(HttpHeaders headers) {
        List<String> fields = headers.getAll(HttpHeaderNames.CACHE_CONTROL);
        return CacheControl.parse(fields.isEmpty() ? headers.getAll(HttpHeaderNames.PRAGMA) : fields);
    }

    // ---- search

    /** Searches for a stored response. @param now the monotonic clock, in nanoseconds */
    public Found search(long now) {
        requested = now;
        releaseFound();
        StoredResponse stored = store.find(key, request);
        found = stored;
        if (stored == null) {
            status.forwarded(store.has(key) ? "vary-miss" : "uri-miss");
            return orRefused();
        }
        if (directives != null && directives.noCache()) {
            status.forwarded("request");
            return orRefused();
        }
        boolean validated = !stored.directives.noCache();
        if (validated && stored.freshness.isFresh(now, directives)) {
            return serves(CacheOutcome.HIT, Found.FRESH);
        }
        long late = -stored.freshness.remaining(now);
        if (late >= 0 && acceptsStale(stored, late) && isYoungEnough(now)) {
            return serves(CacheOutcome.STALE, Found.FRESH);
        }
        boolean wantsFresh = directives != null
                && (directives.maxAge() != CacheControl.ABSENT || directives.minFresh() != CacheControl.ABSENT);
        long grace = stored.stale(stored.directives.staleWhileRevalidate(), cache.staleWhileRevalidate());
        if (late >= 0 && late < grace && !wantsFresh) {
            return serves(CacheOutcome.STALE, Found.STALE);
        }
        status.forwarded(late >= 0 || !validated ? "stale" : "request");
        return orRefused();
    }

    private boolean acceptsStale(StoredResponse stored, long late) {
        return directives != null
                && directives.maxStale() != CacheControl.ABSENT
                && late <= ofClient(stored, directives.maxStale());
    }

    /** Returns the time that the client permits, in seconds; 0 if the response does not leave the decision to clients. */
    private static long ofClient(StoredResponse stored, long permitted) {
        boolean shared = stored.directives.sharedMaxAge() != CacheControl.ABSENT;
        return shared ? 0 : stored.stale(Math.max(0, permitted), 0);
    }

    private boolean isYoungEnough(long now) {
        StoredResponse stored = found;
        return directives == null
                || stored == null
                || directives.maxAge() == CacheControl.ABSENT
                || stored.freshness.age(now) <= directives.maxAge();
    }

    private Found serves(CacheOutcome as, Found result) {
        if (outcome != CacheOutcome.COALESCED) {
            outcome = as;
        }
        return result;
    }

    private Found orRefused() {
        if (!copied) {
            // Later steps change the fields for the origin, but responses are selected by those of the client.
            copied = true;
            request = request.copy();
        }
        return directives != null && directives.onlyIfCached() ? Found.REFUSED : Found.NOTHING;
    }

    /**
     * Begins a validation of the found response in the background.
     *
     * @param copy the request of the validation: a copy of this one. It gets its conditions here
     * @return the use of the cache by the validation; null if another request validates the response
     */
    public @Nullable CacheLookup refresh(RequestHead copy, long now) {
        StoredResponse stored = found;
        if (stored == null || !stored.beginRefresh()) {
            return null;
        }
        copy.method(HttpMethod.GET);
        unconditional(copy.headers());
        CacheLookup background = new CacheLookup(cache, key, copy);
        background.requested = now;
        background.request = copy.headers().copy();
        background.refreshed = stored;
        background.prepare(copy, stored);
        return background;
    }

    // ---- coalescing

    /**
     * Leads the requests for the key, or follows the request that leads them. Called if {@link #search} has found nothing.
     *
     * @param wake runs when the other request has a result or has failed, possibly on another event loop
     * @param identified whether the gateway knows the sender, in addition to the credentials in the request
     * @return {@link Found#WAIT}; {@link Found#NOTHING} if the request must be sent; or another result of a search, because a response has
     *     been stored in the meantime
     */
    public Found join(Runnable wake, boolean identified, long now) {
        if (cache.patience() == 0
                || !method.equals(HttpMethod.GET)
                || (directives != null && wantsOwnResponse(directives))
                || request.contains(HttpHeaderNames.RANGE)
                || isConditional(request)) {
            return Found.NOTHING;
        }
        Flights flights = store.flights();
        String name = nameOfFlight(identified);
        flight = name;
        if (flights.isUncacheable(name, RouteCache.secondsOf(now))) {
            return Found.NOTHING;
        }
        Flights.Flight own = flights.flight(name);
        Flights.Flight open = flights.begin(own);
        if (open == own) {
            leading = own;
        } else {
            following = open.join(wake);
            if (following != null) {
                // The stale response is not needed before the end of the wait, and must not occupy memory until then.
                releaseFound();
                return Found.WAIT;
            }
        }
        // Another flight may have landed since the search.
        Found again = search(now);
        if (isServed(again)) {
            land(Flights.Landing.STORED);
        }
        return again;
    }

    /**
     * Returns the name of the flights that this request may lead or follow: requests with the same name probably receive the same stored
     * response. A request with credentials does not lead those without, because its response may be for its sender only.
     */
    private String nameOfFlight(boolean identified) {
        String values = store.selecting(key).valuesOf(request);
        boolean personal = !cache.rules().ignoreCredentials() && (identified || containsCredentials(request));
        String name = values.isEmpty() ? key.text() : key.text() + values;
        return personal ? name + "\n=" : name;
    }

    private boolean containsCredentials(HttpHeaders headers) {
        return headers.contains(HttpHeaderNames.COOKIE)
                || (!cache.isKeyedByAuthorization() && headers.contains(HttpHeaderNames.AUTHORIZATION));
    }

    private static boolean isServed(Found found) {
        return found == Found.FRESH || found == Found.STALE;
    }

    private static boolean wantsOwnResponse(CacheControl directives) {
        return directives.noStore() || directives.noCache() || directives.maxAge() != CacheControl.ABSENT;
    }

    private static boolean isConditional(HttpHeaders headers) {
        return headers.contains(HttpHeaderNames.IF_NONE_MATCH) || headers.contains(HttpHeaderNames.IF_MODIFIED_SINCE);
    }

    /**
     * Ends the wait and searches again: the other request has a result or has failed, or the request has waited for long enough.
     *
     * @param wake see {@link #join}
     * @param patient whether the request may wait again
     * @return see {@link #join}
     */
    public Found searchAgain(Runnable wake, boolean patient, boolean identified, long now) {
        Flights.Follower own = following;
        if (own == null) {
            throw new IllegalStateException("the request does not wait");
        }
        following = null;
        Flights.Follower.State before = own.leave();
        if (before == Flights.Follower.State.LEADS) {
            leading = own.flight();
        }
        outcome = CacheOutcome.COALESCED;
        Found result = search(now);
        if (isServed(result)) {
            collapse();
            land(Flights.Landing.STORED);
            return result;
        }
        if (own.flight().landing() == Flights.Landing.STALE && servesDespiteFailure(now)) {
            collapse();
            return Found.FRESH;
        }
        outcome = CacheOutcome.MISS;
        if (before == Flights.Follower.State.WAITING) {
            // Later requests need not wait for a leader that is too slow, such as one whose client does not read.
            own.flight().lead();
            leading = own.flight();
        }
        boolean again = leading == null && patient && own.flight().landing() != Flights.Landing.UNCACHEABLE;
        return again ? join(wake, identified, now) : result;
    }

    private void collapse() {
        collapsed = true;
        status.collapsed();
    }

    /** Ends the flight that this request leads. */
    private void land(Flights.Landing result) {
        Flights.Flight own = leading;
        if (own != null) {
            leading = null;
            own.land(result);
        }
    }

    /** Leaves the flight to the next request, because this one has failed. May be called more than once. */
    public void fail() {
        Flights.Flight own = leading;
        if (own != null) {
            leading = null;
            own.fail();
        }
    }

    // ---- serve

    /**
     * Returns the stored response as the response to the request: whole, a range of it, or 304.
     *
     * @param now the monotonic clock, in nanoseconds
     */
    public Served serve(long now) {
        StoredResponse stored = found;
        if (stored == null) {
            throw new IllegalStateException("no stored response was found");
        }
        found = null;
        HttpHeaders headers = stored.headers.copy();
        headers.set(HttpHeaderNames.AGE, Long.toString(stored.freshness.age(now)));
        announce(headers, stored, now);
        if (stored.status == 200 && isNotModified(stored)) {
            for (CharSequence name : List.of(
                    HttpHeaderNames.CONTENT_TYPE, HttpHeaderNames.CONTENT_ENCODING, HttpHeaderNames.CONTENT_LANGUAGE)) {
                headers.remove(name);
            }
            return served(new ResponseHead(304, headers), stored, 0, 0);
        }
        long whole = stored.body.length();
        ByteRange range = stored.status == 200 ? range(stored, whole) : null;
        if (range == null) {
            return served(new ResponseHead(stored.status, stored.reason, headers), stored, 0, whole);
        }
        headers.set(HttpHeaderNames.CONTENT_RANGE, range.field(whole));
        if (!range.isSatisfiable()) {
            headers.remove(HttpHeaderNames.CONTENT_TYPE);
            headers.remove(HttpHeaderNames.CONTENT_ENCODING);
        }
        int partial = range.isSatisfiable() ? 206 : 416;
        return served(new ResponseHead(partial, headers), stored, range.from(), range.length());
    }

    private static Served served(ResponseHead head, StoredResponse stored, long from, long length) {
        return new Served(head, new BodyReader(stored.body, from, length));
    }

    private void announce(HttpHeaders headers, StoredResponse stored, long now) {
        if (cache.announces()) {
            boolean hit = !sent && !collapsed;
            headers.add(CacheStatus.NAME, status.ofStored(hit, stored.freshness.remaining(now)));
        }
    }

    /**
     * Evaluates the conditions of the client on the stored response.
     *
     * @see <a href="https://www.rfc-editor.org/rfc/rfc9111#section-4.3.2">RFC 9111, 4.3.2 Handling a Received Validation Request</a>
     */
    private boolean isNotModified(StoredResponse stored) {
        List<String> tags = request.getAll(HttpHeaderNames.IF_NONE_MATCH);
        if (!tags.isEmpty()) {
            return EntityTag.isIn(tags, stored.entityTag());
        }
        String since = request.get(HttpHeaderNames.IF_MODIFIED_SINCE);
        if (since == null) {
            return false;
        }
        long date = stored.freshness.date();
        long limit = HttpTime.parse(since, date);
        String modified = stored.lastModified();
        long changed = modified == null ? date : HttpTime.parse(modified, date);
        return limit != HttpTime.MALFORMED && changed != HttpTime.MALFORMED && changed <= limit;
    }

    private @Nullable ByteRange range(StoredResponse stored, long whole) {
        List<String> fields = request.getAll(HttpHeaderNames.RANGE);
        if (fields.isEmpty() || !method.equals(HttpMethod.GET)) {
            return null;
        }
        String condition = request.get(HttpHeaderNames.IF_RANGE);
        if (condition != null) {
            String wanted = condition.strip();
            boolean same = wanted.startsWith("\"")
                    ? EntityTag.equalsStrongly(wanted, stored.entityTag())
                    : wanted.equals(stored.lastModified());
            if (!same) {
                return null;
            }
        }
        return ByteRange.parse(fields, whole);
    }

    // ---- forward

    /** Adds the conditions that validate the stored response to the request for the origin, in place of those of the client. */
    public void prepare(RequestHead head) {
        prepare(head, found);
    }

    private void prepare(RequestHead head, @Nullable StoredResponse stored) {
        sent = true;
        if (stored != null && stored.hasValidator()) {
            validating = true;
            condition(head.headers(), stored);
        }
    }

    private static void unconditional(HttpHeaders headers) {
        headers.remove(HttpHeaderNames.RANGE);
        headers.remove(HttpHeaderNames.IF_RANGE);
        headers.remove(HttpHeaderNames.IF_NONE_MATCH);
        headers.remove(HttpHeaderNames.IF_MODIFIED_SINCE);
    }

    private static void condition(HttpHeaders headers, StoredResponse stored) {
        unconditional(headers);
        String tag = stored.entityTag();
        if (tag != null) {
            headers.set(HttpHeaderNames.IF_NONE_MATCH, tag);
        }
        String modified = stored.lastModified();
        if (modified != null) {
            headers.set(HttpHeaderNames.IF_MODIFIED_SINCE, modified);
        }
    }

    /**
     * Decides about the response of the origin, before the gateway changes it, and begins to store it if that is permitted.
     *
     * @param response the response head, to which {@code Cache-Status} is added
     * @param forwarded the request that the origin received
     * @param credentials whether the client has identified itself by a certificate
     * @param fallback whether a fallback responds in place of the route's upstream
     * @param now the monotonic clock, in nanoseconds
     * @param wallClock the current time, in seconds since 1970
     */
    public Use onResponse(
            ResponseHead response,
            RequestHead forwarded,
            boolean credentials,
            boolean fallback,
            long now,
            long wallClock) {
        if (refreshed != null && refreshed.body.tryRetain()) {
            found = refreshed;
        }
        StoredResponse stored = found;
        int code = response.status();
        if (stored != null && validating && code == 304 && !fallback) {
            found = validated(stored, response, forwarded, credentials, now, wallClock);
            outcome = CacheOutcome.VALIDATED;
            status.status(code);
            land(store.has(key) ? Flights.Landing.STORED : Flights.Landing.UNCACHEABLE);
            return Use.VALIDATED;
        }
        if (stored != null && isServerError(code) && servesDespiteFailure(now)) {
            status.status(code);
            return Use.STALE;
        }
        Storability decision = decide(response, forwarded, credentials, fallback, now, wallClock);
        if (cache.announces()) {
            response.headers().add(CacheStatus.NAME, status.ofOrigin(code, decision));
        }
        if (decision != Storability.STORED) {
            settle(stored, decision, code, now);
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
            land(Flights.Landing.UNCACHEABLE);
        } else if (decision == Storability.CREDENTIALS
                || (decision.isLasting(code) && (stored == null || decision.replaces(code)))) {
            uncacheable(now);
        } else {
            // One client may have provoked the response, so others still share one request.
            fail();
        }
    }

    /** The response can't be stored, and those to the next requests probably can't be either. */
    private void uncacheable(long now) {
        if (flight != null) {
            store.flights().uncacheable(flight, RouteCache.secondsOf(now));
        }
        land(Flights.Landing.UNCACHEABLE);
    }

    private static boolean isServerError(int code) {
        return code == 500 || (code >= 502 && code <= 504);
    }

    private Storability decide(
            ResponseHead response,
            RequestHead forwarded,
            boolean credentials,
            boolean fallback,
            long now,
            long wallClock) {
        if (fallback) {
            return Storability.FALLBACK;
        }
        if (!method.equals(HttpMethod.GET)) {
            return Storability.METHOD;
        }
        CacheControl stated = TargetedFields.of(response.headers(), cache.targets());
        boolean personal = credentials || containsCredentials(forwarded.headers());
        Storability decision = Storability.of(directives, personal, path, response, stated, cache.rules());
        if (decision != Storability.STORED) {
            return decision;
        }
        Vary vary = Vary.of(response.headers(), request, forwarded.headers());
        if (vary == null) {
            return Storability.VARY;
        }
        Freshness freshness = freshness(response, stated, now, wallClock);
        boolean usable = freshness.lifetime() > 0
                || response.headers().contains(HttpHeaderNames.ETAG)
                || response.headers().contains(HttpHeaderNames.LAST_MODIFIED);
        if (!usable) {
            return Storability.LIFETIME;
        }
        filling = new ResponseHead(
                response.status(), response.reason(), StoredResponse.storable(response.headers(), freshness));
        fillDirectives = stated;
        fillVary = vary;
        fillFreshness = freshness;
        boolean sized = response.framing() == BodyFraming.LENGTH;
        boolean empty = response.framing() == BodyFraming.NONE;
        fill = new BodyFill(store, cache.rules().maxEntry(), sized ? response.contentLength() : empty ? 0 : -1);
        return Storability.STORED;
    }

    private Freshness freshness(ResponseHead response, CacheControl stated, long now, long wallClock) {
        return Freshness.of(
                stated,
                response.headers(),
                response.status(),
                cache.rules().freshness(),
                new Freshness.Times(requested, now, wallClock));
    }

    /**
     * Updates the stored response with a 304 (RFC 9111, 4.3.4). The response to a request with credentials updates only the fields about
     * its lifetime and its version, because its other fields may be for the sender only.
     *
     * @param stored a response with a reference that is owned here
     * @return the response to send, with a reference that the caller owns
     */
    private StoredResponse validated(
            StoredResponse stored,
            ResponseHead response,
            RequestHead forwarded,
            boolean credentials,
            long now,
            long wallClock) {
        String tag = response.headers().get(HttpHeaderNames.ETAG);
        if (tag != null && !EntityTag.equalsWeakly(tag, stored.entityTag())) {
            // The origin confirms another response than the stored one, which is therefore used once and not kept.
            store.remove(stored);
            return stored;
        }
        if (!response.headers().contains(HttpHeaderNames.DATE)) {
            response.headers().set(HttpHeaderNames.DATE, HttpTime.format(wallClock));
        }
        HttpHeaders merged = stored.updated(response.headers(), name -> true);
        ResponseHead whole = new ResponseHead(stored.status, stored.reason, merged);
        CacheControl stated = TargetedFields.of(merged, cache.targets());
        // The stored response was permitted for the request that stored it, and this request adds no body.
        Storability decision = Storability.of(directives, false, path, whole, stated, cache.rules());
        Vary vary = Vary.of(merged, request, forwarded.headers());
        Freshness freshness = freshness(new ResponseHead(stored.status, response.headers()), stated, now, wallClock);
        Freshness lasting = lasting(whole, stated, freshness, now, wallClock);
        StoredResponse next = updated(stored, vary == null ? stored.vary : vary, merged, stated, lasting);
        if (decision != Storability.STORED || vary == null) {
            if (decision != Storability.NO_STORE_OF_CLIENT) {
                store.remove(stored);
            }
            return next;
        }
        boolean personal = (credentials || containsCredentials(forwarded.headers()))
                && !cache.rules().ignoreCredentials()
                && !stated.permitsSharing();
        StoredResponse kept = next;
        if (personal) {
            HttpHeaders ofAll = stored.updated(response.headers(), cache::isAboutLifetime);
            kept = updated(stored, stored.vary, ofAll, stated, lasting);
        }
        if (stored.body.tryRetain()) {
            store.put(kept, request, requested);
        }
        return next;
    }

    /** Returns a response with the body of {@code stored}, without a reference to it. */
    private StoredResponse updated(
            StoredResponse stored, Vary vary, HttpHeaders headers, CacheControl stated, Freshness freshness) {
        return new StoredResponse(
                key,
                vary,
                stored.status,
                stored.reason,
                headers,
                stated,
                freshness,
                stored.body,
                StoredResponse.tags(headers, cache.tags()));
    }

    /** The lifetime follows from all fields, and the age from those of the 304. */
    private Freshness lasting(ResponseHead whole, CacheControl stated, Freshness ofUpdate, long now, long wallClock) {
        Freshness ofAll = freshness(whole, stated, now, wallClock);
        return new Freshness(ofAll.lifetime(), ofUpdate.initialAge(), now, ofAll.date());
    }

    // ---- failures

    /** Returns whether a stale response may be sent in place of a failure. */
    public boolean servesDespiteFailure(long now) {
        StoredResponse stored = found;
        if (stored == null) {
            return false;
        }
        long late = -stored.freshness.remaining(now);
        long ofResponse = stored.stale(stored.directives.staleIfError(), cache.staleIfError());
        long ofRequest = directives == null ? 0 : ofClient(stored, directives.staleIfError());
        boolean serves = !stored.directives.noCache() && late < Math.max(ofResponse, ofRequest);
        if (serves) {
            outcome = CacheOutcome.STALE;
            land(Flights.Landing.STALE);
        }
        return serves;
    }

    // ---- store

    /** Returns the length of the longest body that is stored, in bytes. */
    public int maxEntry() {
        return (int) cache.rules().maxEntry();
    }

    /** Returns whether the body of the response is being stored, so that it must be read in memory. */
    public boolean isStoring() {
        return fill != null;
    }

    /** Copies a chunk of the origin's body. Neither changes nor retains it. */
    public void onBody(ByteBuf chunk) {
        BodyFill open = fill;
        if (open != null && !open.add(chunk)) {
            fill = null;
            if (open.isTooLong() && fillFreshness != null) {
                uncacheable(fillFreshness.since());
            }
            land(Flights.Landing.UNCACHEABLE);
        }
    }

    /** Stores the response, because its body is complete. */
    public void onEnd() {
        BodyFill open = fill;
        ResponseHead head = filling;
        StoredBody body = open == null ? null : open.complete();
        fill = null;
        if (body != null && head != null && fillVary != null && fillDirectives != null && fillFreshness != null) {
            StoredResponse stored = new StoredResponse(
                    key,
                    fillVary,
                    head.status(),
                    head.reason(),
                    head.headers(),
                    fillDirectives,
                    fillFreshness,
                    body,
                    StoredResponse.tags(head.headers(), cache.tags()));
            store.put(stored, request, requested);
            land(Flights.Landing.STORED);
        }
        fail();
    }

    /** Returns the part that the cache has had in the response so far. */
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
            cache.count(outcome);
        } else {
            refreshed.endRefresh();
        }
        BodyFill open = fill;
        if (open != null) {
            fill = null;
            open.discard();
        }
        releaseFound();
        Flights.Follower waiting = following;
        if (waiting != null) {
            following = null;
            if (waiting.leave() == Flights.Follower.State.LEADS) {
                waiting.flight().fail();
            }
        }
        if (sent) {
            fail();
        }
        // A filter has responded in place of the origin, and does so for other requests, too.
        land(Flights.Landing.UNCACHEABLE);
    }
}
