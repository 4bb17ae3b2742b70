package dev.lychgate.server.admin;

import dev.lychgate.generation.Generation;
import dev.lychgate.server.json.Json;
import dev.lychgate.server.json.Shape;

/** {@code /generation}: which one is in use, since when, and how much there is of what. */
final class GenerationPage {
    static final Shape<Generation> SHAPE = new Shape<Generation>("Generation", "The generation in use.")
            .integer("number", "Its number.", Generation::number)
            .field("since", Json.TIME, "When it took over.", Generation::since)
            .integer(
                    "routes",
                    "How many routes it has.",
                    it -> it.routes().routes().size())
            .integer(
                    "upstreams",
                    "How many upstreams it has.",
                    it -> it.upstreams().size())
            .integer("endpoints", "How many endpoints they have.", GenerationPage::endpoints)
            .integer(
                    "filters",
                    "How many filters it has.",
                    it -> it.filters().slots().size());

    private GenerationPage() {}

    private static int endpoints(Generation it) {
        return it.upstreams().stream()
                .mapToInt(upstream -> upstream.endpoints().size())
                .sum();
    }
}
