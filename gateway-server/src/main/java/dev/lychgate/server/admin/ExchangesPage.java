package dev.lychgate.server.admin;

import dev.lychgate.server.recorder.Reason;
import dev.lychgate.server.recorder.RecentExchanges;
import dev.lychgate.server.recorder.RecordedExchange;
import dev.lychgate.server.recorder.RecordedJson;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** {@code /exchanges}: those that were recorded lately, with their whole story. */
final class ExchangesPage {
    private static final int USUAL = 50;
    private static final int MOST = 1000;

    private ExchangesPage() {}

    static AdminAnswer all(RecentExchanges recent, Parameters given) {
        String wanted = given.optional("reason");
        String count = given.optional("limit");
        if (wanted != null
                && Stream.of(Reason.values()).noneMatch(reason -> reason.label().equals(wanted))) {
            String reasons = Stream.of(Reason.values()).map(Reason::label).collect(Collectors.joining(", "));
            return AdminAnswer.malformed("reason is one of " + reasons);
        }
        int limit = limit(count);
        if (limit < 1) {
            return AdminAnswer.malformed("limit is 1 to " + MOST);
        }
        List<RecordedExchange> shown = recent.all().stream()
                .filter(exchange -> wanted == null || exchange.reason().label().equals(wanted))
                .limit(limit)
                .toList();
        return AdminAnswer.json(json -> {
            json.writeStartObject();
            json.writeArrayFieldStart("exchanges");
            for (RecordedExchange exchange : shown) {
                RecordedJson.write(json, exchange);
            }
            json.writeEndArray();
            json.writeEndObject();
        });
    }

    private static int limit(@Nullable String text) {
        if (text == null) {
            return USUAL;
        }
        int limit = text.matches("\\d{1,4}") ? Integer.parseInt(text) : 0;
        return limit > MOST ? 0 : limit;
    }

    static AdminAnswer one(RecentExchanges recent, Parameters given) {
        return recent.find(given.needed("id"))
                .map(exchange -> AdminAnswer.json(json -> RecordedJson.write(json, exchange)))
                .orElseGet(() -> AdminAnswer.problem(
                        HttpResponseStatus.NOT_FOUND,
                        "not-found",
                        "no exchange of that id is kept: it was neither slow, nor failed, nor recorded in a trace, or it"
                                + " is too long ago"));
    }
}
