package dev.lychgate.cache;

import dev.lychgate.config.CacheMemoryConfig;
import dev.lychgate.loop.MemoryBudget;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The stored responses of a gateway. They are in memory, and all event loops and generations share them. Lookups take
 * no lock. The limits on bytes and entries are never exceeded, because other responses are evicted before bytes are
 * stored.
 *
 * <p>Responses are evicted by the algorithm S3-FIFO. A new response enters the small queue, which has a tenth of the
 * memory. If the response is used while it is in the small queue, it moves to the main queue; if not, it is evicted. In
 * the main queue, each use defers the eviction by one round. If a key is stored again soon after its eviction, its
 * response enters the main queue immediately. Therefore, a flood of requests for keys that are never repeated passes
 * through the small queue, and does not displace popular responses.
 *
 * <p>A request that may change resources sets a time stamp for its host and path. Responses for this host and path that
 * were requested before the time stamp are neither used nor stored. The table of time stamps has a fixed size. A
 * collision in the table only causes an additional request to the origin.
 *
 * @see <a href="https://doi.org/10.1145/3600006.3613147">Yang et al., FIFO queues are all you need for cache eviction,
 *     SOSP 2023</a>
 */
final class ResponseStore {
    /** The maximum number of responses with the same key. If there are more, the oldest unused response is removed. */
    static final int MOST_VARIANTS = 16;

    private static final int MOST_USES = 3;
    private static final int SMALL_PART = 10;
    /** The maximum number of responses that are evicted for one request. */
    private static final int MOST_EVICTIONS = 256;

    private static final int STAMPS = 1 << 12;
    private static final int MOST_GHOSTS = 1 << 16;
    private static final int LEAST_GHOSTS = 1 << 8;

    /**
     * The place of a response in a queue. When the response is removed, its memory is released immediately. Its place
     * remains until it is at the head of the queue.
     */
    static final class Place {
        volatile @Nullable StoredResponse response;
        /**
         * The number of uses of the response since the eviction last examined its place, at most {@link #MOST_USES}.
         * Lost updates have no serious effect.
         */
        int uses;

        /** Whether the bytes of the response count toward the size of the small queue. */
        final AtomicBoolean small;

        Place(StoredResponse response, boolean small) {
            this.response = response;
            this.small = new AtomicBoolean(small);
        }
    }

    private final ConcurrentHashMap<String, StoredResponse[]> index = new ConcurrentHashMap<>();
    private final Queue<Place> small = new ConcurrentLinkedQueue<>();
    private final Queue<Place> main = new ConcurrentLinkedQueue<>();
    private final AtomicLong smallBytes = new AtomicLong();
    private final AtomicLong storedBytes = new AtomicLong();
    private final AtomicInteger places = new AtomicInteger();
    private final AtomicInteger entries = new AtomicInteger();
    private final AtomicIntegerArray ghosts;
    private final AtomicLongArray stamps = new AtomicLongArray(STAMPS);
    /**
     * The time of the last purge; 0 if there was none. Responses to requests that were sent before this time must not
     * be stored.
     */
    private final AtomicLong purged = new AtomicLong();

    private final SeededHash hash = new SeededHash();
    private final CacheMemory memory;
    private final Flights flights = new Flights();
    private final LongAdder evictions = new LongAdder();
    private volatile int mostEntries;
    private volatile boolean closed;

    ResponseStore(CacheMemoryConfig config, MemoryBudget budget) {
        this.memory = new CacheMemory(budget, config.memory().bytes());
        this.mostEntries = config.entries();
        int slots = Integer.highestOneBit(Math.max(LEAST_GHOSTS, Math.min(MOST_GHOSTS, config.entries())));
        this.ghosts = new AtomicIntegerArray(slots);
    }

    CacheMemory memory() {
        return memory;
    }

    Flights flights() {
        return flights;
    }

    /** Changes the limits, and evicts responses until the limits are met. */
    void limit(CacheMemoryConfig config) {
        memory.limit(config.memory().bytes());
        mostEntries = config.entries();
        while ((memory.used() > memory.most() || entries.get() > mostEntries) && evict()) {
            // Each round evicts one response.
        }
    }

    // ---- find

    /**
     * Finds the stored response for a request.
     *
     * @param request the header fields of the request
     * @return the response, with a reference to its body that the caller owns; null if no response is stored for the
     *     request
     */
    @Nullable
    StoredResponse find(CacheKey key, HttpHeaders request) {
        StoredResponse[] variants = index.get(key.text());
        if (variants == null) {
            return null;
        }
        for (StoredResponse each : variants) {
            if (each.vary.matches(request)) {
                if (!isInvalidated(key.target(), each.requested) && each.body.tryRetain()) {
                    Place place = each.place;
                    if (place != null && place.uses < MOST_USES) {
                        place.uses++;
                    }
                    return each;
                }
                return null;
            }
        }
        return null;
    }

    /** Returns whether any response is stored under the key. */
    boolean has(CacheKey key) {
        return index.containsKey(key.text());
    }

