package dev.lychgate.server.terminal;

import java.util.Map;

/**
 * What the admin listener said at one look.
 *
 * @param told by path, what was answered
 * @param untold by path, why there was no answer, in the gateway's words
 */
public record Pages(Map<String, JsonValue> told, Map<String, String> untold) {
    public Pages {
        told = Map.copyOf(told);
        untold = Map.copyOf(untold);
    }

    /** The answer of a path; nothing if there was none. */
    public JsonValue get(String path) {
        return told.getOrDefault(path, JsonValue.NOTHING);
    }

    /** Whether the path was answered. */
    boolean has(String path) {
        return told.containsKey(path);
    }

    /** Why a path was not answered; printable. */
    String why(String path) {
        return Printable.escaped(untold.getOrDefault(path, "no answer"));
    }
}
