package dev.lychgate.server.admin;

import dev.lychgate.server.json.Json;
import dev.lychgate.server.json.JsonType;
import dev.lychgate.server.json.Shape;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** What can be done about generations, and what is told of them. */
final class GenerationActions {
    static final JsonType<Long> NUMBER = Json.integer(0, Long.MAX_VALUE);
    static final Parameter<Long> GENERATION =
            Parameter.needed("generation", NUMBER, "the number of a generation that is kept");

    private static final Shape<Generations.Kept> KEPT = new Shape<Generations.Kept>("KeptGeneration")
            .integer("number", "Its number.", Generations.Kept::number)
            .field("since", Json.TIME, "When it took over.", Generations.Kept::since)
            .text("why", "Why it was built.", Generations.Kept::why)
            .flag("running", "Whether it is in use.", Generations.Kept::running);

    private static final Shape<Generations.Refusal> REFUSAL = new Shape<Generations.Refusal>("Refusal")
            .field("when", Json.TIME, "When they were read.", Generations.Refusal::when)
            .list("faults", Json.TEXT, "One line each, with the place where known.", Generations.Refusal::faults);

    static final Shape<Generations> SHAPE = new Shape<Generations>(
                    "Generations", "The generations that can be gone back to.")
            .list("kept", KEPT, "The newest first.", Generations::kept)
            .flag("pinned", "Whether a rollback holds until a reload is requested.", Generations::isPinned)
            .optional("refused", REFUSAL, "Why the files were refused when they were last read.", Generations::refusal);

    private GenerationActions() {}

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
        return generations.rollbackTo(given.needed(GENERATION)).thenApply(outcome -> answer(outcome, generations));
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
        return AdminAnswer.json(SHAPE, generations);
    }

    private static AdminAnswer refused(List<String> faults) {
        return AdminAnswer.problem(
                HttpResponseStatus.UNPROCESSABLE_ENTITY, "refused", String.join("; ", faults), faults);
    }
}
