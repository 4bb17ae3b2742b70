package dev.lychgate.server.terminal;

import java.util.ArrayList;
import java.util.List;

/** The explanation of a request's path through the gateway, as lines for a terminal. */
public final class ExplanationText {
    private ExplanationText() {}

    /**
     * Lists the request, every route with its verdict, and the matching routes with their filters.
     *
     * @param explanation the response of {@code /explain} of the admin listener
     */
    public static List<String> lines(JsonValue explanation) {
        if (explanation.has("client_refused")) {
            return List.of("the client is refused: " + explanation.text("client_refused")
                    + "; its new connections are closed, and its requests are rejected with 403");
        }
        if (explanation.has("refused")) {
            return List.of("rejected with 400: " + explanation.text("refused"));
        }
        List<String> lines = new ArrayList<>();
        lines.add(explanation.text("request"));
        for (JsonValue route : explanation.list("considered")) {
            String detail = route.has("detail") ? " (" + route.text("detail") + ")" : "";
            lines.add("  " + route.text("route") + ": " + route.text("verdict") + detail);
        }
        List<JsonValue> met = explanation.list("meets");
        if (met.isEmpty()) {
            lines.add("responds with 404: no route matches");
            addFilters(lines, explanation);
        }
        for (JsonValue route : met) {
            lines.add("route " + route.text("route") + " " + route.text("does"));
            route.list("rate_limits").forEach(limit -> lines.add("  rate limit " + Printable.escaped(limit.raw())));
            if (route.has("overload")) {
                lines.add("  overload: " + route.text("overload"));
            }
            if (route.has("cache")) {
                lines.add("  cache: " + route.text("cache"));
            }
            addFilters(lines, route);
            route.list("faults").forEach(fault -> lines.add("  fault " + Printable.escaped(fault.raw())));
        }
        if (explanation.has("filters_fault")) {
            lines.add("filters can't be built: " + explanation.text("filters_fault"));
        }
        return lines;
    }

    private static void addFilters(List<String> lines, JsonValue of) {
        for (JsonValue filter : of.list("filters")) {
            String place = "order " + Printable.figure(filter.number("order"), 0);
            String line = "  " + filter.text("phase") + " " + filter.text("name") + " (" + place + ", "
                    + filter.text("form") + ", " + filter.text("source") + ")";
            lines.add(filter.has("remark") ? line + ": " + filter.text("remark") : line);
        }
    }
}
