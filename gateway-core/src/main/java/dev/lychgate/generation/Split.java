package dev.lychgate.generation;

import dev.lychgate.config.Stickiness;
import dev.lychgate.http.Cookies;
import dev.lychgate.http.RequestHead;
import dev.lychgate.route.Ingress;
import dev.lychgate.route.RequestGroups;
import dev.lychgate.upstream.Hash;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Divides requests between a stable generation and a candidate. Immutable and thread-safe.
 *
 * <p>One value of each request, such as the client's address or a cookie, is hashed to a uniformly distributed number
 * in (0, 1]. If this number is at most the share, the request uses the candidate. All event loops therefore decide in
 * the same way. If the share rises and the salt stays the same, all values that select the candidate continue to select
 * it. Each rollout has a new salt, so that its first clients differ from the first clients of earlier rollouts.
 *
 * @param share the share of the candidate, from 0 to 1. It is a share of the values or, if requests are divided at
 *     random, of the requests
 * @param salt a random number, one per rollout
 * @param by determines the value that is taken from a request and hashed
 * @param include selects requests that use the candidate regardless of the share, even if the share is 0
 * @param copies receives copies of the requests that use the stable generation; null if no requests are copied
 */
public record Split(
        double share,
        long salt,
        Stickiness by,
        RequestGroups include,
        @Nullable RequestCopies copies) {
    /** The number of groups that {@link #group} distinguishes. */
    public static final int GROUPS = 16;

    /**
     * The number of parts of equal size into which the groups are divided. If a header or cookie divides the requests,
     * the client's address determines the part.
     */
    public static final int PARTS = 4;

    public Split {
        if (!(share >= 0 && share <= 1)) {
            throw new IllegalArgumentException("a share of " + share + " (expected: 0 to 1)");
        }
    }

    /** Creates a division of requests that copies no requests. */
    public Split(double share, long salt, Stickiness by, RequestGroups include) {
        this(share, salt, by, include, null);
    }

    /**
     * Returns a copy of this division with the share {@code changed}. The returned division copies no requests.
     *
     * @param changed the share, from 0 to 1
     */
    public Split withShare(double changed) {
        return new Split(changed, salt, by, include);
    }

    /**
     * Returns a division with the settings of this division. In addition, {@code receiver} receives copies of the
     * requests that use the stable generation.
     */
    public Split copiedTo(RequestCopies receiver) {
        return new Split(share, salt, by, include, receiver);
    }

    /**
     * Returns the place of a request: a number that determines the generation and the {@link #group} of the request.
     * The place is a hash of the value that divides requests, so all requests with the same value have the same place.
     * If requests are divided at random, the place is a random number. For IPv4 addresses and header values, allocates
     * nothing. For other values, allocates copies of addresses or cookies.
     *
     * @param head the request head, after the removal of fields that clients may not set
     * @param ingress facts about the client's connection, with the final client address
     * @param random used only if requests are divided at random; owned by the calling thread
     */
    public long place(RequestHead head, Ingress ingress, RandomGenerator random) {
        if (by instanceof Stickiness.Request) {
            return random.nextLong();
        }
        String value = value(head);
        long hash = value == null ? Hash.ofClient(ingress.clientAddress()) : Hash.of(value);
        return Hash.mix(hash ^ salt);
    }

    /**
     * Returns whether a request uses the candidate generation.
     *
     * @param place the result of {@link #place} for the request
     */
    public boolean takes(long place, RequestHead head, Ingress ingress) {
        return Hash.unit(place) <= share || include.contain(head, ingress);
    }

    /**
     * Returns the group of a request, from 0 to {@value #GROUPS} - 1. The groups are random samples of the requests of
     * a generation, with the same expected size. If failures concentrate in a few groups, this shows that exchanges
     * with equal values fail together.
     *
     * <p>Clients can choose the value of a header or cookie. If such a value divides the requests, the client's address
     * determines the {@linkplain #PARTS part} of the groups.
     *
     * @param place the result of {@link #place} for the request
     */
    public int group(long place, Ingress ingress) {
        // Uses the low bits of the place, because the comparison with the share does not use them.
        int within = (int) place & (GROUPS - 1);
        if (by instanceof Stickiness.Header || by instanceof Stickiness.Cookie) {
            int part = (int) Hash.mix(Hash.ofClient(ingress.clientAddress()) ^ salt) & (PARTS - 1);
            return part * (GROUPS / PARTS) + within % (GROUPS / PARTS);
        }
        return within;
    }

    /**
     * Returns the value of the cookie or header that divides requests. Returns null if the client's address divides the
     * requests. This is the case if no cookie or header is configured, if the request lacks the cookie or header, or if
     * the value of the cookie or header is empty.
     */
    private @Nullable String value(RequestHead head) {
        String value = null;
        if (by instanceof Stickiness.Header header) {
            value = head.headers().get(header.name());
        } else if (by instanceof Stickiness.Cookie cookie) {
            List<String> values = Cookies.values(head.headers(), cookie.name());
            value = values.isEmpty() ? null : values.get(0);
        }
        return value == null || value.isEmpty() ? null : value;
    }
}
