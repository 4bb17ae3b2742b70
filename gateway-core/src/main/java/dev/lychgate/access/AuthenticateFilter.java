package dev.lychgate.access;

import dev.lychgate.access.AuthenticationCounts.Result;
import dev.lychgate.error.ErrorKind;
import dev.lychgate.error.GatewayError;
import dev.lychgate.filter.AsyncFilter;
import dev.lychgate.filter.Authentication;
import dev.lychgate.filter.Authenticator;
import dev.lychgate.filter.BodyNeed;
import dev.lychgate.filter.FilterExchange;
import dev.lychgate.filter.FilterOutcome;
import dev.lychgate.filter.Headers;
import dev.lychgate.filter.Identity;
import dev.lychgate.filter.InboundFilter;
import dev.lychgate.http.FieldSyntax;
import dev.lychgate.route.ClaimText;
import java.time.Duration;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Authenticates requests with the authenticators of one section of the configuration. Tries the authenticators in
 * order, until one finds credentials. Sets the identity of the exchange and the header fields for claims.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9110#section-11.6.1">RFC 9110, 11.6.1 WWW-Authenticate</a>
 */
public final class AuthenticateFilter implements InboundFilter, AsyncFilter {
    /** The name of the filter in logs, metrics and traces. */
    public static final String NAME = "authenticate";

    private static final CompletionStage<FilterOutcome> PROCEED =
            CompletableFuture.completedFuture(FilterOutcome.proceed());
    private static final String CHALLENGE = "www-authenticate";

    private final AuthenticateSection section;
    private final List<AuthenticateSection.Named> authenticators;
    private final List<Map<Result, LongAdder>> counts;
    private final Map<Result, LongAdder> withoutCredentials;
    private final BodyNeed body;

    /** @param counts the counts of the gateway */
    public AuthenticateFilter(AuthenticateSection section, AuthenticationCounts counts) {
        this.section = section;
        this.authenticators = section.authenticators();
        this.counts =
                authenticators.stream().map(each -> counts.of(each.name())).toList();
        this.withoutCredentials = counts.of(AuthenticationCounts.NONE);
        this.body = BodyNeed.whole(authenticators.stream()
                .mapToInt(each -> each.authenticator().body().limit())
                .max()
                .orElse(0));
    }

