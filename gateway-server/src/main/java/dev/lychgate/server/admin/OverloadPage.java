package dev.lychgate.server.admin;

import dev.lychgate.generation.Generation;
import dev.lychgate.generation.OverloadPolicy;
import dev.lychgate.resilience.OverloadLadder;
import dev.lychgate.resilience.OverloadLadder.Position;
import dev.lychgate.resilience.OverloadLadder.Rung;
import dev.lychgate.server.json.Json;
import dev.lychgate.server.json.Shape;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** {@code /overload}: for each upstream, the current rung (level of overload), the age of the rung, and its reason. */
final class OverloadPage {
    private record RungOf(Rung rung, Ladder ladder) {
        boolean isConfigured() {
            return ladder.policy.has(rung);
        }
    }

    private record Ladder(String upstream, OverloadPolicy policy, OverloadLadder ladder, Position position) {
        @Nullable
        Double seconds() {
            // Before the first shed or limited request, the rung has never changed, so it has no age.
            return position.since() == 0 ? null : TimeUnit.NANOSECONDS.toMillis(policy.age(position)) / 1e3;
        }

        @Nullable
        String reason() {
            return position.reason() == null ? null : position.reason().label();
        }

        List<RungOf> rungs() {
            return List.of(Rung.values()).stream()
                    .map(rung -> new RungOf(rung, this))
                    .filter(RungOf::isConfigured)
                    .toList();
        }
    }

    private static final Shape<RungOf> RUNG = new Shape<RungOf>("OverloadRung")
            .text("rung", "The name of the rung.", one -> one.rung.label())
            .integer(
                    "reached",
                    "The number of times the rung was reached from a lower rung, since the start.",
                    one -> one.ladder.ladder.reached(one.rung));

    private static final Shape<Ladder> LADDER = new Shape<Ladder>("OverloadLadder")
            .text("upstream", "The name of the upstream.", Ladder::upstream)
            .text("rung", "The current rung.", one -> one.position.rung().label())
            .optional(
                    "seconds",
                    Json.NUMBER,
                    "The time since this rung was reached; missing if the rung has never changed.",
                    Ladder::seconds)
            .optionalText(
                    "reason", "The error of the latest refused request; missing on the lowest rung.", Ladder::reason)
            .integer(
                    "limited",
                    "Requests that rate limits of routes of the upstream refused, since the start.",
                    one -> one.ladder.limited())
            .integer("shed", "Requests that were shed, since the start.", one -> one.ladder.shed())
            .list("rungs", RUNG, "All rungs, from the lowest.", Ladder::rungs);

    static final Shape<Generation> SHAPE = new Shape<Generation>("Overload", "The overload of the upstreams.")
            .list(
                    "overload",
                    LADDER,
                    "The overload of each upstream; empty without the section overload.",
                    OverloadPage::all);

    private OverloadPage() {}

    private static List<Ladder> all(Generation generation) {
        OverloadPolicy policy = generation.overload();
        return policy == null
                ? List.of()
                : policy.ladders().entrySet().stream()
                        .map(of -> new Ladder(of.getKey(), policy, of.getValue(), policy.position(of.getValue())))
                        .toList();
    }
}
