package dev.lychgate.oidc;

import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A document of a provider. It is fetched when it is first needed, and again when it is too old. At most one request at
 * a time fetches it. If a request fails, the earlier document stays in use. Confined to the thread that owns the state
 * of the extension.
 *
 * @param <T> the type of the parsed document
 */
final class Renewed<T> {
    private static final Logger LOG = LoggerFactory.getLogger(Renewed.class);

    /**
     * The minimum time in milliseconds between a failure and the next request, so that a failing provider is not
     * flooded.
     */
    private static final long PAUSE = 1_000;

    private final String name;
    private final Supplier<CompletableFuture<T>> source;
    private final long lifetime;
    private final long minimumAge;
    private final Clock clock;
    private @Nullable T value;
    private long fetched;
    private @Nullable CompletableFuture<T> pending;
    private @Nullable Throwable failure;
    private long failed;

    /**
     * Creates an object whose document has not been fetched.
     *
     * @param name the document, for the log
     * @param lifetime the age at which the document is fetched again
     * @param minimumAge the age from which {@link #fresher} fetches the document again
     */
    Renewed(String name, Supplier<CompletableFuture<T>> source, Duration lifetime, Duration minimumAge, Clock clock) {
        this.name = name;
        this.source = source;
        this.lifetime = lifetime.toMillis();
        this.minimumAge = minimumAge.toMillis();
        this.clock = clock;
    }

    /** Returns the document. The future fails with a {@link ProviderException} if there is no document. */
    CompletableFuture<T> get() {
        T known = value;
        return known != null && clock.millis() - fetched < lifetime
                ? CompletableFuture.completedFuture(known)
                : fetch();
    }

    /** Returns a recently fetched document, which may contain keys that the current document lacks. */
    CompletableFuture<T> fresher() {
        T known = value;
        return known != null && clock.millis() - fetched < minimumAge
                ? CompletableFuture.completedFuture(known)
                : fetch();
    }

    private CompletableFuture<T> fetch() {
        CompletableFuture<T> running = pending;
        if (running != null) {
            return running;
        }
        Throwable last = failure;
        if (last != null && clock.millis() - failed < PAUSE) {
            T known = value;
            return known == null ? CompletableFuture.failedFuture(last) : CompletableFuture.completedFuture(known);
        }
        CompletableFuture<T> result = new CompletableFuture<>();
        pending = result;
        CompletableFuture<T> request;
        try {
            request = source.get();
        } catch (RuntimeException e) {
            request = CompletableFuture.failedFuture(e);
        }
        request.whenComplete((document, problem) -> {
            pending = null;
            if (problem == null) {
                value = document;
                fetched = clock.millis();
                failure = null;
                result.complete(document);
            } else {
                failed(problem, result);
            }
        });
        return result;
    }

    private void failed(Throwable problem, CompletableFuture<T> result) {
        failure = problem;
        failed = clock.millis();
        T known = value;
        LOG.warn(
                "oidc: {} could not be fetched: {}; {}",
                name,
                problem.getMessage(),
                known == null ? "logins get 503 until it can be fetched" : "the earlier document stays in use");
        if (known == null) {
            result.completeExceptionally(problem);
        } else {
            result.complete(known);
        }
    }
}
