package dev.lychgate.server.replay;

import dev.lychgate.server.recording.Recording;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The result of one replay.
 *
 * @param replayed the replayed exchange, redacted; null if it did not end
 * @param differences the differences in filters, route, upstream, error, status, headers or body
 * @param notes what the recording lacks, one line each
 */
public record ReplayResult(
        Recording recorded, @Nullable Recording replayed, List<ReplayDifference> differences, List<String> notes) {
    public ReplayResult {
        differences = List.copyOf(differences);
        notes = List.copyOf(notes);
    }

    /** Returns whether the replay has the recorded outcome, filter by filter. */
    public boolean isSame() {
        return differences.isEmpty();
    }
}
