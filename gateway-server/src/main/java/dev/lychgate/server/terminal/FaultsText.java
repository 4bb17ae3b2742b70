package dev.lychgate.server.terminal;

import static dev.lychgate.server.terminal.Printable.figure;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The active faults, as lines for a terminal. */
public final class FaultsText {
    private FaultsText() {}

    /**
     * Shows one line for each fault.
     *
     * @param page the response of {@code /faults}
     */
    public static List<String> lines(JsonValue page) {
        if (!page.is("enabled")) {
            return List.of("faults are not enabled; to permit them, set faults.enabled: true in the configuration");
        }
        List<JsonValue> faults = page.list("faults");
        return faults.isEmpty()
                ? List.of("no fault is active")
                : faults.stream().map(FaultsText::line).toList();
    }

    private static String line(JsonValue fault) {
        String routes = fault.list("routes").isEmpty()
                ? "all routes"
                : "route "
                        + fault.list("routes").stream()
                                .map(id -> Printable.escaped(id.raw()))
                                .collect(Collectors.joining(", "));
        String by = fault.text("share").equals("100%") ? "" : " by " + fault.text("by");
        return fault.text("name") + ": " + fault.text("share") + by + " of " + routes + with(fault) + ", "
                + String.join(", ", effects(fault)) + ", until " + fault.text("until") + " (" + fault.text("source")
                + ")";
    }

    private static String with(JsonValue fault) {
        Map<String, JsonValue> headers = fault.get("headers").fields();
        List<String> all = new ArrayList<>();
        headers.forEach((name, value) -> all.add(Printable.escaped(name + ": " + value.raw())));
        if (fault.is("predicates")) {
            all.add("further predicates");
        }
        return all.isEmpty() ? "" : " with " + String.join(", ", all);
    }

    private static List<String> effects(JsonValue fault) {
        List<String> effects = new ArrayList<>();
        if (fault.has("delay")) {
            effects.add("delay " + fault.text("delay"));
        }
        if (fault.has("abort")) {
            effects.add("abort " + figure(fault.number("abort"), 0));
        }
        if (fault.has("grpc_status")) {
            effects.add("grpc-status " + figure(fault.number("grpc_status"), 0));
        }
        if (fault.is("reset")) {
            effects.add("reset");
        }
        if (fault.has("bandwidth")) {
            effects.add("bandwidth " + fault.text("bandwidth"));
        }
        return effects;
    }
}
