package dev.lychgate.server.admin;

import dev.lychgate.server.admin.DifferencePage.Difference;
import dev.lychgate.server.admin.Proposals.Result;
import dev.lychgate.server.json.Json;
import dev.lychgate.server.json.Shape;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** {@code POST /reload}, with and without {@code dry-run=true}. */
final class DryRunPage {
    static final Parameter<String> DRY_RUN = Parameter.optional(
            "dry-run", Json.words("true"), "true checks the files as a reload does, without putting them in force");

    record DryRun(Difference difference, List<String> warnings) {}

    /** @param dryRun the verdict of a dry run; null after a reload */
    record Reloaded(Generations generations, @Nullable DryRun dryRun) {}

    private static final Shape<DryRun> VERDICT = new Shape<DryRun>("DryRun")
            .list(
                    "warnings",
                    Json.TEXT,
                    "The warnings, one line each, such as failed tests that do not refuse the files.",
                    DryRun::warnings)
            .field(
                    "difference",
                    DifferencePage.SHAPE,
                    "The difference between the running generation and the files.",
                    DryRun::difference);

    /** The response: the members of {@code /generations}, and the verdict of a dry run. */
    static final Shape<Reloaded> SHAPE = GenerationPages.kept(
                    new Shape<Reloaded>("Reload", "The generations after a reload."), Reloaded::generations)
            .optional("dry_run", VERDICT, "The verdict of a dry run that accepted the files.", Reloaded::dryRun);

    private DryRunPage() {}

    /**
     * Reloads the files, or only checks them. Responds with 200 if the files are valid, or with 422 and the errors of
     * the files.
     */
    static CompletableFuture<AdminResponse> reload(Generations generations, Proposals proposals, Parameters given)
            throws Rejection {
        return given.optional(DRY_RUN) == null
                ? generations
                        .reloadNow(RolloutPage.request(given), given.author())
                        .thenApply(outcome -> GenerationPages.answer(outcome, () -> json(generations)))
                : proposals.dryRun().thenApply(result -> answer(generations, result));
    }

    private static AdminResponse json(Generations generations) {
        return AdminResponse.json(SHAPE, new Reloaded(generations, null));
    }

    private static AdminResponse answer(Generations generations, Result result) {
        return result instanceof Result.Proposed proposed
                ? AdminResponse.json(
                        SHAPE, new Reloaded(generations, new DryRun(DifferencePage.of(proposed), proposed.warnings())))
                : AdminResponse.refused(((Result.Refused) result).faults());
    }
}
