package dev.lychgate.filters.coding;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts encoded or decoded bytes, and rejected bodies, since the start of the process. A body is counted at its end.
 * Thread-safe.
 */
public final class CodingCounters {
    /** Counts compressed bodies. */
    public static final CodingCounters ENCODED = new CodingCounters();
    /** Counts decompressed bodies. A body with several codings is counted under its outermost coding. */
    public static final CodingCounters DECODED = new CodingCounters();

    private final Map<ContentCoding, Bytes> bytes = new EnumMap<>(ContentCoding.class);
    private final Map<Refusal, LongAdder> refused = new EnumMap<>(Refusal.class);

    /** The reasons why a body is rejected instead of decoded. */
    public enum Refusal {
        /** The decoded size exceeds its limit. */
        BYTES,
        /** The ratio of decoded to encoded size exceeds its limit. */
        RATIO,
        /** The body does not have the format of its coding. */
        MALFORMED,
        /** The coding is unknown or not accepted, or there are too many codings. */
        CODING
    }

    private final LongAdder skipped = new LongAdder();

    private record Bytes(LongAdder bodies, LongAdder plain, LongAdder coded) {}

    private CodingCounters() {
        for (ContentCoding coding : ContentCoding.values()) {
            bytes.put(coding, new Bytes(new LongAdder(), new LongAdder(), new LongAdder()));
        }
        for (Refusal refusal : Refusal.values()) {
            refused.put(refusal, new LongAdder());
        }
    }

    /** Counts a body at its end. */
    public void count(ContentCoding coding, long plain, long coded) {
        Bytes of = of(bytes, coding);
        of.bodies().increment();
        of.plain().add(plain);
        of.coded().add(coded);
    }

    /** Counts a rejected body. */
    public void refused(Refusal why) {
        of(refused, why).increment();
    }

    /** Returns the number of bodies rejected for this reason. */
    public long refusals(Refusal why) {
        return of(refused, why).sum();
    }

    /** Counts a body that is not compressed, because the memory for codings is exhausted. */
    public void skip() {
        skipped.increment();
    }

    /** Returns the number of bodies that were not compressed, because the memory for codings was exhausted. */
    public long skipped() {
        return skipped.sum();
    }

    /** Returns the number of bodies with this coding that have ended, including incomplete bodies. */
    public long bodies(ContentCoding coding) {
        return of(bytes, coding).bodies().sum();
    }

    /** Returns the number of uncompressed bytes of bodies with this coding: before encoding, or after decoding. */
    public long plain(ContentCoding coding) {
        return of(bytes, coding).plain().sum();
    }

    /** Returns the number of compressed bytes of bodies with this coding: after encoding, or before decoding. */
    public long coded(ContentCoding coding) {
        return of(bytes, coding).coded().sum();
    }

    private static <K, V> V of(Map<K, V> map, K key) {
        V value = map.get(key);
        if (value == null) {
            throw new IllegalStateException("there is no counter for " + key);
        }
        return value;
    }
}
