package dev.lychgate.server.fleet;

import dev.lychgate.fleet.FleetException;
import dev.lychgate.fleet.FleetNames;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A release that only some nodes of a fleet serve. Immutable.
 *
 * <p>Each node has a place for each release: a number below {@link #ALL}, which is computed from the digest of the
 * release and the name of the node. A node serves the canary if it has the labels and its place is below {@code bound}.
 * Nodes therefore need no information about each other. If the bound grows, all selected nodes stay selected.
 *
 * @param digest the release
 * @param bound from 1 to {@link #ALL}, which selects all nodes with the labels
 * @param labels the labels that a node must have; empty for any node
 * @param until the time at which the nodes return to the release in force; null for no limit
 */
public record Canary(
        String digest,
        long bound,
        SortedMap<String, String> labels,
        @Nullable Instant until) {
    /** The bound that selects every node, because the place of a node is always smaller. */
    public static final long ALL = 1L << 32;

    private static final int MOST_LABELS = 16;

    public Canary {
        labels = Collections.unmodifiableSortedMap(new TreeMap<>(labels));
    }

    /**
     * Returns a canary that selects a share of the nodes. The number of selected nodes is rounded up.
     *
     * @param share the share of the nodes, above 0 and at most 1
     * @param nodes the names of the nodes with the labels; not empty
     */
    static Canary ofShare(
            String digest, double share, List<String> nodes, Map<String, String> labels, @Nullable Instant until) {
        long[] places =
                nodes.stream().mapToLong(node -> place(digest, node)).sorted().toArray();
        int selected = (int) Math.ceil(share * places.length);
        long bound = selected >= places.length ? ALL : places[selected];
        return new Canary(digest, Math.max(bound, 1), new TreeMap<>(labels), until);
    }

    /** Returns whether the canary selects a node. The time {@code until} has no effect on the result. */
    boolean selects(String node, Map<String, String> own) {
        return own.entrySet().containsAll(labels.entrySet()) && place(digest, node) < bound;
    }

    /** Returns whether {@code until} has passed. */
    public boolean hasEnded(Instant now) {
        return until != null && !now.isBefore(until);
    }

    private static long place(String digest, String node) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256")
                    .digest((digest + '\n' + node).getBytes(StandardCharsets.UTF_8));
            return Integer.toUnsignedLong(ByteBuffer.wrap(hash).getInt());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    void appendTo(StringBuilder text) {
        text.append("canary ")
                .append(digest)
                .append("\ncanary-bound ")
                .append(bound)
                .append('\n');
        labels.forEach((name, value) -> text.append("canary-label ")
                .append(name)
                .append('=')
                .append(value)
                .append('\n'));
        if (until != null) {
            text.append("canary-until ").append(until).append('\n');
        }
    }

    /** Reads a canary from the next lines of a head. Returns null if these lines contain no canary. */
    static @Nullable Canary read(TextFields fields) throws FleetException {
        String digest = fields.optional("canary");
        if (digest == null) {
            return null;
        }
        long bound = FleetText.number("canary-bound", fields.value("canary-bound"));
        if (bound < 1 || bound > ALL) {
            throw FleetException.refused("the canary-bound is not between 1 and " + ALL);
        }
        SortedMap<String, String> labels = new TreeMap<>();
        for (String line = fields.optional("canary-label"); line != null; line = fields.optional("canary-label")) {
            int equals = FleetText.line("canary-label", line).indexOf('=');
            if (equals < 1 || labels.size() == MOST_LABELS) {
                throw FleetException.refused(
                        "a canary-label is malformed, or the head has more than " + MOST_LABELS + " of them");
            }
            labels.put(line.substring(0, equals), line.substring(equals + 1));
        }
        String until = fields.optional("canary-until");
        return new Canary(FleetNames.digest(digest), bound, labels, until == null ? null : FleetText.time(until));
    }
}
