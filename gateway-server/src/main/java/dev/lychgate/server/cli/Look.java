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

/** The result of an attempt to read several pages of a running gateway's admin listener. */
sealed interface Look {
    /** The gateway responded. */
    record Seen(Pages pages) implements Look {}

    /**
     * No response arrived in time.
     *
     * @param why the reason, printable
     */
    record Gone(String why) implements Look {}

    /**
     * The gateway denied access. Retries would also fail, and would count as attempts to guess tokens.
     *
     * @param why the reason, printable
     */
    record Refused(String why) implements Look {}

    /** The statuses for a missing or wrong token, a missing role, a wrong host name, and too many wrong tokens. */
    Set<Integer> REFUSALS = Set.of(401, 403, 421, 429);

    /**
     * The status if the operator lacks a role. After a successful response for an earlier page, this status denies only
     * the requested page. Otherwise, it denies access to the gateway.
     */
    int FORBIDDEN = 403;

    /** Requests all {@code paths}, one after the other. */
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
