package dev.lychgate.server.recording;

import dev.lychgate.filter.Identity;
import dev.lychgate.server.json.Json;
import dev.lychgate.server.json.JsonObject;
import dev.lychgate.server.json.JsonText;
import dev.lychgate.server.recording.Recording.Body;
import dev.lychgate.server.recording.Recording.Call;
import dev.lychgate.server.recording.Recording.Change;
import dev.lychgate.server.recording.Recording.Fault;
import dev.lychgate.server.recording.Recording.Field;
import dev.lychgate.server.recording.Recording.Place;
import dev.lychgate.server.recording.Recording.Request;
import dev.lychgate.server.recording.Recording.Response;
import dev.lychgate.server.recording.Recording.Step;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Converts recorded exchanges to and from lines of JSON. Unknown members are ignored, so that later versions can add
 * members.
 */
public final class RecordingJson {
    private RecordingJson() {}

    // ---- writing

    /** Returns an exchange as one line that ends with a line feed. */
    public static byte[] line(Recording exchange) {
        return JsonText.bytes(json(exchange));
    }

    /** Returns the bytes with which the line of an exchange with the given id begins. */
    static byte[] beginning(String id) {
        String alone = JsonText.of(new JsonObject().with("id", id));
        return alone.substring(0, alone.length() - 1).getBytes(StandardCharsets.US_ASCII);
    }

    private static JsonObject json(Recording of) {
        Place place = of.place();
        return new JsonObject()
                .with("id", of.id())
                .with("time", of.time())
                .with("took", of.took())
                .with("seed", Long.toString(of.seed()))
                .with("listener", place.listener())
                .with("client", place.client())
                .with("secure", place.secure())
                .with("generation", place.generation())
                .with("filters", place.filters())
                .with("route", place.route())
                .with("upstream", place.upstream())
                .with("sender", place.sender() == null ? null : json(place.sender()))
                .with("brownouts", place.brownouts().isEmpty() ? null : place.brownouts())
                .with("request", json(of.request()))
                .with("origin", of.origin() == null ? null : json(of.origin()))
                .with("calls", of.calls().stream().map(RecordingJson::json).toList())
                .with("steps", of.steps().stream().map(RecordingJson::json).toList())
                .with("response", of.response() == null ? null : json(of.response()))
                .with("error", of.error() == null ? null : json(of.error()))
                .with("masked", of.masked());
    }

    /** Returns the sender. The claims are encoded as one text, because a claim may have any form. */
    private static JsonObject json(Identity sender) {
        return new JsonObject()
                .with("scheme", sender.scheme())
                .with("issuer", sender.issuer())
                .with("subject", sender.subject())
                .with("claims", dev.lychgate.http.Json.write(sender.claims()));
    }

    private static JsonObject json(Fault error) {
        return new JsonObject()
                .with("kind", error.kind())
                .with("side", error.side())
                .with("detail", error.detail());
    }

    private static JsonObject json(Request request) {
        return new JsonObject()
                .with("method", request.method())
                .with("path", request.path())
                .with("query", request.query())
                .with("host", request.host())
                .with("headers", json(request.headers()))
                .with("body", json(request.body()));
    }

    private static JsonObject json(Response response) {
        return new JsonObject()
                .with("status", response.status())
                .with("headers", json(response.headers()))
                .with("body", json(response.body()));
    }

    private static List<List<String>> json(List<Field> fields) {
        return fields.stream()
                .map(field -> List.of(field.name(), field.value()))
                .toList();
    }

    private static JsonObject json(Body body) {
        JsonObject json = new JsonObject().with("size", body.size());
        if (body.cut()) {
            json.with("cut", true);
        }
        if (body.omitted() != null) {
            return json.with("omitted", body.omitted());
        }
        String text = text(body.bytes());
        return text == null
                ? json.with("base64", Base64.getEncoder().encodeToString(body.bytes()))
                : json.with("text", text);
    }