    /** Returns the request fields that distinguish the responses stored under a key. */
    Vary selecting(CacheKey key) {
        StoredResponse[] variants = index.get(key.text());
        return variants == null ? Vary.NONE : variants[0].vary;
    }

    // ---- store

    /**
     * Stores a response, which replaces the stored responses for the same requests.
     *
     * @param response the response, which the store owns from now on, even if the result is false
     * @param request the header fields of the request that led to {@code response}
     * @param requested the time at which {@code request} was sent, in nanoseconds of the monotonic clock
     * @return whether the response is stored
     */
    boolean put(StoredResponse response, HttpHeaders request, long requested) {
        if (closed
                || isUntil(purged.get(), requested)
                || isInvalidated(response.key.target(), requested)
                || !makeRoom(response.headBytes)) {
            response.body.release();
            return false;
        }
        if (!takePlace()) {
            memory.give(response.headBytes);
            response.body.release();
            return false;
        }
        int ghost = ghostOf(response.key.text());
        int slot = ghost & (ghosts.length() - 1);
        boolean known = ghosts.get(slot) == ghost && ghosts.compareAndSet(slot, ghost, 0);
        Place place = new Place(response, !known);
        response.place = place;
        response.requested = requested;
        if (!known) {
            smallBytes.addAndGet(response.bytes());
        }
        entries.incrementAndGet();
        storedBytes.addAndGet(response.bytes());
        List<StoredResponse> replaced = new ArrayList<>(1);
        index.compute(
                response.key.text(),
                (text, before) ->
                        before == null ? new StoredResponse[] {response} : with(before, response, request, replaced));
        (known ? main : small).add(place);
        replaced.forEach(each -> {
            // A response inherits the number of uses of the response that it replaces, unless the request fields that
            // select the two responses differ.
            Place former = each.place;
            if (former != null && each.vary.matches(request)) {
                place.uses = Math.max(place.uses, former.uses);
            }
            end(each);
        });
        // A purge sets its time first, and then removes all matching responses. Therefore, the purge has found this
        // response, or this check detects the purge.
        if (closed || isUntil(purged.get(), requested)) {
            remove(response);
        }
        dequeueDead();
        return true;
    }

    /**
     * Reserves a place in a queue for one response. If no place is free, evicts other responses; if even this frees no
     * place, returns false.
     */
    private boolean takePlace() {
        while (places.incrementAndGet() > mostEntries) {
            places.decrementAndGet();
            if (!evict()) {
                // Other event loops have taken all places and have not queued their responses yet.
                return false;
            }
        }
        return true;
    }

    private static StoredResponse[] with(
            StoredResponse[] before, StoredResponse added, HttpHeaders request, List<StoredResponse> replaced) {
        List<StoredResponse> all = new ArrayList<>(before.length + 1);
        all.add(added);
        for (StoredResponse each : before) {
            if (each.vary.matches(request)) {
                replaced.add(each);
            } else {
                all.add(each);
            }
        }
        while (all.size() > MOST_VARIANTS) {
            replaced.add(all.remove(leastUsed(all)));
        }
        return all.toArray(StoredResponse[]::new);
    }

    /**
     * Returns the index of the oldest unused response; if all responses were used, returns the index of the oldest
     * response. The response at index 0 is new, and is never chosen.
     */
    private static int leastUsed(List<StoredResponse> all) {
        for (int i = all.size() - 1; i > 0; i--) {
            Place place = all.get(i).place;
            if (place == null || place.uses == 0) {
                return i;
            }
        }
        return all.size() - 1;
    }

    /** Removes a response, unless it has already been removed. */
    void remove(StoredResponse response) {
        boolean[] removed = new boolean[1];
        index.computeIfPresent(response.key.text(), (text, before) -> {
            List<StoredResponse> rest = new ArrayList<>(before.length);
            for (StoredResponse each : before) {
                if (each == response) {
                    removed[0] = true;
                } else {
                    rest.add(each);
                }
            }
            return rest.isEmpty() ? null : rest.toArray(StoredResponse[]::new);
        });
        if (removed[0]) {
            end(response);
        }
    }

    /** Releases a response that has been removed from the index. Called exactly one time per response. */
    private void end(StoredResponse response) {
        Place place = response.place;
        if (place != null) {
            place.response = null;
            leaveSmall(place, response);
        }
        entries.decrementAndGet();
        storedBytes.addAndGet(-response.bytes());
        memory.give(response.headBytes);
        response.body.release();
    }

    // ---- room

    /** Reserves bytes. If there is no room for them, evicts responses. Returns false if the bytes can't be reserved. */
    boolean makeRoom(long bytes) {
        for (int i = 0; i < MOST_EVICTIONS; i++) {
            if (memory.take(bytes)) {
                return true;
            }
            // Removed responses that slow clients still receive keep their bytes. Other responses must not be evicted
            // to compensate for these bytes.
            boolean pinned = memory.used() - storedBytes.get() > memory.most() / 2;
            if (pinned || !evict()) {
                return false;
            }
        }
        return memory.take(bytes);
    }

