package dev.lychgate.oidc;

import dev.lychgate.loop.SerialExecutor;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The state that generations share. It outlives a reload, because a reload must neither restore an ended session nor
 * cause a second renewal of a session. One thread owns this state. Only the lists of ended sessions are also read by
 * event loops.
 */
final class OidcState {
    /** The maximum number of stored renewals, and the maximum number of stored logins. */
    private static final int MOST = 100_000;

    private final SerialExecutor owner = SerialExecutor.passing("lychgate-oidc");
    private final AtomicInteger waiting = new AtomicInteger();
    private final AtomicInteger waitingLogouts = new AtomicInteger();
    private final EndedSessions ended = new EndedSessions("ended sessions", MOST);
    private final EndedSessions frontChannel = new EndedSessions("sessions ended by front-channel logout", MOST);
    private final Renewals renewals = new Renewals(MOST);
    /** The completed logins by their parameter {@code state}, with the time at which their cookies expire. */
    private final Map<String, Long> completed = new LinkedHashMap<>();

    /** Returns the thread that owns the state. */
    Executor owner() {
        return owner;
    }

    /** The sessions that the gateway or a verified logout token has ended. */
    EndedSessions ended() {
        return ended;
    }

    /**
     * The sessions that a front-channel logout has ended. The list is separate, because front-channel requests are not
     * authenticated and must not displace other entries.
     */
    EndedSessions frontChannel() {
        return frontChannel;
    }

    Renewals renewals() {
        return renewals;
    }

    /**
     * Returns the number of requests that wait for the owning thread or for the provider. Does not include requests in
     * which the provider logs users out.
     */
    AtomicInteger waiting() {
        return waiting;
    }

    /**
     * Returns the number of waiting requests in which the provider logs users out. They are counted separately, because
     * any client can send such requests.
     */
    AtomicInteger waitingLogouts() {
        return waitingLogouts;
    }

    /**
     * Runs a task on the owning thread, unless too many requests wait. Thread-safe and lock-free.
     *
     * @param count counts the requests that wait; incremented by this method if the task will run, and decremented by
     *     the caller when the request no longer waits
     * @param most the maximum of {@code count}
     * @return whether the task will run
     */
    boolean enter(AtomicInteger count, int most, Runnable task) {
        if (count.incrementAndGet() <= most) {
            try {
                owner.execute(task);
                return true;
            } catch (RejectedExecutionException e) {
                // The thread accepts no tasks, so the request is rejected as if too many requests waited.
            }
        }
        count.decrementAndGet();
        return false;
    }

    /**
     * Records that a login is complete.
     *
     * @return false if the login was already complete
     */
    boolean complete(LoginState login, long now) {
        if (completed.containsKey(login.state())) {
            return false;
        }
        Iterator<Long> oldest = completed.values().iterator();
        while (oldest.hasNext() && (oldest.next() < now || completed.size() >= MOST)) {
            oldest.remove();
        }
        completed.put(login.state(), login.until());
        return true;
    }
}