    /** Returns the bytes as text; null if they are not UTF-8. */
    private static @Nullable String text(byte[] bytes) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException e) {
            return null;
        }
    }

    private static JsonObject json(Call call) {
        return new JsonObject()
                .with("upstream", call.upstream())
                .with("request", json(call.request()))
                .with("response", call.response() == null ? null : json(call.response()))
                .with("failure", call.failure());
    }

    private static JsonObject json(Step step) {
        Map<String, Object> changes = new TreeMap<>();
        step.changes()
                .forEach((name, change) -> changes.put(
                        name, new JsonObject().with("from", change.from()).with("to", change.to())));
        return new JsonObject()
                .with("filter", step.filter())
                .with("stage", step.stage())
                .with("at", step.at())
                .with("took", step.took())
                .with("outcome", step.outcome())
                .with("changes", (JsonText.Content) json -> Json.TREE.write(json, changes));
    }

    // ---- reading

    /**
     * Reads one exchange.
     *
     * @throws RecordingException if the line is malformed
     */
    public static Recording read(byte[] line) throws RecordingException {
        JsonTree json = JsonTree.read(line);
        Place place = new Place(
                json.text("listener"),
                json.text("client"),
                json.flag("secure"),
                json.number("generation"),
                json.text("filters"),
                json.optional("route"),
                json.optional("upstream"),
                json.has("sender") ? identity(json.object("sender")) : null,
                json.texts("brownouts"));
        return new Recording(
                json.text("id"),
                json.number("time"),
                json.number("took"),
                json.longText("seed"),
                place,
                request(json.object("request")),
                json.has("origin") ? response(json.object("origin")) : null,
                calls(json),
                steps(json),
                json.has("response") ? response(json.object("response")) : null,
                json.has("error") ? fault(json.object("error")) : null,
                json.texts("masked"));
    }

    private static Identity identity(JsonTree json) throws RecordingException {
        try {
            Map<String, Object> claims = new LinkedHashMap<>();
            if (dev.lychgate.http.Json.read(json.text("claims")) instanceof Map<?, ?> read) {
                read.forEach((name, value) -> {
                    if (value != null) {
                        claims.put(String.valueOf(name), value);
                    }
                });
            }
            return new Identity(json.text("scheme"), json.optional("issuer"), json.optional("subject"), claims);
        } catch (IllegalArgumentException e) {
            throw new RecordingException("the claims of the sender are malformed");
        }
    }

    private static Fault fault(JsonTree json) throws RecordingException {
        return new Fault(json.text("kind"), json.text("side"), json.text("detail"));
    }

    private static List<Call> calls(JsonTree json) throws RecordingException {
        List<Call> calls = new ArrayList<>();
        for (JsonTree call : json.objects("calls")) {
            calls.add(new Call(
                    call.text("upstream"),
                    request(call.object("request")),
                    call.has("response") ? response(call.object("response")) : null,
                    call.optional("failure")));
        }
        return calls;
    }

    private static List<Step> steps(JsonTree json) throws RecordingException {
        List<Step> steps = new ArrayList<>();
        for (JsonTree step : json.objects("steps")) {
            Map<String, Change> changes = new LinkedHashMap<>();
            JsonTree all = step.object("changes");
            for (String name : all.names()) {
                JsonTree change = all.object(name);
                changes.put(name, new Change(change.optional("from"), change.optional("to")));
            }
            steps.add(new Step(
                    step.text("filter"),
                    step.text("stage"),
                    step.number("at"),
                    step.number("took"),
                    step.text("outcome"),
                    Collections.unmodifiableMap(changes)));
        }
        return steps;
    }

    private static Request request(JsonTree json) throws RecordingException {
        return new Request(
                json.text("method"),
                json.text("path"),
                json.optional("query"),
                json.text("host"),
                fields(json),
                body(json.object("body")));
    }

    private static Response response(JsonTree json) throws RecordingException {
        return new Response((int) json.numberWithin("status", 100, 599), fields(json), body(json.object("body")));
    }

    private static List<Field> fields(JsonTree json) throws RecordingException {
        List<Field> fields = new ArrayList<>();
        for (List<String> pair : json.pairs("headers")) {
            fields.add(new Field(pair.get(0), pair.get(1)));
        }
        return fields;
    }

    private static Body body(JsonTree json) throws RecordingException {
        byte[] bytes = new byte[0];
        if (json.has("base64")) {
            try {
                bytes = Base64.getDecoder().decode(json.text("base64"));
            } catch (IllegalArgumentException e) {
                throw new RecordingException("base64 is malformed");
            }
        } else if (json.has("text")) {
            bytes = json.text("text").getBytes(StandardCharsets.UTF_8);
        }
        return new Body(
                json.numberWithin("size", 0, Long.MAX_VALUE), bytes, json.flag("cut"), json.optional("omitted"));
    }
}
