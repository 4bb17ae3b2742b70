package dev.lychgate.server.cli;

import dev.lychgate.server.terminal.JsonValue;
import java.io.IOException;
import java.util.List;

/** What a problem of the admin listener (RFC 9457) says to people. */
final class Problem {
    private Problem() {}

    /** Its faults, one by one; else its detail; and all of what is no problem in JSON. */
    static List<String> lines(String body) {
        try {
            JsonValue problem = JsonValue.of(body);
            List<String> faults =
                    problem.list("faults").stream().map(JsonValue::raw).toList();
            String detail = problem.get("detail").raw();
            return faults.isEmpty() ? List.of(detail.isEmpty() ? body.strip() : detail) : faults;
        } catch (IOException e) {
            // Not from a gateway of ours, perhaps: whoever looks at it will know.
            return List.of(body.strip());
        }
    }
}
