package dev.lychgate.oidc;

import dev.lychgate.filter.Authentication;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs work for requests on the thread that owns the state of the extension. Thread-safe and lock-free. */
final class Tasks {
    private static final Logger LOG = LoggerFactory.getLogger(Tasks.class);

    /** The minimum time between two logged failures of the provider, in nanoseconds. */
    private static final long QUIET = 1_000_000_000L;

    /** The maximum number of logouts by the provider that wait or run. */
    static final int MOST_LOGOUTS = 16;

    private final OidcState state;
    private final int most;
    private final String issuer;
    /** The time of the last warning, in nanoseconds; used on the owning thread only. */
    private long warned = System.nanoTime() - QUIET;

    /**
     * Creates an object that runs tasks for one provider.
     *
     * @param most the maximum number of requests that wait
     */
    Tasks(OidcState state, int most, String issuer) {
        this.state = state;
        this.most = most;
        this.issuer = issuer;
    }

    static CompletionStage<Authentication> now(Authentication result) {
        return CompletableFuture.completedFuture(result);
    }

    /**
     * Runs a task on the owning thread. A {@link ProviderException} becomes a response; any other exception fails the
     * stage.
     */
    CompletionStage<Authentication> later(Supplier<CompletableFuture<Authentication>> task) {
        return later(task, state.waiting(), most);
    }

    /**
     * Runs a task like {@link #later}, for a logout that any client can request. At most {@value #MOST_LOGOUTS} of
     * these tasks wait or run at the same time, so that they do not delay logins. A logout beyond this number gets the
     * status 503, and the provider repeats it later.
     */
    CompletionStage<Authentication> laterUnauthenticated(Supplier<CompletableFuture<Authentication>> task) {
        return later(task, state.waitingLogouts(), Math.min(most, MOST_LOGOUTS));
    }

    private CompletionStage<Authentication> later(
            Supplier<CompletableFuture<Authentication>> task, AtomicInteger waiting, int limit) {
        CompletableFuture<Authentication> result = new CompletableFuture<>();
        return state.enter(waiting, limit, () -> run(task, waiting, result))
                ? result
                : now(Authentication.refused(503, null, "too many requests wait for the identity provider"));
    }

    private void run(
            Supplier<CompletableFuture<Authentication>> task,
            AtomicInteger waiting,
            CompletableFuture<Authentication> result) {
        CompletableFuture<Authentication> running;
        try {
            // The result is cancelled when the client has disconnected.
            running = result.isDone() ? CompletableFuture.completedFuture(Authentication.absent()) : task.get();
        } catch (RuntimeException e) {
            running = CompletableFuture.failedFuture(e);
        }
        running.whenComplete((authentication, failure) -> {
            waiting.decrementAndGet();
            if (failure == null) {
                result.complete(authentication);
                return;
            }
            try {
                result.complete(refusal(ProviderException.of(failure)));
            } catch (RuntimeException e) {
                result.completeExceptionally(e);
            }
        });
    }

    private Authentication refusal(ProviderException failure) {
        if (failure.kind() == ProviderException.Kind.UNAVAILABLE) {
            long now = System.nanoTime();
            if (now - warned >= QUIET) {
                warned = now;
                LOG.warn("oidc: provider {} is not available: {}; requests get 503", issuer, failure.getMessage());
            }
            return Authentication.refused(503, null, "the identity provider is not available");
        }
        LOG.info("oidc: login at {} failed: {}; the request gets 403", issuer, failure.getMessage());
        return Authentication.refused(403, null, "the login failed: " + failure.getMessage());
    }
}
