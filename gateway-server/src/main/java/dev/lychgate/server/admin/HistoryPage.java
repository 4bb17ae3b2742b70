package dev.lychgate.server.admin;

import dev.lychgate.server.history.ChangeHistory;
import dev.lychgate.server.history.Entry;
import dev.lychgate.server.json.Json;
import java.io.IOException;
import java.util.List;

/** {@code GET /history}: the entries of the history of changes, the newest first. Blocks, because it reads files. */
final class HistoryPage {
    static final Parameter<Long> BEFORE = Parameter.optional(
            "before", Json.integer(1, Long.MAX_VALUE), "a number; the page lists only entries with smaller numbers");
    static final Parameter<Long> LIMIT =
            Parameter.optional("limit", Json.integer(1, 1000), "the maximum number of entries; default 50");
    static final Parameter<String> ACTION =
            Parameter.optional("action", "an action such as reload; the page lists only its entries");
    static final Parameter<String> OPERATOR =
            Parameter.optional("operator", "the name of an operator; the page lists only changes of this operator");

    private static final int DEFAULT_LIMIT = 50;

    private HistoryPage() {}

    static List<Entry> of(Generations generations, Parameters given) throws Rejection {
        ChangeHistory history = Rejection.ifAbsent(
                generations.changes(), "this gateway has no history; see the section history of the configuration");
        Long before = given.optional(BEFORE);
        Long limit = given.optional(LIMIT);
        try {
            return history.read(new ChangeHistory.Query(
                    before == null ? Long.MAX_VALUE : before,
                    limit == null ? DEFAULT_LIMIT : limit.intValue(),
                    given.optional(ACTION),
                    given.optional(OPERATOR)));
        } catch (IOException e) {
            throw new Rejection(AdminResponse.unavailable("the history can't be read: " + e.getMessage()));
        }
    }
}
