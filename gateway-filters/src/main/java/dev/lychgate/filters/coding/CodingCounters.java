package dev.lychgate.filters.coding;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/**
 * How many bytes codings have taken and given, and what was refused, since the process began. Counted once for each body, at
 * its end; from any thread.
 */
public final class CodingCounters {
    /** Of bodies that were compressed. */
    public static final CodingCounters ENCODED = new CodingCounters();
    /** Of bodies that were decompressed; one in several codings counts for the outermost. */
    public static final CodingCounters DECODED = new CodingCounters();

    private final Map<ContentCoding, Bytes> bytes = new EnumMap<>(ContentCoding.class);
    private final Map<Refusal, LongAdder> refused = new EnumMap<>(Refusal.class);

    /** Why a body was not decoded. */
    public enum Refusal {
        /** It decodes to more than it may. */
        BYTES,
        /** It decodes to more than so many times its size. */
        RATIO,
        /** It is not what its coding says. */
        MALFORMED,
        /** A coding that is not known or not taken, or too many of them. */
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

    /** Counts a body that is over. */
    public void count(ContentCoding coding, long plain, long coded) {
        Bytes of = of(bytes, coding);
        of.bodies().increment();
        of.plain().add(plain);
        of.coded().add(coded);
    }

    /** Counts a body that was refused. */
    public void refused(Refusal why) {
        of(refused, why).increment();
    }

    /** How many bodies were refused for that. */
    public long refusals(Refusal why) {
        return of(refused, why).sum();
    }

    /** Counts a body that was left as it is, because the memory for a coding is used up. */
    public void skip() {
        skipped.increment();
    }

    /** How many bodies were left as they are for lack of memory. */
    public long skipped() {
        return skipped.sum();
    }

    /** How many bodies are over, however they ended. */
    public long bodies(ContentCoding coding) {
        return of(bytes, coding).bodies().sum();
    }

    /** Bytes before coding, or after decoding. */
    public long plain(ContentCoding coding) {
        return of(bytes, coding).plain().sum();
    }

    /** Bytes after coding, or before decoding. */
    public long coded(ContentCoding coding) {
        return of(bytes, coding).coded().sum();
    }

    private static <K, V> V of(Map<K, V> map, K key) {
        V value = map.get(key);
        if (value == null) {
            throw new IllegalStateException("nothing is counted for " + key);
        }
        return value;
    }
}
