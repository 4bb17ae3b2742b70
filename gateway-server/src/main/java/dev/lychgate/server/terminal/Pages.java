package dev.lychgate.server.terminal;

import java.util.Map;

/**
 * The responses of the admin listener for one frame.
 *
 * @param told the received responses, by path
 * @param untold the reasons why other paths have no response, by path; the reasons may contain text that the gateway
 *         sent
 */
public record Pages(Map<String, JsonValue> told, Map<String, String> untold) {
    public Pages {
        told = Map.copyOf(told);
        untold = Map.copyOf(untold);
    }

    /** Returns the response for a path; {@link JsonValue#NOTHING} if there is no response. */
    public JsonValue get(String path) {
        return told.getOrDefault(path, JsonValue.NOTHING);
    }

    boolean has(String path) {
        return told.containsKey(path);
    }

    /** Returns the reason why a path has no response, as printable text. */
    String why(String path) {
        return Printable.escaped(untold.getOrDefault(path, "no response"));
    }
}
