package dev.lychgate.limit;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Counts the refusals of a rate limit by key, and keeps the {@value #PLACES} keys with the most refusals in the last
 * minutes. The counts are halved every minute. Thread-safe without locks.
 *
 * <p>A new key replaces the key with the lowest count and continues from this count (space-saving algorithm), so its
 * own count may be too large by that amount. A key with more than 1/{@value #PLACES} of all refusals always has a
 * place.
 */
final class HotKeys {
    static final int PLACES = 32;

    private static final long MINUTE = 60_000_000_000L;

    /** @param text the key in the form for operators */
    private record Place(long key, String text, AtomicLong count) {}

    private final AtomicReferenceArray<@Nullable Place> places = new AtomicReferenceArray<>(PLACES);
    private final AtomicLong halved = new AtomicLong();

    /**
     * Counts a refused request for {@code key}.
     *
     * @param text supplies the key in the form for operators; called only if the key is not counted yet
     * @param now the time, as for {@link RateLimit#take}
     */
    void refused(long key, Supplier<String> text, long now) {
        age(now);
        int least = 0;
        long fewest = Long.MAX_VALUE;
        Place replaced = null;
        for (int i = 0; i < PLACES; i++) {
            Place place = places.get(i);
            if (place != null && place.key == key) {
                place.count.incrementAndGet();
                return;
            }
            long count = place == null ? 0 : place.count.get();
            if (count < fewest) {
                least = i;
                fewest = count;
                replaced = place;
            }
        }
        // If another thread has changed the place in the meantime, this refusal is not counted.
        places.compareAndSet(least, replaced, new Place(key, text.get(), new AtomicLong(fewest + 1)));
    }

    private void age(long now) {
        long last = halved.get();
        if (now - last > MINUTE && halved.compareAndSet(last, now)) {
            long minutes = Math.min(62, (now - last) / MINUTE);
            for (int i = 0; i < PLACES; i++) {
                Place place = places.get(i);
                if (place != null && place.count.updateAndGet(count -> count >> minutes) == 0) {
                    places.compareAndSet(i, place, null);
                }
            }
        }
    }

    /** Returns the keys. The key with the most refusals comes first. */
    List<HotKey> all(long now) {
        age(now);
        List<HotKey> all = new ArrayList<>();
        for (int i = 0; i < PLACES; i++) {
            Place place = places.get(i);
            if (place != null) {
                all.add(new HotKey(place.text, place.count.get()));
            }
        }
        all.sort(Comparator.comparingLong(HotKey::refused).reversed());
        return all;
    }
}
