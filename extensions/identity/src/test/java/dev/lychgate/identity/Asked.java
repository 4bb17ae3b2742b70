package dev.lychgate.identity;

import static java.util.Objects.requireNonNull;

import dev.lychgate.filter.AsyncFilter;
import dev.lychgate.filter.Authentication;
import dev.lychgate.filter.Authenticator;
import dev.lychgate.filter.FilterExchange;
import dev.lychgate.filter.FilterOutcome;
import dev.lychgate.filter.Identity;
import dev.lychgate.filter.InboundFilter;
import dev.lychgate.filters.testing.SentRequest;
import dev.lychgate.filters.testing.TestExchange;
import dev.lychgate.filters.testing.TestResult;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The result of an authenticator for one request, in an exchange without sockets.
 *
 * @param sent the request as the origin received it; null if it was refused
 */
record Asked(Authentication result, @Nullable SentRequest sent) {
    static Asked ask(Authenticator authenticator, TestExchange exchange) {
        AtomicReference<@Nullable Authentication> result = new AtomicReference<>();
        try (TestResult done = exchange.through(new Asking(authenticator, result))) {
            // Waits for the threads of the authenticator.
            done.getStatus();
            return new Asked(requireNonNull(result.get()), done.getSent());
        }
    }

    private record Asking(Authenticator authenticator, AtomicReference<@Nullable Authentication> result)
            implements InboundFilter, AsyncFilter {
        @Override
        public CompletionStage<FilterOutcome> filter(FilterExchange exchange) {
            return authenticator.authenticate(exchange).thenApply(now -> {
                result.set(now);
                return now instanceof Authentication.Refused refused
                        ? FilterOutcome.respond(refused.status())
                        : FilterOutcome.proceed();
            });
        }
    }

    /** The accepted identity. Fails if there is none. */
    Identity identity() {
        if (result instanceof Authentication.Accepted accepted) {
            return accepted.identity();
        }
        throw new AssertionError(text());
    }

    /** The result in words: {@code absent}, {@code accepted} with the subject, or the status with the reason. */
    String text() {
        return text(result);
    }

    static String text(Authentication result) {
        if (result instanceof Authentication.Accepted accepted) {
            return "accepted " + accepted.identity().subject();
        }
        return result instanceof Authentication.Refused refused ? refused.status() + " " + refused.detail() : "absent";
    }
}
