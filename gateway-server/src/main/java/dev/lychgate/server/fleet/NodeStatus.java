package dev.lychgate.server.fleet;

import dev.lychgate.server.json.JsonObject;
import dev.lychgate.server.json.JsonText;
import dev.lychgate.server.terminal.JsonValue;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The state of a node, which the node writes into its reports. Reports are not signed, because they only inform
 * operators: no node acts on a report.
 *
 * @param epoch the highest epoch that the node has verified; 0 for none
 * @param active the digest of the release that serves requests; empty for none
 * @param prepared the digest of the release that the node has built and checked; empty for none
 * @param refused the digest of the release that the node has refused last; empty for none
 * @param faults the reasons of the refusal
 * @param store the reason why the store cannot be used; empty if it responds
 */
public record NodeStatus(
        String node,
        String space,
        long epoch,
        String active,
        String prepared,
        String refused,
        List<String> faults,
        String store,
        Map<String, String> labels) {
    private static final int MOST_FAULTS = 10;
    private static final int LONGEST_FAULT = 1000;

    public NodeStatus {
        faults = faults.stream()
                .limit(MOST_FAULTS)
                .map(fault -> fault.length() <= LONGEST_FAULT ? fault : fault.substring(0, LONGEST_FAULT) + "...")
                .toList();
        labels = Map.copyOf(labels);
    }

    static NodeStatus first(String node, String space, @Nullable String active, Map<String, String> labels) {
        return new NodeStatus(node, space, 0, active == null ? "" : active, "", "", List.of(), "", labels);
    }

    NodeStatus withEpoch(long other) {
        return new NodeStatus(node, space, other, active, prepared, refused, faults, store, labels);
    }

    NodeStatus serving(String digest) {
        return new NodeStatus(node, space, epoch, digest, "", "", List.of(), store, labels);
    }

    NodeStatus prepared(String digest) {
        return new NodeStatus(node, space, epoch, active, digest, "", List.of(), store, labels);
    }

    NodeStatus refusing(String digest, List<String> reasons) {
        return new NodeStatus(node, space, epoch, active, "", digest, reasons, store, labels);
    }

    NodeStatus withStore(String problem) {
        return new NodeStatus(node, space, epoch, active, prepared, refused, faults, problem, labels);
    }

    /** Returns the members of the report. */
    public JsonObject json() {
        JsonObject named = new JsonObject();
        labels.forEach(named::with);
        return new JsonObject()
                .with("node", node)
                .with("space", space)
                .with("epoch", epoch)
                .with("active", absentIfEmpty(active))
                .with("prepared", absentIfEmpty(prepared))
                .with("refused", absentIfEmpty(refused))
                .with("faults", faults)
                .with("store", absentIfEmpty(store))
                .with("labels", named);
    }

    private static @Nullable String absentIfEmpty(String text) {
        return text.isEmpty() ? null : text;
    }

    byte[] report(NodeTraffic traffic) {
        return JsonText.of(json().with("traffic", traffic.json())).getBytes(StandardCharsets.UTF_8);
    }

    /**
     * Reads the state in a report.
     *
     * @param name the name under which the store keeps the report
     * @throws IOException if it is malformed, or names another node
     */
    static NodeStatus parse(String name, JsonValue json) throws IOException {
        if (!json.get("node").raw().equals(name)) {
            throw new IOException("the report names another node");
        }
        Map<String, String> labels = new TreeMap<>();
        json.get("labels").fields().forEach((label, value) -> labels.put(label, value.raw()));
        return new NodeStatus(
                name,
                json.get("space").raw(),
                (long) json.number("epoch"),
                json.get("active").raw(),
                json.get("prepared").raw(),
                json.get("refused").raw(),
                json.list("faults").stream().map(JsonValue::raw).toList(),
                json.get("store").raw(),
                labels);
    }
}
