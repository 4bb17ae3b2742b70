package dev.lychgate.server.admin;

import dev.lychgate.generation.Generation;
import dev.lychgate.resilience.CircuitBreaker;
import dev.lychgate.resilience.CircuitBreaker.Hold;
import dev.lychgate.resilience.CircuitBreaker.Position;
import dev.lychgate.server.json.Json;
import dev.lychgate.server.json.JsonType;
import dev.lychgate.server.json.Shape;
import dev.lychgate.upstream.Upstream;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;

/**
 * {@code /breakers}: every circuit breaker. An operator can force a breaker open, so that no request is sent, or
 * closed, so that every request is sent. The forced position survives reloads for as long as the upstream has a
 * breaker, and ends with the process.
 */
final class BreakersPage {
    private static final JsonType<Hold> HOLD = Json.words(Hold.values(), BreakersPage::word);

    static final Parameter<String> UPSTREAM =
            Parameter.needed("upstream", "the name of the upstream of the circuit breaker");
    static final Parameter<String> ENDPOINT =
            Parameter.optional("endpoint", "the HOST:PORT of the endpoint, if each endpoint has a separate circuit");
    static final Parameter<Hold> STATE = Parameter.needed("state", HOLD, "the forced position; none = automatic");

    /**
     * @param endpoint empty if all endpoints share the circuit
     * @param now nanoseconds of {@link System#nanoTime()}
     */
    record Circuit(String upstream, String endpoint, CircuitBreaker breaker, long now) {}

    /** A circuit without its upstream, for a page that names the upstream elsewhere. */
    static final Shape<Circuit> CIRCUIT = new Shape<Circuit>("Circuit", "A circuit breaker of an upstream.")
            .optionalText("endpoint", "Host and port; missing if all endpoints share the circuit.", Circuit::endpoint)
            .field("position", Json.words(Position.values()), "Whether attempts are sent.", it -> it.breaker.position())
            .field("state", HOLD, "The position that an operator set.", circuit -> circuit.breaker.hold())
            .integer(
                    "attempts",
                    "The number of attempts in the window.",
                    circuit -> circuit.breaker.attempts(circuit.now))
            .integer(
                    "failures",
                    "The number of failed attempts in the window.",
                    circuit -> circuit.breaker.failures(circuit.now))
            .integer("openings", "The number of times the breaker opened.", circuit -> circuit.breaker.openings());

    /** A circuit with the name of its upstream. */
    static final Shape<Circuit> BREAKER = new Shape<Circuit>("Breaker", "A circuit breaker.")
            .text("upstream", "The name of the upstream.", Circuit::upstream)
            .include(CIRCUIT, circuit -> circuit);

    static final Shape<Generation> SHAPE = new Shape<Generation>("Breakers", "The circuit breakers in use.")
            .integer("generation", "The number of the generation.", Generation::number)
            .list("breakers", BREAKER, "Every circuit breaker.", BreakersPage::all);

    private BreakersPage() {}

    private static List<Circuit> all(Generation generation) {
        return generation.upstreams().stream()
                .flatMap(upstream -> of(upstream).stream())
                .toList();
    }

    static List<Circuit> of(Upstream upstream) {
        long now = System.nanoTime();
        return new TreeMap<>(upstream.protection().breakers())
                .entrySet().stream()
                        .map(circuit -> new Circuit(upstream.name(), circuit.getKey(), circuit.getValue(), now))
                        .toList();
    }

    /**
     * Sets the position of a circuit. Returns the circuit after the change. Rejects the request with 404 if no such
     * circuit exists.
     */
    static Circuit change(Generation generation, Parameters given) throws Rejection {
        Upstream upstream = generation.upstream(given.needed(UPSTREAM));
        String endpoint = Objects.requireNonNullElse(given.optional(ENDPOINT), "");
        CircuitBreaker breaker =
                upstream == null ? null : upstream.protection().breakers().get(endpoint);
        if (upstream == null || breaker == null) {
            throw Rejection.notFound("unknown circuit; see /breakers");
        }
        long now = System.nanoTime();
        breaker.force(given.needed(STATE), now);
        return new Circuit(upstream.name(), endpoint, breaker, now);
    }

    /** Returns the name that requests and responses use for a position of a circuit breaker. */
    static String word(Hold hold) {
        return switch (hold) {
            case NONE -> "auto";
            case OPEN -> "force-open";
            case CLOSED -> "force-closed";
        };
    }
}
