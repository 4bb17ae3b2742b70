package dev.lychgate.server.admin;

import dev.lychgate.generation.Generation;
import dev.lychgate.resilience.CircuitBreaker;
import dev.lychgate.resilience.CircuitBreaker.Hold;
import dev.lychgate.upstream.Upstream;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What an operator can do about a circuit: hold it open, so that nothing is sent, or closed, so that everything is. It holds
 * over reloads, as long as the upstream has a breaker, and ends with the process.
 */
final class BreakerActions {
    private BreakerActions() {}

    /** 200 with the circuit as it is now, 404 if there is no such one, 400 for what can't be understood. */
    static AdminAnswer change(Generation generation, Parameters given) {
        @Nullable
        Hold hold = Arrays.stream(Hold.values())
                .filter(one -> BreakersPage.word(one).equals(given.needed("state")))
                .findFirst()
                .orElse(null);
        if (hold == null) {
            return AdminAnswer.malformed("state is force-open, force-closed or auto");
        }
        Upstream upstream = generation.upstream(given.needed("upstream"));
        String endpoint = Objects.requireNonNullElse(given.optional("endpoint"), "");
        CircuitBreaker breaker =
                upstream == null ? null : upstream.protection().breakers().get(endpoint);
        if (upstream == null || breaker == null) {
            return AdminAnswer.notFound("there is no such circuit; see /breakers");
        }
        long now = System.nanoTime();
        breaker.force(hold, now);
        return AdminAnswer.json(json -> {
            json.writeStartObject();
            json.writeStringField("upstream", upstream.name());
            BreakersPage.fields(json, endpoint, breaker, now);
            json.writeEndObject();
        });
    }
}
