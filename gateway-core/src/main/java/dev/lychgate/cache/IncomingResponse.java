package dev.lychgate.cache;

import dev.lychgate.http.RequestHead;
import dev.lychgate.http.ResponseHead;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import org.jspecify.annotations.Nullable;

/**
 * A response of the origin as the cache receives it, before the gateway changes the response.
 *
 * @param head the response head
 * @param forwarded the request that the origin received
 * @param identified whether the client is identified by means other than the fields of the request, such as a client
 *     certificate
 * @param fallback whether a fallback responds in place of the route's upstream
 * @param now the current time of the monotonic clock, in nanoseconds
 * @param wallClock the current time, in seconds since 1970-01-01T00:00:00Z
 */
public record IncomingResponse(
        ResponseHead head, RequestHead forwarded, boolean identified, boolean fallback, long now, long wallClock) {

    /**
     * The decision whether the response is stored. If {@code result} is {@link Storability#STORED}, {@code storing} is
     * the response to store; for all other results, {@code storing} is null.
     */
    record Decision(Storability result, @Nullable StoringResponse storing) {
        private Decision(Storability refusal) {
            this(refusal, null);
        }
    }

    /**
     * The result of the validation of a stored response.
     *
     * @param sent the response to send
     * @param kept the response that replaces the stored response; null if the stored response is not replaced
     * @param removes whether the stored response is removed
     */
    record Validated(StoredResponse sent, @Nullable StoredResponse kept, boolean removes) {}

    int status() {
        return head.status();
    }

    boolean isServerError() {
        return status() == 500 || (status() >= 502 && status() <= 504);
    }

    private boolean isPersonal(CachePolicy policy) {
        return identified || policy.containsCredentials(forwarded.headers());
    }

    /**
     * Decides whether the response is stored.
     *
     * @param requested the time at which the request was sent, in nanoseconds of the monotonic clock
     */
    Decision decide(CacheRequest request, CachePolicy policy, ResponseStore store, long requested) {
        if (fallback) {
            return new Decision(Storability.FALLBACK);
        }
        if (!request.isGet()) {
            return new Decision(Storability.METHOD);
        }
        CacheControl stated = TargetedFields.of(head.headers(), policy.targets());
        Storability decision =
                Storability.of(request.directives, isPersonal(policy), request.path, head, stated, policy.rules());
        if (decision != Storability.STORED) {
            return new Decision(decision);
        }
        Vary vary = Vary.of(head.headers(), request.fields(), forwarded.headers());
        if (vary == null) {
            return new Decision(Storability.VARY);
        }
        Freshness freshness = freshness(head, stated, policy, requested);
        boolean usable = freshness.lifetime() > 0
                || head.headers().contains(HttpHeaderNames.ETAG)
                || head.headers().contains(HttpHeaderNames.LAST_MODIFIED);
        return usable
                ? new Decision(
                        Storability.STORED,
                        new StoringResponse(
                                head,
                                stated,
                                vary,
                                freshness,
                                store,
                                policy.rules().maxEntry()))
                : new Decision(Storability.LIFETIME);
    }

    private Freshness freshness(ResponseHead response, CacheControl stated, CachePolicy policy, long requested) {
        return Freshness.of(
                stated,
                response.headers(),
                response.status(),
                policy.rules().freshness(),
                new Freshness.Times(requested, now, wallClock));
    }

    /**
     * Updates the stored response with this response, which is a 304 (RFC 9111, 4.3.4). If the request contained
     * credentials, updates only the fields about the lifetime and the version, because any other field may be private
     * to the sender. Takes no reference to the body.
     *
     * @param requested the time at which the request was sent, in nanoseconds of the monotonic clock
     */
    Validated validate(StoredResponse stored, CacheRequest request, CachePolicy policy, long requested) {
        String tag = head.headers().get(HttpHeaderNames.ETAG);
        if (tag != null && !EntityTag.equalsWeakly(tag, stored.entityTag())) {
            // The origin has confirmed a response other than the stored response. Therefore, the stored response is
            // sent a last time and then removed.
            return new Validated(stored, null, true);
        }
        if (!head.headers().contains(HttpHeaderNames.DATE)) {
            head.headers().set(HttpHeaderNames.DATE, HttpTime.format(wallClock));
        }
        HttpHeaders merged = stored.updated(head.headers(), name -> true);
        ResponseHead whole = new ResponseHead(stored.status, stored.reason, merged);
        CacheControl stated = TargetedFields.of(merged, policy.targets());
        // The credentials of this request are ignored: the response was permitted to be stored when the earlier request
        // received it, and this request adds no body.
        Storability decision = Storability.of(request.directives, false, request.path, whole, stated, policy.rules());
        Vary vary = Vary.of(merged, request.fields(), forwarded.headers());
        Freshness lasting = lasting(whole, stated, policy, requested);
        StoredResponse sent =
                updated(stored, vary == null ? stored.vary : vary, merged, stated, lasting, policy.tags());
        if (decision != Storability.STORED || vary == null) {
            return new Validated(sent, null, decision != Storability.NO_STORE_OF_CLIENT);
        }
        boolean personal = isPersonal(policy) && !policy.rules().ignoreCredentials() && !stated.permitsSharing();
        if (!personal) {
            return new Validated(sent, sent, false);
        }
        HttpHeaders ofAll = stored.updated(head.headers(), policy::isAboutLifetime);
        return new Validated(sent, updated(stored, stored.vary, ofAll, stated, lasting, policy.tags()), false);
    }

    /**
     * Computes the freshness of the updated response. The lifetime depends on all fields, and the age depends on the
     * fields of the 304.
     */
    private Freshness lasting(ResponseHead whole, CacheControl stated, CachePolicy policy, long requested) {
        Freshness ofAll = freshness(whole, stated, policy, requested);
        Freshness ofUpdate = freshness(new ResponseHead(whole.status(), head.headers()), stated, policy, requested);
        return new Freshness(ofAll.lifetime(), ofUpdate.initialAge(), now, ofAll.date());
    }

    /** Returns the updated response, which shares the body of {@code stored}. Takes no reference to the body. */
    private static StoredResponse updated(
            StoredResponse stored,
            Vary vary,
            HttpHeaders headers,
            CacheControl stated,
            Freshness freshness,
            @Nullable String tagField) {
        return new StoredResponse(
                stored.key,
                vary,
                stored.status,
                stored.reason,
                headers,
                stated,
                freshness,
                stored.body,
                StoredResponse.tags(headers, tagField));
    }
}
