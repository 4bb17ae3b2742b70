package dev.lychgate.server.admin;

import dev.lychgate.server.json.Json;
import dev.lychgate.server.json.Shape;
import dev.lychgate.server.recorder.ExchangeKind;
import dev.lychgate.server.recorder.Reason;
import dev.lychgate.server.recorder.RecentExchanges;
import dev.lychgate.server.recorder.RecordedExchange;
import dev.lychgate.server.recorder.RecordedJson;
import dev.lychgate.server.recording.RecordingSearch;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** {@code /exchanges}: the recently recorded exchanges with all their details. */
final class ExchangesPage {
    private static final Long USUAL = 50L;

    static final Parameter<Reason> REASON =
            Parameter.optional("reason", RecordedJson.REASON, "the reason for the recording; default all");
    static final Parameter<String> ROUTE =
            Parameter.optional("route", "the id of the route of the exchanges; - for exchanges that matched no route");
    static final Parameter<String> ERROR =
            Parameter.optional("error", "the outcome of the exchanges: the label of an error, a status, or none");
    static final Parameter<Long> LIMIT = Parameter.optional(
            "limit", Json.integer(1, 1000), "the maximum number of exchanges, the latest first; default 50");
    static final Parameter<String> ID = Parameter.needed("id", "the id of the request or of the trace");

    record Shown(List<ExchangeKind.Kept> kinds, List<RecordedExchange> exchanges) {}

    private static final Shape<ExchangeKind> KIND = new Shape<ExchangeKind>("")
            .field("reason", RecordedJson.REASON, "The reason for the recording.", ExchangeKind::reason)
            .text("route", "The id of the route; - if none matched.", ExchangeKind::route)
            .text(
                    "error",
                    "The label of the error; without an error, the response status if it is 5xx, otherwise none.",
                    ExchangeKind::error);

    private static final Shape<ExchangeKind.Kept> KEPT = new Shape<ExchangeKind.Kept>("ExchangeKind")
            .include(KIND, ExchangeKind.Kept::kind)
            .integer("kept", "The number of exchanges of this kind that are kept.", ExchangeKind.Kept::kept)
            .integer(
                    "recorded",
                    "The number of exchanges of this kind that were recorded while the recorder kept the kind.",
                    ExchangeKind.Kept::recorded)
            .field(
                    "latest",
                    Json.TIME,
                    "When the latest exchange began.",
                    kept -> RecordedJson.time(kept.latest().began()));

    static final Shape<Shown> SHAPE = new Shape<Shown>(
                    "Exchanges", "Exchanges that were slow, failed, or are recorded in a trace.")
            .list("kinds", KEPT, "The kinds of exchanges, with their numbers.", Shown::kinds)
            .list("exchanges", RecordedJson.SHAPE, "The selected exchanges, the latest first.", Shown::exchanges);

    private ExchangesPage() {}

    static Shown all(RecentExchanges recent, Parameters given) {
        Reason reason = given.optional(REASON);
        String route = given.optional(ROUTE);
        String error = given.optional(ERROR);
        Predicate<ExchangeKind> kinds = kind ->
                isWanted(reason, kind.reason()) && isWanted(route, kind.route()) && isWanted(error, kind.error());
        long limit = Objects.requireNonNullElse(given.optional(LIMIT), USUAL);
        return new Shown(recent.kinds(), recent.latest((int) limit, kinds));
    }

    private static boolean isWanted(@Nullable Object wanted, Object is) {
        return wanted == null || wanted.equals(is);
    }

    /** Returns a whole exchange from the recording. Blocks, because it reads files. */
    static AdminResponse recording(@Nullable RecordingSearch recording, Parameters given)
            throws IOException, Rejection {
        byte[] line = Rejection.ifAbsent(recording, "this gateway does not record exchanges")
                .find(given.needed(ID))
                .orElseThrow(
                        () -> Rejection.notFound(
                                "the recording has no exchange with that id: no rule selected it, or newer exchanges replaced it"));
        return new AdminResponse(HttpResponseStatus.OK, AdminResponse.JSON, line);
    }

    static RecordedExchange one(RecentExchanges recent, Parameters given) throws Rejection {
        return recent.find(given.needed(ID))
                .orElseThrow(() -> Rejection.notFound(
                        "no exchange with that id is kept: either it was not slow, did not fail and is in no recorded"
                                + " trace, or newer exchanges replaced it"));
    }
}
