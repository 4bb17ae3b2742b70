package dev.lychgate.server.admin;

import com.fasterxml.jackson.core.JsonGenerator;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** What can be done about generations, and what is told of them. */
final class GenerationActions {
    private GenerationActions() {}

    static void write(JsonGenerator json, Generations generations) throws IOException {
        json.writeStartObject();
        json.writeArrayFieldStart("kept");
        for (Generations.Kept one : generations.kept()) {
            json.writeStartObject();
            json.writeNumberField("number", one.number());
            json.writeStringField("since", one.since().toString());
            json.writeStringField("why", one.why());
            json.writeBooleanField("running", one.running());
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeBooleanField("pinned", generations.isPinned());
        Generations.Refusal refusal = generations.refusal();
        if (refusal != null) {
            json.writeObjectFieldStart("refused");
            json.writeStringField("when", refusal.when().toString());
            json.writeArrayFieldStart("faults");
            for (String fault : refusal.faults()) {
                json.writeString(fault);
            }
            json.writeEndArray();
            json.writeEndObject();
        }
        json.writeEndObject();
    }

    /** 200 with the generations if the files were taken, 422 with what is wrong if they were not. */
    static CompletableFuture<AdminAnswer> reload(Generations generations) {
        return generations
                .reloadNow()
                .thenApply(outcome -> outcome instanceof Generations.Reload.Refused refusal
                        ? refused(refusal.faults())
                        : now(generations));
    }

    /** 200 with the generations, 404 if the one that is wanted is not kept, 422 with the reason if it can't be used. */
    static CompletableFuture<AdminAnswer> rollback(Generations generations, Parameters given) {
        long number = number(given.needed("generation"));
        if (number < 0) {
            return AdminAnswer.now(AdminAnswer.malformed("generation is a number"));
        }
        return generations.rollbackTo(number).thenApply(outcome -> answer(outcome, generations));
    }

    /** The number of a generation; -1 for what is none. */
    static long number(String digits) {
        return digits.matches("[0-9]{1,18}") ? Long.parseLong(digits) : -1;
    }

    private static AdminAnswer answer(Generations.Rollback outcome, Generations generations) {
        if (outcome instanceof Generations.Rollback.Refused refusal) {
            return refused(List.of(refusal.fault()));
        }
        if (outcome instanceof Generations.Rollback.NotKept) {
            return AdminAnswer.notFound("that generation is not kept; see /generations");
        }
        return now(generations);
    }

    private static AdminAnswer now(Generations generations) {
        return AdminAnswer.json(json -> write(json, generations));
    }

    private static AdminAnswer refused(List<String> faults) {
        return AdminAnswer.problem(
                HttpResponseStatus.UNPROCESSABLE_ENTITY, "refused", String.join("; ", faults), faults);
    }
}
