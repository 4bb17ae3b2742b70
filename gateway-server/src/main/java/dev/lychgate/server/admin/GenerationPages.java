package dev.lychgate.server.admin;

import static dev.lychgate.server.admin.AdminResponse.json;

import dev.lychgate.generation.Generation;
import dev.lychgate.server.json.Json;
import dev.lychgate.server.json.JsonType;
import dev.lychgate.server.json.Shape;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The generation in use, the retained generations, and the operations on them. */
final class GenerationPages {
    static final JsonType<Long> NUMBER = Json.integer(0, Long.MAX_VALUE);
    static final Parameter<Long> GENERATION =
            Parameter.optional("generation", NUMBER, "the number of a generation that is kept");
    static final Parameter<Long> ENTRY = Parameter.optional(
            "entry", NUMBER, "in place of generation: the number of an entry of /history whose files are kept");

    /**
     * {@code /generation}: the generation in use, the time at which it was put in force, and the numbers of its routes,
     * upstreams, endpoints and filters.
     */
    static final Shape<Generation> RUNNING = new Shape<Generation>("Generation", "The generation in use.")
            .integer("number", "The number of the generation.", Generation::number)
            .field("since", Json.TIME, "When the generation was put in force.", Generation::since)
            .integer(
                    "routes",
                    "The number of routes.",
                    it -> it.routes().routes().size())
            .integer(
                    "upstreams",
                    "The number of upstreams.",
                    it -> it.upstreams().size())
            .integer("endpoints", "The number of endpoints of all upstreams.", GenerationPages::endpoints)
            .integer(
                    "filters",
                    "The number of filters.",
                    it -> it.filters().slots().size());

    private static final Shape<Generations.Kept> ONE = new Shape<Generations.Kept>("KeptGeneration")
            .integer("number", "The number of the generation.", Generations.Kept::number)
            .field("since", Json.TIME, "When the generation was put in force.", Generations.Kept::since)
            .text("why", "The reason for the build.", Generations.Kept::why)
            .flag("running", "Whether the generation is in use.", Generations.Kept::running);

    private static final Shape<Generations.Refusal> REFUSAL = new Shape<Generations.Refusal>("Refusal")
            .field("when", Json.TIME, "When the files were read.", Generations.Refusal::when)
            .list(
                    "faults",
                    Json.TEXT,
                    "The errors, one line each, with the file and line if known.",
                    Generations.Refusal::faults);

    /** {@code /generations}: the generations that a rollback can restore, and the latest rollout. */
    static final Shape<Generations> KEPT =
            kept(new Shape<Generations>("Generations", "The generations that a rollback can restore."), all -> all);

    private GenerationPages() {}

    private static @Nullable RolloutControl rollout(Generations generations) {
        RolloutControl rollouts = generations.rollouts();
        return rollouts.status().state() == RolloutControl.State.NONE ? null : rollouts;
    }

    private static int endpoints(Generation it) {
        return it.upstreams().stream()
                .mapToInt(upstream -> upstream.endpoints().size())
                .sum();
    }

    /** Adds the members of the page {@code /generations} to {@code shape}. */
    static <T> Shape<T> kept(Shape<T> shape, Function<T, Generations> all) {
        return shape.list(
                        "kept",
                        ONE,
                        "The kept generations, the newest first.",
                        owner -> all.apply(owner).kept())
                .flag(
                        "fleet",
                        "Whether this gateway belongs to a fleet.",
                        owner -> all.apply(owner).fleet() != null)
                .flag(
                        "pinned",
                        "Whether a rollback stays in force until a reload is requested.",
                        owner -> all.apply(owner).isPinned())
                .optional(
                        "refused",
                        REFUSAL,
                        "The latest refusal of the files, with its errors.",
                        owner -> all.apply(owner).refusal())
                .optional(
                        "rollout",
                        RolloutPage.SHAPE,
                        "The latest candidate, with the changes of its state; missing before the first candidate.",
                        owner -> rollout(all.apply(owner)));
    }

    /**
     * Rolls back to an earlier generation. Responds with 200 and the generations, with 404 if that generation is not
     * kept, or with 422 and the reason if that generation is unusable.
     */
    static CompletableFuture<AdminResponse> rollback(Generations generations, Parameters given) throws Rejection {
        Long generation = given.optional(GENERATION);
        Long entry = given.optional(ENTRY);
        if ((generation == null) == (entry == null)) {
            throw Rejection.malformed("exactly one of generation and entry is required");
        }
        return (generation != null
                        ? generations.rollbackTo(generation, given.author())
                        : generations.rollbackToEntry(Objects.requireNonNull(entry), given.author()))
                .thenApply(outcome -> answer(outcome, () -> json(KEPT, generations)));
    }

    /**
     * Returns the response to a reload or rollback with the given outcome.
     *
     * @param taken creates the response if the files were accepted
     */
    static AdminResponse answer(Generations.Outcome outcome, Supplier<AdminResponse> taken) {
        if (outcome instanceof Generations.Outcome.Refused refusal) {
            return AdminResponse.refused(refusal.faults());
        }
        return outcome instanceof Generations.Outcome.NotKept
                ? AdminResponse.notFound("that generation is not kept; see /generations")
                : taken.get();
    }
}
