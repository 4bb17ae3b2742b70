package dev.lychgate.server.admin;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.lychgate.server.recorder.ExchangeKind;
import dev.lychgate.server.recorder.Reason;
import dev.lychgate.server.recorder.RecentExchanges;
import dev.lychgate.server.recorder.RecordedExchange;
import dev.lychgate.server.recorder.RecordedJson;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.io.IOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.function.Predicate;
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
        String route = given.optional("route");
        String error = given.optional("error");
        Predicate<ExchangeKind> kinds = kind -> isWanted(wanted, kind.reason().label())
                && isWanted(route, kind.route())
                && isWanted(error, kind.error());
        List<RecordedExchange> shown = recent.latest(limit, kinds);
        List<ExchangeKind.Kept> kept = recent.kinds();
        return AdminAnswer.json(json -> {
            json.writeStartObject();
            json.writeArrayFieldStart("kinds");
            for (ExchangeKind.Kept each : kept) {
                write(json, each);
            }
            json.writeEndArray();
            json.writeArrayFieldStart("exchanges");
            for (RecordedExchange exchange : shown) {
                RecordedJson.write(json, exchange);
            }
            json.writeEndArray();
            json.writeEndObject();
        });
    }

    private static boolean isWanted(@Nullable String wanted, String is) {
        return wanted == null || wanted.equals(is);
    }

    private static void write(JsonGenerator json, ExchangeKind.Kept kept) throws IOException {
        json.writeStartObject();
        json.writeStringField("reason", kept.kind().reason().label());
        json.writeStringField("route", kept.kind().route());
        json.writeStringField("error", kept.kind().error());
        json.writeNumberField("kept", kept.kept());
        json.writeNumberField("recorded", kept.recorded());
        json.writeStringField(
                "latest",
                Instant.EPOCH.plus(kept.latest().began(), ChronoUnit.MICROS).toString());
        json.writeEndObject();
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
