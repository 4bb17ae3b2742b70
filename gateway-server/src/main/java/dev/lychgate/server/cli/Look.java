package dev.lychgate.server.cli;

import dev.lychgate.server.engine.StartException;
import dev.lychgate.server.terminal.JsonValue;
import dev.lychgate.server.terminal.Pages;
import dev.lychgate.server.terminal.Printable;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The result of reading a running gateway's pages. */
sealed interface Look {
    /** The gateway responded. */
    record Seen(Pages pages) implements Look {}

    /** There was no response in time. @param why printable */
    record Gone(String why) implements Look {}

    /** Access was denied. Retries would fail as well, and count as attempts to guess tokens. @param why printable */
    record Refused(String why) implements Look {}

    /** Unauthorized, forbidden, a wrong host name, too many wrong tokens. */
    Set<Integer> REFUSALS = Set.of(401, 403, 421, 429);

    /** After a page that was allowed, only this page is refused: the operator lacks a role. */
    int FORBIDDEN = 403;

    /** Requests all of {@code paths} in sequence. */
    static Look at(AdminClient client, List<String> paths) throws InterruptedException {
        Map<String, JsonValue> told = new HashMap<>();
        Map<String, String> untold = new HashMap<>();
        for (String path : paths) {
            try {
                HttpResponse<String> response = client.ask("GET", path);
                if (response.statusCode() == 200) {
                    told.put(path, JsonValue.of(response.body()));
                    continue;
                }
                String why = String.join(" ", AdminClient.problem(response.body()));
                boolean lacksRole = response.statusCode() == FORBIDDEN && !told.isEmpty();
                if (REFUSALS.contains(response.statusCode()) && !lacksRole) {
                    return new Refused(
                            "the gateway refuses access: " + response.statusCode() + " " + Printable.escaped(why));
                }
                untold.put(path, why);
            } catch (StartException e) {
                return new Gone(String.valueOf(e.getMessage()));
            } catch (IOException e) {
                untold.put(path, "the response is not JSON");
            }
        }
        return new Seen(new Pages(told, untold));
    }
}
