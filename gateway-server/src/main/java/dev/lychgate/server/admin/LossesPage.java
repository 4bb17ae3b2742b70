package dev.lychgate.server.admin;

import dev.lychgate.server.json.Json;
import dev.lychgate.server.json.Shape;
import dev.lychgate.server.metrics.Losses;
import dev.lychgate.server.metrics.Losses.Kind;
import dev.lychgate.server.metrics.Losses.Loss;

/** {@code /losses}: the counts of refusals for lack of memory, and of items that logs and receivers lost. */
final class LossesPage {
    private static final Shape<Loss> LOSS = new Shape<Loss>("Loss")
            .field("kind", Json.words(Kind.values()), "The kind of lost items.", Loss::kind)
            .text("name", "The log, the receiver, or the part that needed the memory.", Loss::name)
            .integer("recent", "The number of losses within the last minute.", Loss::recent)
            .integer("total", "The number of losses since the start.", Loss::total)
            .text("metric", "The metric that counts the losses.", Loss::metric);

    static final Shape<Losses> SHAPE = new Shape<Losses>(
                    "Losses", "Items that were refused for lack of memory, and items that logs and receivers lost.")
            .list("losses", LOSS, "Every kind of loss, including kinds without a loss.", Losses::all);

    private LossesPage() {}
}
