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

/** What came of looking at a running gateway. */
sealed interface Look {
    /** It answered. */
    record Seen(Pages pages) implements Look {}

    /** Nobody answered, or not in time. @param why printable */
    record Gone(String why) implements Look {}

    /** It lets us not in. It won't at the next look either, and would take us for somebody who tries tokens. @param why printable */
    record Refused(String why) implements Look {}

    /** Unauthorized, forbidden, asked by a wrong name, too many wrong tokens. */
    Set<Integer> REFUSALS = Set.of(401, 403, 421, 429);

    /** Asks for all of {@code paths}, one after the other. */
    static Look at(AdminClient client, List<String> paths) throws InterruptedException {
        Map<String, JsonValue> told = new HashMap<>();
        Map<String, String> untold = new HashMap<>();
        for (String path : paths) {
            try {
                HttpResponse<String> answer = client.ask("GET", path);
                if (answer.statusCode() == 200) {
                    told.put(path, JsonValue.of(answer.body()));
                    continue;
                }
                String why = String.join(" ", AdminClient.problem(answer.body()));
                if (REFUSALS.contains(answer.statusCode())) {
                    return new Refused(
                            "the gateway lets nobody in: " + answer.statusCode() + " " + Printable.escaped(why));
                }
                untold.put(path, why);
            } catch (StartException e) {
                return new Gone(String.valueOf(e.getMessage()));
            } catch (IOException e) {
                untold.put(path, "the answer is no JSON");
            }
        }
        return new Seen(new Pages(told, untold));
    }
}
