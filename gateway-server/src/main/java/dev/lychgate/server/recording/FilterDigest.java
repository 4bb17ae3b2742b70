package dev.lychgate.server.recording;

import dev.lychgate.chain.FilterSlot;
import dev.lychgate.filters.libraries.Sha256;
import java.util.TreeMap;

/** Computes a digest of the filters of a generation from their phases, names, orders and settings, without secrets. */
public final class FilterDigest {
    private FilterDigest() {}

    public static String of(Iterable<FilterSlot> slots) {
        StringBuilder all = new StringBuilder();
        for (FilterSlot slot : slots) {
            all.append(slot.phase())
                    .append(' ')
                    .append(slot.name())
                    .append(' ')
                    .append(slot.order())
                    .append(' ')
                    .append(new TreeMap<>(slot.settings()))
                    .append('\n');
        }
        return Sha256.of(all.toString());
    }
}
