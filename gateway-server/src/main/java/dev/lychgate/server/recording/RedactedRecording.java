package dev.lychgate.server.recording;

import dev.lychgate.config.SecretNames;
import dev.lychgate.filter.Identity;
import dev.lychgate.server.recording.Recording.Body;
import dev.lychgate.server.recording.Recording.Call;
import dev.lychgate.server.recording.Recording.Change;
import dev.lychgate.server.recording.Recording.Fault;
import dev.lychgate.server.recording.Recording.Field;
import dev.lychgate.server.recording.Recording.Place;
import dev.lychgate.server.recording.Recording.Request;
import dev.lychgate.server.recording.Recording.Response;
import dev.lychgate.server.recording.Recording.Step;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Redacts one recording in two passes. The first pass collects the secret values of fields, queries and bodies, and the
 * second pass masks all occurrences of these values.
 */
public final class RedactedRecording {
    private final RecordingRedaction.Scope scope;
    private final RecordedBodies bodies;

    private RedactedRecording(RecordingRedaction.Scope scope, int bodyLimit) {
        this.scope = scope;
        this.bodies = new RecordedBodies(scope, bodyLimit);
    }

    /**
     * Returns a copy of the recording in which secret values are masked.
     *
     * @param bodyLimit the maximum length of a decoded body, in bytes
     */
    public static Recording of(Recording raw, RecordingRedaction redaction, int bodyLimit) {
        return new RedactedRecording(redaction.scope(), bodyLimit).redact(raw);
    }

    private Recording redact(Recording raw) {
        Request request = found(raw.request());
        Response origin = found(raw.origin());
        List<Call> calls = new ArrayList<>();
        for (Call call : raw.calls()) {
            calls.add(new Call(call.upstream(), found(call.request()), found(call.response()), call.failure()));
        }
        raw.steps().forEach(step -> step.changes().forEach(this::find));
        if (raw.place().sender() != null) {
            find(raw.place().sender());
        }
        Response response = found(raw.response());
        return new Recording(
                scope.text(raw.id()),
                raw.time(),
                raw.took(),
                raw.seed(),
                masked(raw.place()),
                masked(request),
                masked(origin),
                calls.stream().map(this::masked).toList(),
                raw.steps().stream().map(this::masked).toList(),
                masked(response),
                raw.error() == null
                        ? null
                        : new Fault(
                                raw.error().kind(),
                                raw.error().side(),
                                scope.text(raw.error().detail())),
                scope.masked());
    }

    // ---- the first pass

    private Request found(Request request) {
        scope.collectQuery(request.query());
        request.headers().forEach(field -> scope.collect(field.name(), field.value()));
        return with(request, bodies.mask(request.body(), request.headers()));
    }

    private @Nullable Response found(@Nullable Response response) {
        if (response == null) {
            return null;
        }
        response.headers().forEach(field -> scope.collect(field.name(), field.value()));
        Body body = bodies.mask(response.body(), response.headers());
        return new Response(response.status(), response.headers(), body);
    }

    private void find(String name, Change change) {
        find(name, change.from());
        find(name, change.to());
    }

    private void find(String name, @Nullable String value) {
        if (value != null && name.equals(":query")) {
            scope.collectQuery(value);
        } else if (value != null) {
            scope.collect(name, value);
        }
    }

    /** Collects the claims whose names suggest a secret. */
    private void find(Identity sender) {
        sender.claims().forEach((name, value) -> {
            if (value instanceof String text && SecretNames.isSecret(name)) {
                scope.maskedMember(name, text);
            }
        });
    }

    // ---- the second pass

    private Place masked(Place place) {
        Identity sender = place.sender();
        if (sender == null) {
            return place;
        }
        Map<String, Object> claims = new LinkedHashMap<>();
        sender.claims().forEach((name, value) -> claims.put(name, masked(name, value)));
        Identity masked = new Identity(sender.scheme(), text(sender.issuer()), text(sender.subject()), claims);
        return new Place(
                place.listener(),
                place.client(),
                place.secure(),
                place.generation(),
                place.filters(),
                place.route(),
                place.upstream(),
                masked,
                place.brownouts());
    }

    private @Nullable String text(@Nullable String text) {
        return text == null ? null : scope.text(text);
    }

    private Object masked(String name, Object claim) {
        if (claim instanceof Map<?, ?> map) {
            Map<String, Object> members = new LinkedHashMap<>();
            map.forEach((key, value) -> members.put(String.valueOf(key), masked(String.valueOf(key), value)));
            return members;
        }
        if (claim instanceof List<?> list) {
            return list.stream().map(each -> masked(name, each)).toList();
        }
        return claim instanceof String text ? SecretNames.isSecret(name) ? SecretNames.MASK : scope.text(text) : claim;
    }

    private Request masked(Request request) {
        Request other = new Request(
                request.method(),
                scope.text(request.path()),
                scope.query(request.query()),
                scope.text(request.host()),
                fields(request.headers()),
                request.body());
        return with(other, bodies.maskCollected(request.body()));
    }

    private @Nullable Response masked(@Nullable Response response) {
        return response == null
                ? null
                : new Response(response.status(), fields(response.headers()), bodies.maskCollected(response.body()));
    }

    private Call masked(Call call) {
        return new Call(call.upstream(), masked(call.request()), masked(call.response()), call.failure());
    }

    private Step masked(Step step) {
        Map<String, Change> changes = new LinkedHashMap<>();
        step.changes()
                .forEach((name, change) ->
                        changes.put(name, new Change(masked(name, change.from()), masked(name, change.to()))));
        return new Step(step.filter(), step.stage(), step.at(), step.took(), step.outcome(), changes);
    }

    private @Nullable String masked(String name, @Nullable String value) {
        if (value == null) {
            return null;
        }
        return name.equals(":query") ? scope.query(value) : scope.field(name, value);
    }

    private List<Field> fields(List<Field> fields) {
        return fields.stream()
                .map(field -> new Field(field.name(), scope.field(field.name(), field.value())))
                .toList();
    }

    private static Request with(Request request, Body body) {
        return new Request(request.method(), request.path(), request.query(), request.host(), request.headers(), body);
    }
}
