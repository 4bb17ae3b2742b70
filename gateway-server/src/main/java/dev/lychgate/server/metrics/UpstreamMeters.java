package dev.lychgate.server.metrics;

import dev.lychgate.error.ErrorKind;
import dev.lychgate.resilience.AttemptTally;
import dev.lychgate.resilience.CircuitBreaker;
import dev.lychgate.resilience.CircuitBreaker.Hold;
import dev.lychgate.resilience.CircuitBreaker.Position;
import dev.lychgate.resilience.Ending;
import dev.lychgate.resilience.Protection;
import dev.lychgate.resilience.RetryDecision;
import dev.lychgate.resilience.SentAgain;
import dev.lychgate.upstream.Upstream;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What becomes of the attempts at each upstream, and what stands between it and its callers: some fifteen series for each
 * upstream, and six for each circuit. Guards that are not configured have none. For one thread.
 */
final class UpstreamMeters {
    /** The {@code endpoint} of a circuit that all endpoints share. */
    private static final String ALL = "-";

    private static final List<ErrorKind> REFUSALS =
            List.of(ErrorKind.CIRCUIT_OPEN, ErrorKind.BULKHEAD_FULL, ErrorKind.CONCURRENCY_LIMITED);

    private final MeterRegistry registry;
    private final List<MeterRows> all = new ArrayList<>();
    private final MeterRows attempts;
    private final MeterRows refused;
    private final MeterRows underWay;
    private final MeterRows retries;
    private final MeterRows notRetried;
    private final MeterRows hedgesWon;
    private final MeterRows budget;
    private final MeterRows breaker;
    private final MeterRows held;
    private final MeterRows openings;
    private final MeterRows limit;
    private final MeterRows bulkhead;

    UpstreamMeters(MeterRegistry registry) {
        this.registry = registry;
        attempts = counter("attempts", "Attempts that ended, by what that says of the origin", "ending");
        refused = counter("attempts.refused", "Attempts that a guard refused", "reason");
        underWay = gauge("attempts.under.way", "Attempts under way");
        retries = counter("retries", "Requests sent again, by why", "kind");
        notRetried = counter(
                "retries.refused", "Failed and slow attempts after which nothing was sent again", "kind", "reason");
        hedgesWon = counter("hedges.won", "Second attempts whose answer was taken");
        budget = counter("retry.budget", "Attempts that the retry budget was asked for", "result");
        breaker = gauge("breaker.position", "1 for what the circuit does, else 0", "endpoint", "position");
        held = gauge(
                "breaker.held", "1 if an operator holds the circuit in that position, else 0", "endpoint", "position");
        openings = counter("breaker.openings", "How often the circuit has opened", "endpoint");
        limit = gauge("limit", "Attempts that the adaptive limit lets be under way, over all event loops");
        bulkhead = gauge("bulkhead.in.use", "Places of the bulkhead that are taken");
    }

    private MeterRows counter(String what, String description, String... further) {
        return rows(MeterRows.Kind.COUNTER, what, description, further);
    }

    private MeterRows gauge(String what, String description, String... further) {
        return rows(MeterRows.Kind.GAUGE, what, description, further);
    }

    private MeterRows rows(MeterRows.Kind kind, String what, String description, String... further) {
        String[] labels = new String[1 + further.length];
        labels[0] = "upstream";
        System.arraycopy(further, 0, labels, 1, further.length);
        MeterRows rows = new MeterRows(registry, kind, "lychgate." + what, null, description, labels);
        all.add(rows);
        return rows;
    }

    void show(Collection<Upstream> upstreams) {
        for (Upstream upstream : upstreams) {
            Protection protection = upstream.protection();
            showAttempts(upstream.name(), protection.tally());
            showRetries(upstream.name(), protection.tally());
            showGuards(upstream.name(), protection);
        }
        all.forEach(MeterRows::removeUntouched);
    }

    private void showAttempts(String upstream, AttemptTally tally) {
        for (Ending ending : Ending.values()) {
            attempts.set(tally.ended(ending), upstream, word(ending));
        }
        for (ErrorKind kind : REFUSALS) {
            refused.set(tally.refused(kind), upstream, kind.label());
        }
        underWay.set(tally.underWay(), upstream);
    }

    private void showRetries(String upstream, AttemptTally tally) {
        for (SentAgain why : SentAgain.values()) {
            retries.set(tally.again(why), upstream, word(why));
        }
        for (RetryDecision decision : RetryDecision.values()) {
            if (!decision.sendsAgain()) {
                showRefusal(tally.retriesDecided(decision), upstream, SentAgain.RETRY, decision);
                showRefusal(tally.hedgesDecided(decision), upstream, SentAgain.HEDGE, decision);
            }
        }
        hedgesWon.set(tally.hedgesWon(), upstream);
        budget.set(tally.budgetSpent(), upstream, "spent");
        budget.set(tally.budgetRefused(), upstream, "refused");
    }

    /** Most reasons never happen at most upstreams. */
    private void showRefusal(long count, String upstream, SentAgain kind, RetryDecision reason) {
        if (count > 0) {
            notRetried.set(count, upstream, word(kind), reason.label());
        }
    }

    private void showGuards(String upstream, Protection protection) {
        for (Map.Entry<String, CircuitBreaker> circuit : protection.breakers().entrySet()) {
            String endpoint = circuit.getKey().isEmpty() ? ALL : circuit.getKey();
            Position position = circuit.getValue().position();
            for (Position each : Position.values()) {
                breaker.set(each == position ? 1 : 0, upstream, endpoint, word(each));
            }
            held.set(circuit.getValue().hold() == Hold.OPEN ? 1 : 0, upstream, endpoint, "open");
            held.set(circuit.getValue().hold() == Hold.CLOSED ? 1 : 0, upstream, endpoint, "closed");
            openings.set(circuit.getValue().openings(), upstream, endpoint);
        }
        protection.limit().ifPresent(now -> limit.set(now, upstream));
        protection.bulkheadInUse().ifPresent(now -> bulkhead.set(now, upstream));
    }

    private static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
