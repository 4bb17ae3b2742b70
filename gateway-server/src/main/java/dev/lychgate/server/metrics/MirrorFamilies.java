package dev.lychgate.server.metrics;

import static dev.lychgate.server.metrics.Families.eachCounted;

import dev.lychgate.exchange.call.MirrorOutcome;
import dev.lychgate.server.metrics.Families.Group;
import dev.lychgate.server.metrics.MirrorTally.Kind;
import dev.lychgate.server.metrics.MirrorTally.Result;
import java.util.stream.Stream;

/** The metric families of mirrors. Not thread-safe. */
final class MirrorFamilies {
    private static final MirrorOutcome[] SENT = outcomes(false);
    private static final MirrorOutcome[] DROPPED = outcomes(true);

    private final Group<MirrorTally> all;

    MirrorFamilies(Families families) {
        all = families.<MirrorTally>group("lychgate_mirror_", "route", "upstream")
                .counter(
                        "requests{outcome}",
                        "Copies of requests that were sent or refused by their upstream, by outcome",
                        eachCounted(SENT, MirrorOutcome::label, MirrorTally::ended))
                .counter(
                        "dropped{reason}",
                        "Copies of requests that the gateway dropped",
                        eachCounted(DROPPED, MirrorOutcome::label, MirrorTally::ended))
                .summary(
                        "seconds",
                        "Time from the start of a copy to the end of its response",
                        MirrorTally::timed,
                        MirrorTally::seconds)
                .counter(
                        "comparisons{result}",
                        "Comparisons of a response to a copy with the response of the route's origin",
                        eachCounted(Result.values(), Families::word, MirrorTally::count))
                .counter(
                        "differences{kind}",
                        "Differences that comparisons found",
                        eachCounted(Kind.values(), Families::word, MirrorTally::count));
    }

    private static MirrorOutcome[] outcomes(boolean dropped) {
        return Stream.of(MirrorOutcome.values())
                .filter(outcome -> outcome.isDropped() == dropped)
                .toArray(MirrorOutcome[]::new);
    }

    void read(MirrorTallies tallies) {
        tallies.all().forEach((mirror, tally) -> all.read(tally, mirror.route(), mirror.upstream()));
    }
}
