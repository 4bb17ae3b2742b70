package dev.lychgate.server.admin;

import dev.lychgate.cache.CacheOutcome;
import dev.lychgate.cache.ResponseCaches;
import dev.lychgate.cache.RouteCache;
import dev.lychgate.generation.Generation;
import dev.lychgate.server.json.Json;
import dev.lychgate.server.json.Shape;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * {@code /cache}: the caches of routes and the memory of the stored responses. A separate path shows the largest
 * responses, because the URLs of responses are data of clients. {@code /cache/purge} removes stored responses.
 */
final class CachePage {
    private static final int LARGEST = 20;

    static final Parameter<String> BY = Parameter.needed(
            "by", Json.words("uri", "prefix", "tag", "all"), "the kind of value that selects the responses");
    static final Parameter<String> VALUE =
            Parameter.optional("value", "the address, the beginning of addresses, or the tag; omit it with by=all");

    private static final Shape<RouteCache> ROUTE = new Shape<RouteCache>("RouteCache")
            .text("route", "The id of the route.", RouteCache::route)
            .field(
                    "requests",
                    Json.map(Json.INTEGER),
                    "Requests since the cache settings of the route last changed, by the way in which the cache"
                            + " handled them.",
                    CachePage::requests)
            .number(
                    "hit_ratio",
                    "The share of requests for which the origin sent no body, 0 to 1; 0 without requests.",
                    CachePage::hitRatio);

    static final Shape<Generation> SHAPE = new Shape<Generation>("Cache", "The caches of routes.")
            .list("routes", ROUTE, "The routes with a cache.", CachePage::routes)
            .integer("entries", "The number of stored responses.", of -> figure(of, ResponseCaches::entries))
            .integer(
                    "bytes",
                    "The memory of stored responses, and of bodies that are being stored or that clients still read.",
                    of -> figure(of, ResponseCaches::bytes))
            .integer("most_bytes", "The limit of this memory.", of -> figure(of, ResponseCaches::mostBytes))
            .integer(
                    "evictions",
                    "Stored responses that were removed to make room for others, since the start.",
                    of -> figure(of, ResponseCaches::evictions))
            .integer(
                    "waiting",
                    "The number of requests that now wait for the response to another request.",
                    of -> figure(of, ResponseCaches::waiting));

    private static final Shape<ResponseCaches.Listed> ENTRY = new Shape<ResponseCaches.Listed>("StoredResponse")
            .text("uri", "The address of the response.", ResponseCaches.Listed::uri)
            .integer("status", "The status of the response.", ResponseCaches.Listed::status)
            .integer("bytes", "The memory of the response in bytes.", ResponseCaches.Listed::bytes)
            .integer("age", "The age of the response in seconds.", ResponseCaches.Listed::age)
            .integer(
                    "remaining",
                    "The remaining lifetime of the response in seconds, negative if the response is stale.",
                    ResponseCaches.Listed::remaining);

    static final Shape<Generation> ENTRIES = new Shape<Generation>("StoredResponses", "The largest stored responses.")
            .list("entries", ENTRY, "At most 20 responses, the largest first.", CachePage::largest);

    /** The result of a purge. */
    record Purge(String by, String value, int removed) {}

    static final Shape<Purge> PURGE = new Shape<Purge>("Purge", "The removed responses.")
            .text("by", "The kind of value that selected the responses.", Purge::by)
            .text("value", "The address, the beginning of addresses, or the tag.", Purge::value)
            .integer("removed", "The number of removed responses.", Purge::removed);

    private CachePage() {}

    private static List<RouteCache> routes(Generation generation) {
        ResponseCaches caches = generation.caches();
        return caches == null ? List.of() : List.copyOf(caches.all());
    }

    private static long figure(Generation generation, ToLongFunction<ResponseCaches> value) {
        ResponseCaches caches = generation.caches();
        return caches == null ? 0 : value.applyAsLong(caches);
    }

    private static Map<String, Long> requests(RouteCache cache) {
        Map<String, Long> requests = new LinkedHashMap<>();
        for (CacheOutcome outcome : CacheOutcome.values()) {
            requests.put(outcome.label(), cache.counted(outcome));
        }
        return requests;
    }

    private static double hitRatio(RouteCache cache) {
        long all = 0;
        for (CacheOutcome outcome : CacheOutcome.values()) {
            all += cache.counted(outcome);
        }
        long forwarded = cache.counted(CacheOutcome.MISS) + cache.counted(CacheOutcome.BYPASS);
        return all == 0 ? 0 : (double) (all - forwarded) / all;
    }

    private static List<ResponseCaches.Listed> largest(Generation generation) {
        ResponseCaches caches = generation.caches();
        return caches == null ? List.of() : caches.largest(LARGEST);
    }

    /** Removes the stored responses that the parameters of a request select. */
    static Purge purge(Generation generation, Parameters given) throws Rejection {
        String by = given.needed(BY);
        String value = given.optional(VALUE);
        if (by.equals("all") != (value == null)) {
            throw Rejection.malformed("expected: the parameter value with by=uri, by=prefix or by=tag, and no parameter"
                    + " value with by=all");
        }
        ResponseCaches caches = generation.caches();
        try {
            int removed = caches == null ? 0 : remove(caches, by, value);
            return new Purge(by, value == null ? "" : value, removed);
        } catch (IllegalArgumentException e) {
            throw Rejection.malformed("expected as value: " + e.getMessage());
        }
    }

    private static int remove(ResponseCaches caches, String by, @Nullable String value) {
        if (value == null) {
            return caches.purgeAll();
        }
        return switch (by) {
            case "uri" -> caches.purgeUri(value);
            case "prefix" -> caches.purgePrefix(value);
            default -> caches.purgeTag(value);
        };
    }
}
