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
 * <p>The value that requests stick by is hashed to a number in (0, 1], uniformly distributed. The candidate takes the request
 * if the number is at most the share. With the same salt, the values that a share assigns to the candidate therefore
 * stay with the candidate at every larger share, on every event loop. Another salt selects other values, so that not the same
 * clients get every candidate first.
 *
 * @param share the share of the candidate, 0 to 1, of the values (clients, cookies or header values) or of the requests
 * @param salt one random number per rollout
 * @param by the part of a request that decides
 * @param include requests that the candidate takes in any case, even with a share of 0
 * @param copies receives copies of the requests that the candidate does not take; null if there are no copies
 */
public record Split(
        double share,
        long salt,
        Stickiness by,
        RequestGroups include,
        @Nullable RequestCopies copies) {
    /** The number of groups of {@link #group}. */
    public static final int GROUPS = 16;

    /** The parts of all groups; the groups of a part follow each other. All requests of one address are in one part. */
    public static final int PARTS = 4;

    public Split {
        if (!(share >= 0 && share <= 1)) {
            throw new IllegalArgumentException("a share of " + share + " (expected: 0 to 1)");
        }
    }

    /** Divides requests without copies of them. */
    public Split(double share, long salt, Stickiness by, RequestGroups include) {
        this(share, salt, by, include, null);
    }

    /** Returns the same division with another share, and without copies. @param changed 0 to 1 */
    public Split withShare(double changed) {
        return new Split(changed, salt, by, include);
    }

    /** Returns the same division with copies of the requests that the candidate does not take. */
    public Split copiedTo(RequestCopies receiver) {
        return new Split(share, salt, by, include, receiver);
    }

    /**
     * Returns the place of a request, from which its generation and its {@link #group} follow: a hash of the value that requests
     * stick by, equal for all requests with that value; a random number if they are divided at random. Allocates nothing for IPv4
     * clients and headers; copies of addresses and cookies are the only garbage otherwise.
     *
     * @param head the head, without fields that the client may not set
     * @param ingress facts about its connection; the address of the client is settled
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

    /** Returns whether the candidate takes a request. @param place of the request */
    public boolean takes(long place, RequestHead head, Ingress ingress) {
        return Hash.unit(place) <= share || include.contain(head, ingress);
    }

    /**
     * Returns the group of a request, from 0 to {@value #GROUPS} - 1. The groups divide the values of both generations into random
     * samples of the same expected size: how much they differ shows whether exchanges with the same value fail together. The address
     * of the client decides the part of the groups, because clients may choose values; if requests are divided at random, so are they.
     *
     * @param place of the request
     */
    public int group(long place, Ingress ingress) {
        // The low bits, which the share does not use.
        int within = (int) place & (GROUPS - 1);
        if (by instanceof Stickiness.Header || by instanceof Stickiness.Cookie) {
            int part = (int) Hash.mix(Hash.ofClient(ingress.clientAddress()) ^ salt) & (PARTS - 1);
            return part * (GROUPS / PARTS) + within % (GROUPS / PARTS);
        }
        return within;
    }

    /** Returns the value of the cookie or header; null if the client decides. An empty value identifies nothing. */
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
