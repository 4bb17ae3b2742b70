package dev.lychgate.server.replay;

import dev.lychgate.server.recording.Recording;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The result of one replay.
 *
 * @param replayed the replayed and redacted exchange; null if the replay did not end
 * @param differences the differences in filter runs, route, upstream, error, status, header fields or body
 * @param notes remarks on missing parts of the recording, one line each
 */
public record ReplayResult(
        Recording recorded, @Nullable Recording replayed, List<ReplayDifference> differences, List<String> notes) {
    public ReplayResult {
        differences = List.copyOf(differences);
        notes = List.copyOf(notes);
    }

    /** Returns whether the replay does not differ from the recording. */
    public boolean isSame() {
        return differences.isEmpty();
    }
}
