package dev.lychgate.server.fleet;

import dev.lychgate.fleet.FleetException;
import dev.lychgate.fleet.FleetNames;
import java.util.List;

/**
 * A file of a release.
 *
 * @param path relative to the directory of the release, with {@code /} between segments
 * @param size in bytes
 * @param sha256 the digest of the content
 */
public record ReleaseFile(String path, long size, String sha256) {
    private static final int LONGEST = 200;
    private static final int DEEPEST = 16;

    /**
     * Creates a file after checking its values. No accepted path leads out of the directory of the release.
     *
     * @throws FleetException if a value is malformed
     */
    static ReleaseFile of(String path, long size, String sha256) throws FleetException {
        return new ReleaseFile(checked(path), size, FleetNames.digest(sha256));
    }

    /**
     * Returns {@code path} if all of its segments are plain names. No segment is empty or begins with a dot, so no
     * segment is {@code ..}.
     */
    static String checked(String path) throws FleetException {
        List<String> segments = List.of(path.split("/", -1));
        boolean plain = path.length() <= LONGEST
                && segments.size() <= DEEPEST
                && segments.stream().allMatch(segment -> segment.matches("[A-Za-z0-9_][A-Za-z0-9._@+-]*"));
        if (!plain) {
            throw FleetException.refused("a path is refused: '" + shown(path) + "' (expected: at most " + LONGEST
                    + " characters and " + DEEPEST + " segments of letters, digits, '.', '_', '-', '+' and '@'; no"
                    + " segment begins with '.')");
        }
        return path;
    }

    private static String shown(String path) {
        String safe = path.replaceAll("[^\\x20-\\x7e]", "?");
        return safe.length() <= LONGEST ? safe : safe.substring(0, LONGEST) + "...";
    }
}
