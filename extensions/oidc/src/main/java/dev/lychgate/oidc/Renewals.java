package dev.lychgate.oidc;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * The renewals of sessions. Requests with the same cookie share one renewal. Requests that arrive with the old cookie
 * soon after a renewal get the same result. A refresh token is often valid only once, so a second use would end the
 * session. Confined to the thread that owns the state of the extension.
 */
final class Renewals {
    /**
     * The time in milliseconds for which the result of a successful renewal is kept. A browser sends the old cookie until it receives the
     * response with the new cookie.
     */
    private static final long KEPT = 60_000;
    /**
     * The minimum time in milliseconds between the beginning of a renewal that failed temporarily and the beginning of
     * the next renewal of the session.
     */
    private static final long PAUSE = 5_000;

    private final int most;
    private final Map<String, Renewal> bySession = new LinkedHashMap<>();

    private record Renewal(CompletableFuture<Session> result, long begun) {
        boolean isOver(long now) {
            return result.isDone() && now - begun > (isTransient() ? PAUSE : KEPT);
        }

        private boolean isTransient() {
            return result.isCompletedExceptionally()
                    && result.handle((session, failure) -> !ProviderException.isFinal(failure))
                            .join();
        }
    }

    /**
     * Creates an object without renewals.
     *
     * @param most the maximum number of results that are kept
     */
    Renewals(int most) {
        this.most = most;
    }

    /**
     * Returns the renewed session.
     *
     * @param now milliseconds since the epoch
     */
    CompletableFuture<Session> of(Session session, long now, Supplier<CompletableFuture<Session>> renew) {
        String key = session.id() + "." + session.renewals();
        Renewal known = bySession.get(key);
        if (known != null && !known.isOver(now)) {
            return known.result();
        }
        bySession.remove(key);
        Iterator<Renewal> oldest = bySession.values().iterator();
        while (oldest.hasNext()) {
            if (!oldest.next().isOver(now) && bySession.size() < most) {
                break;
            }
            oldest.remove();
        }
        CompletableFuture<Session> result = renew.get();
        bySession.put(key, new Renewal(result, now));
        return result;
    }
}
