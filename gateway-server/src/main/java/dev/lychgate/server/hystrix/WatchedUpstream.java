package dev.lychgate.server.hystrix;

import dev.lychgate.config.UpstreamConfig;
import dev.lychgate.resilience.AttemptTally;
import dev.lychgate.resilience.CircuitBreaker;
import dev.lychgate.resilience.Protection;

/**
 * An upstream as the dashboard sees it.
 *
 * @param config its settings in the newest generation
 * @param protection what protects it, and what became of the attempts at it
 */
public record WatchedUpstream(UpstreamConfig config, Protection protection) {
    AttemptTally tally() {
        return protection.tally();
    }

    /** Whether its circuit, or that of one of its endpoints, is not closed. */
    boolean isOpen() {
        return protection.breakers().values().stream()
                .anyMatch(breaker -> breaker.position() != CircuitBreaker.Position.CLOSED);
    }
}