    /**
     * Evicts one response, or dequeues the place of one response that has been removed. Returns false if both queues
     * are empty.
     */
    private boolean evict() {
        while (true) {
            boolean fromSmall = smallBytes.get() > memory.most() / SMALL_PART || main.isEmpty();
            Place place = fromSmall ? small.poll() : main.poll();
            if (place == null) {
                place = fromSmall ? main.poll() : small.poll();
            }
            if (place == null) {
                return false;
            }
            StoredResponse response = place.response;
            if (response == null) {
                places.decrementAndGet();
                return true;
            }
            if (place.uses == 0) {
                if (place.small.get()) {
                    int ghost = ghostOf(response.key.text());
                    ghosts.set(ghost & (ghosts.length() - 1), ghost);
                }
                evictions.increment();
                remove(response);
                // The place becomes free at this point and not earlier, so that no other response can take it before.
                places.decrementAndGet();
                return true;
            }
            again(place, response);
        }
    }

    /** Moves the place of a response that was used to the end of the main queue. */
    private void again(Place place, StoredResponse response) {
        if (place.small.get()) {
            place.uses = 0;
            leaveSmall(place, response);
        } else {
            place.uses--;
        }
        main.add(place);
    }

    private void leaveSmall(Place place, StoredResponse response) {
        if (place.small.compareAndSet(true, false)) {
            smallBytes.addAndGet(-response.bytes());
        }
    }

    /**
     * Dequeues places of removed responses while they outnumber the places of stored responses, so that frequent
     * updates of responses do not use up memory.
     */
    private void dequeueDead() {
        if (places.get() > 2 * entries.get() + LEAST_GHOSTS) {
            for (int i = 0; i < 4; i++) {
                sweep(small);
                sweep(main);
            }
        }
    }

    private void sweep(Queue<Place> queue) {
        Place place = queue.poll();
        if (place == null) {
            return;
        }
        if (place.response == null) {
            places.decrementAndGet();
        } else {
            queue.add(place);
        }
    }

    // ---- invalidation

    /**
     * Invalidates all responses for the host and path in {@code target}, provided that their requests were sent before
     * {@code now}. See {@link CacheKey#target}.
     */
    void invalidate(String target, long now) {
        stamps.accumulateAndGet(stampOf(target), now, ResponseStore::later);
    }

    /** Returns the later of two time stamps. */
    private static long later(long before, long now) {
        long stamp = now == 0 ? 1 : now;
        return before == 0 || stamp - before > 0 ? stamp : before;
    }

    private static boolean isUntil(long stamp, long requested) {
        return stamp != 0 && requested - stamp <= 0;
    }

    /**
     * Returns whether a response for {@code target} is invalidated if its request was sent at {@code requested}. A time
     * stamp of 0 means that nothing has been invalidated.
     */
    private boolean isInvalidated(String target, long requested) {
        return isUntil(stamps.get(stampOf(target)), requested);
    }

    private int stampOf(String target) {
        return hash.of(target) & (STAMPS - 1);
    }

    private int ghostOf(String text) {
        return hash.of(text) | 1;
    }

    /**
     * Removes all stored responses that match, and prevents the storage of responses to requests that were sent before
     * {@code now}.
     *
     * @param now the current time of the monotonic clock, in nanoseconds
     * @return the number of removed responses
     */
    int purge(Predicate<StoredResponse> matching, long now) {
        purged.accumulateAndGet(now, ResponseStore::later);
        return purge(matching);
    }

    /**
     * Removes all stored responses that match, and returns the number of removed responses. Blocks for a time that
     * grows with the number of stored responses.
     */
    int purge(Predicate<StoredResponse> matching) {
        int removed = 0;
        for (StoredResponse[] variants : index.values()) {
            for (StoredResponse each : variants) {
                if (matching.test(each)) {
                    remove(each);
                    removed++;
                }
            }
        }
        return removed;
    }

    /** Removes all responses. Responses that arrive later are not stored. */
    void close() {
        closed = true;
        purge(each -> true);
    }

    // ---- figures

    /** Returns the largest responses, the largest first. Blocks for a time that grows with the number of responses. */
    List<StoredResponse> largest(int most) {
        PriorityQueue<StoredResponse> kept = new PriorityQueue<>(Comparator.comparingLong(StoredResponse::bytes));
        for (StoredResponse[] variants : index.values()) {
            for (StoredResponse each : variants) {
                kept.add(each);
                if (kept.size() > most) {
                    kept.remove();
                }
            }
        }
        List<StoredResponse> all = new ArrayList<>(kept);
        all.sort(Comparator.comparingLong(StoredResponse::bytes).reversed());
        return all;
    }

    int entries() {
        return entries.get();
    }

    /** Returns the number of places in the queues, including the places of removed responses. */
    int places() {
        return places.get();
    }

    long evictions() {
        return evictions.sum();
    }
}
