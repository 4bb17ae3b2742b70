package dev.lychgate.server.admin;

import dev.lychgate.server.json.Json;
import dev.lychgate.server.json.Shape;
import dev.lychgate.server.metrics.Losses;
import dev.lychgate.server.metrics.Losses.Kind;
import dev.lychgate.server.metrics.Losses.Loss;

/** {@code /losses}: refusals for lack of memory, and items that logs and receivers did not get. */
final class LossesPage {
    private static final Shape<Loss> LOSS = new Shape<Loss>("Loss")
            .field("kind", Json.words(Kind.values()), "The kind of lost items.", Loss::kind)
            .text("name", "The log, the receiver, or the part that needed the memory.", Loss::name)
            .integer("recent", "How many within the last minute.", Loss::recent)
            .integer("total", "How many since the start.", Loss::total)
            .text("metric", "The metric that counts them.", Loss::metric);

    static final Shape<Losses> SHAPE = new Shape<Losses>(
                    "Losses", "Items that were refused for lack of memory, and items that logs and receivers lost.")
            .list("losses", LOSS, "Every kind of loss, including those without losses.", Losses::all);

    private LossesPage() {}
}