    /** Returns the section whose authenticators this filter runs. */
    public AuthenticateSection section() {
        return section;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public BodyNeed body() {
        return body;
    }

    @Override
    public Duration timeout() {
        return authenticators.stream()
                .map(each -> each.authenticator().timeout())
                .max(Comparator.naturalOrder())
                .orElse(DEFAULT_TIMEOUT);
    }

    @Override
    public boolean needsBody(FilterExchange exchange) {
        for (AuthenticateSection.Named each : authenticators) {
            Authenticator authenticator = each.authenticator();
            if (!authenticator.body().isNone() && authenticator.needsBody(exchange)) {
                return true;
            }
        }
        return false;
    }

    @Override
    public CompletionStage<FilterOutcome> filter(FilterExchange exchange) {
        for (int i = 0; i < authenticators.size(); i++) {
            if (authenticators.get(i).authenticator().isAddressedBy(exchange)) {
                return ask(exchange, i, null);
            }
        }
        return ask(exchange, 0, null);
    }

    /**
     * Tries the authenticators in order, beginning with {@code first}. Called on the event loop.
     *
     * @param before the result of the first authenticator that found credentials but could not assess them; null if
     *     there is no such result
     */
    private CompletionStage<FilterOutcome> ask(
            FilterExchange exchange, int first, Authentication.@Nullable Unknown before) {
        Authentication.Unknown unknown = before;
        for (int i = first; i < authenticators.size(); i++) {
            Authentication result;
            try {
                CompletableFuture<Authentication> asked = authenticators
                        .get(i)
                        .authenticator()
                        .authenticate(exchange)
                        .toCompletableFuture();
                if (!asked.isDone()) {
                    return new Awaited(exchange, i, unknown, asked);
                }
                result = asked.join();
            } catch (RuntimeException | Error e) {
                return failed(i, e);
            }
            if (result == null) {
                return failed(i, nothing(i));
            }
            if (result instanceof Authentication.Unknown other) {
                unknown = unknown == null ? other : unknown;
            } else if (result != Authentication.absent()) {
                FilterOutcome outcome = outcome(exchange, i, result);
                return outcome == FilterOutcome.proceed() ? PROCEED : CompletableFuture.completedFuture(outcome);
            }
        }
        return withoutCredentials(exchange, unknown);
    }

    private CompletionStage<FilterOutcome> failed(int i, Throwable why) {
        count(i, Result.FAILED);
        return CompletableFuture.failedFuture(cause(why));
    }

    private static Throwable cause(Throwable why) {
        return why instanceof CompletionException && why.getCause() != null ? why.getCause() : why;
    }

    private IllegalStateException nothing(int i) {
        return new IllegalStateException(
                "authenticator " + authenticators.get(i).name() + " returned null");
    }

    /**
     * The outcome of one authenticator. If this authenticator finds no credentials, the authenticators after it in the
     * section determine the outcome. The gateway cancels the outcome if the exchange ends or the timeout expires.
     */
    private final class Awaited extends CompletableFuture<FilterOutcome> implements TimeoutOutcome {
        private final FilterExchange exchange;
        private final int index;
        private final Authentication.@Nullable Unknown unknown;
        /**
         * The outcome of the authenticators that run after this authenticator; null until this authenticator has a
         * result.
         */
        private @Nullable CompletableFuture<FilterOutcome> next;

        Awaited(
                FilterExchange exchange,
                int index,
                Authentication.@Nullable Unknown unknown,
                CompletableFuture<Authentication> asked) {
            this.exchange = exchange;
            this.index = index;
            this.unknown = unknown;
            whenComplete((result, failure) -> {
                if (isCancelled()) {
                    asked.cancel(false);
                    if (next != null) {
                        next.cancel(false);
                    }
                }
            });
            asked.whenComplete((result, failure) -> {
                if (!isDone()) {
                    onLoop(() -> complete(result, failure));
                }
            });
        }

        @Override
        public FilterOutcome onTimeout() {
            if (next instanceof TimeoutOutcome later) {
                return later.onTimeout();
            }
            count(index, Result.FAILED);
            return new FilterOutcome.Fail(GatewayError.local(
                    ErrorKind.IDENTITY_UNAVAILABLE,
                    "the authenticator " + authenticators.get(index).name() + " returned no result within the "
                            + "timeout"));
        }

        private void onLoop(Runnable task) {
            if (exchange instanceof OnLoop loop) {
                loop.onLoop(task);
            } else {
                task.run();
            }
        }

        private void complete(@Nullable Authentication result, @Nullable Throwable failure) {
            if (isDone()) {
                return;
            }
            try {
                if (failure != null) {
                    count(index, Result.FAILED);
                    fail(failure);
                } else if (result == Authentication.absent()) {
                    askNext(unknown);
                } else if (result instanceof Authentication.Unknown other) {
                    askNext(unknown == null ? other : unknown);
                } else if (result == null) {
                    count(index, Result.FAILED);
                    fail(nothing(index));
                } else {
                    complete(outcome(exchange, index, result));
                }
            } catch (RuntimeException | Error e) {
                fail(e);
            }
        }

        private void askNext(Authentication.@Nullable Unknown credentials) {
            CompletableFuture<FilterOutcome> later =
                    ask(exchange, index + 1, credentials).toCompletableFuture();
            next = later;
            later.whenComplete((outcome, why) -> {
                if (why == null) {
                    complete(outcome);
                } else {
                    fail(why);
                }
            });
        }

        private void fail(Throwable why) {
            completeExceptionally(cause(why));
        }
    }

    private void count(int i, Result result) {
        increment(counts.get(i), result);
    }

    private static void increment(Map<Result, LongAdder> counts, Result result) {
        LongAdder count = counts.get(result);
        if (count != null) {
            count.increment();
        }
    }

    private CompletionStage<FilterOutcome> withoutCredentials(
            FilterExchange exchange, Authentication.@Nullable Unknown unknown) {
        if (unknown == null && section.config().optional()) {
            increment(withoutCredentials, Result.ANONYMOUS);
            return PROCEED;
        }
        increment(withoutCredentials, unknown == null ? Result.MISSING : Result.REFUSED);
        if (unknown != null && unknown.challenge() != null) {
            exchange.addResponseHeader(CHALLENGE, unknown.challenge());
        } else {
            challenges().forEach(challenge -> exchange.addResponseHeader(CHALLENGE, challenge));
        }
        return CompletableFuture.completedFuture(new FilterOutcome.Fail(GatewayError.downstream(
                ErrorKind.UNAUTHENTICATED, unknown == null ? "the request has no credentials" : unknown.detail())));
    }

    /** Returns the challenges of all authenticators, without duplicates. */
    private Set<String> challenges() {
        Set<String> challenges = new LinkedHashSet<>();
        for (AuthenticateSection.Named each : authenticators) {
            String challenge = each.authenticator().challenge();
            if (challenge != null) {
                challenges.add(challenge);
            }
        }
        return challenges;
    }

    private FilterOutcome outcome(FilterExchange exchange, int i, Authentication result) {
        if (result instanceof Authentication.Accepted accepted) {
            return accept(exchange, i, accepted.identity());
        }
        if (result instanceof Authentication.Refused refused) {
            count(i, refused.status() == 503 ? Result.FAILED : Result.REFUSED);
            if (refused.challenge() != null) {
                exchange.addResponseHeader(CHALLENGE, refused.challenge());
            }
            ErrorKind kind = kind(refused.status());
            return new FilterOutcome.Fail(
                    kind == ErrorKind.IDENTITY_UNAVAILABLE
                            ? GatewayError.local(kind, refused.detail())
                            : GatewayError.downstream(kind, refused.detail()));
        }
        count(i, Result.RESPONDED);
        return ((Authentication.Responded) result).outcome();
    }

    private static ErrorKind kind(int status) {
        return switch (status) {
            case 400 -> ErrorKind.BAD_CREDENTIALS;
            case 403 -> ErrorKind.FORBIDDEN;
            case 503 -> ErrorKind.IDENTITY_UNAVAILABLE;
            default -> ErrorKind.UNAUTHENTICATED;
        };
    }

    private FilterOutcome accept(FilterExchange exchange, int i, Identity identity) {
        Map<String, String> mappings = section.config().claimsToHeaders();
        if (!mappings.isEmpty()) {
            Headers headers = exchange.getRequest().getHeaders();
            for (Map.Entry<String, String> mapping : mappings.entrySet()) {
                Object claim = identity.claim(mapping.getKey());
                String text = ClaimText.of(claim);
                if (claim == null) {
                    headers.remove(mapping.getValue());
                } else if (text == null || !isField(text)) {
                    count(i, Result.REFUSED);
                    return new FilterOutcome.Fail(GatewayError.downstream(
                            ErrorKind.FORBIDDEN,
                            "the claim " + mapping.getKey() + " has a value that cannot be sent in a request header "
                                    + "field"));
                } else {
                    headers.set(mapping.getValue(), text);
                }
            }
        }
        count(i, Result.ACCEPTED);
        exchange.setIdentity(identity);
        return FilterOutcome.proceed();
    }

    /**
     * Returns whether a text is a single line of ASCII that a header field can contain without change. Recipients strip
     * blanks at both ends of a field value. If this method accepted blanks at the ends, two different claims could
     * become the same field value.
     */
    private static boolean isField(String text) {
        return !text.isEmpty()
                && text.chars().allMatch(c -> c >= 0x20 && c < 0x7f)
                && text.strip().equals(text)
                && FieldSyntax.isValue(text);
    }

    @Override
    public String toString() {
        return NAME + " "
                + authenticators.stream().map(AuthenticateSection.Named::name).toList();
    }
}
