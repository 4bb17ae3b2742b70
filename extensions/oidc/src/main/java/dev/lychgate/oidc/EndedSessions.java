package dev.lychgate.oidc;

import java.util.ArrayDeque;
import java.util.HexFormat;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The sessions that ended before their cookies expired. Event loops search the list without a lock, and only the thread
 * that owns the state of the extension changes it. The list is bounded; if it is full, it drops its oldest entries.
 */
final class EndedSessions {
    private static final Logger LOG = LoggerFactory.getLogger(EndedSessions.class);
    /**
     * The maximum length of a stored name, in characters. A name identifies a session or a subject at the provider. If
     * a name is longer, its digest is stored.
     */
    private static final int LONGEST = 255;

    private final String name;
    private volatile int most;
    private final Map<String, Ended> byName = new ConcurrentHashMap<>();
    private final Queue<Entry> oldestFirst = new ArrayDeque<>();
    private long forgotten;

    /**
     * @param begunUntil a time in seconds since the epoch; only sessions that began at this time or earlier have ended
     * @param until the time at which all cookies of these sessions have expired, in milliseconds since the epoch
     */
    private record Ended(long begunUntil, long until) {}

    private record Entry(String name, Ended ended) {}

    /**
     * Creates an empty list.
     *
     * @param name the name of the list in the log
     */
    EndedSessions(String name, int most) {
        this.name = name;
        this.most = most;
    }

    /** Changes the maximum number of entries. */
    void limit(int entries) {
        most = entries;
    }

    static String ofSession(String id) {
        return "i" + id;
    }

    static String ofProviderSession(String party, String sid) {
        return key('s', party, sid);
    }

    static String ofSubject(String party, String subject) {
        return key('u', party, subject);
    }

    private static String key(char kind, String party, String value) {
        String bounded = value.length() <= LONGEST ? value : HexFormat.of().formatHex(LoginState.sha256(value)) + "#";
        return kind + party + "\n" + bounded;
    }

    boolean isEmpty() {
        return byName.isEmpty();
    }

    /** Returns whether a session with this name, which began at {@code begun}, has ended. Thread-safe. */
    boolean contains(@Nullable String session, long begun) {
        Ended ended = session == null ? null : byName.get(session);
        return ended != null && begun <= ended.begunUntil();
    }

    /**
     * Adds sessions. Called on the owning thread only.
     *
     * @param now milliseconds since the epoch
     */
    void add(String session, long begunUntil, long until, long now) {
        Ended ended = new Ended(begunUntil, until);
        Ended former = byName.get(session);
        if (former != null && former.begunUntil() >= begunUntil && former.until() >= until) {
            return;
        }
        byName.put(session, ended);
        oldestFirst.add(new Entry(session, ended));
        for (Entry oldest = oldestFirst.peek();
                oldest != null && (oldest.ended().until() <= now || oldestFirst.size() > most);
                oldest = oldestFirst.peek()) {
            oldestFirst.remove();
            boolean removed = byName.remove(oldest.name(), oldest.ended());
            if (removed && oldest.ended().until() > now && forgotten++ % 1_000 == 0) {
                LOG.warn(
                        "oidc: the list of {} is full with {} entries and drops the oldest entries; the sessions of"
                                + " dropped entries are accepted again until they expire",
                        name,
                        most);
            }
        }
    }

    int size() {
        return byName.size();
    }
}
