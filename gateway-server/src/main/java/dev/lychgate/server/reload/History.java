package dev.lychgate.server.reload;

import dev.lychgate.filters.groovy.FilterSources;
import dev.lychgate.server.admin.Generations;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The newest generations that were in force, newest first, for rollbacks. If several generations were built from equal
 * files, the history contains only the newest of them. Repeated rollbacks therefore do not displace generations with
 * different files. Thread-safe.
 */
final class History {
    /** The number of retained generations, including the running generation. */
    static final int KEPT = 5;

    private final Deque<Taken> taken = new ArrayDeque<>();

    /**
     * A generation that is or was in force.
     *
     * @param since the time at which the generation was put into force
     * @param built the settings, filters and files of the generation
     * @param why the reason for the swap, for messages
     */
    record Taken(long number, Instant since, BuiltGeneration built, String why) {}

    /**
     * Adds the generation that is now in force. It replaces the retained generation that was built from equal files. If
     * there is no such generation and the history is full, it replaces the oldest generation. The filters of the
     * replaced generation are released, unless another generation uses the same objects.
     */
    synchronized void add(Taken next) {
        List<BuiltGeneration> replaced = takeLike(next.built());
        taken.addFirst(next);
        replaced.forEach(this::forget);
        if (taken.size() > KEPT) {
            forget(taken.removeLast().built());
        }
    }

    /** Releases the filters of a removed generation, unless a retained generation shares them. */
    private void forget(BuiltGeneration one) {
        if (taken.stream().noneMatch(other -> other.built().sharesFilters(one))) {
            one.forget();
        }
    }

    /** Replaces the running generation by a copy with other certificates or another admin section. */
    synchronized void renew(Taken running) {
        taken.removeFirst();
        taken.addFirst(running);
    }

    private List<BuiltGeneration> takeLike(BuiltGeneration next) {
        List<BuiltGeneration> like = new ArrayList<>();
        for (Iterator<Taken> i = taken.iterator(); i.hasNext(); ) {
            BuiltGeneration earlier = i.next().built();
            if (earlier.files().isSameAs(next.files())) {
                i.remove();
                like.add(earlier);
            }
        }
        return like;
    }

    /** Returns the running generation; null before the first generation, and after {@link #close}. */
    synchronized @Nullable Taken running() {
        return taken.peekFirst();
    }

    /** Returns the generations in the form that the admin interface shows. */
    synchronized List<Generations.Kept> kept() {
        Taken running = taken.peekFirst();
        long now = running == null ? 0 : running.number();
        return taken.stream()
                .map(one -> new Generations.Kept(one.number(), one.since(), one.why(), one.number() == now))
                .toList();
    }

    synchronized @Nullable Taken find(long number) {
        return taken.stream().filter(one -> one.number() == number).findFirst().orElse(null);
    }

    /** Returns the retained generation that was built from files equal to {@code files}; null if there is none. */
    synchronized @Nullable Taken like(FilesRead files) {
        return taken.stream()
                .filter(one -> one.built().files().isSameAs(files))
                .findFirst()
                .orElse(null);
    }

    /** Returns the fingerprints of the filters of all retained generations. */
    synchronized Set<String> fingerprints() {
        return taken.stream()
                .map(one -> one.built().files().filters())
                .filter(Objects::nonNull)
                .map(FilterSources::fingerprint)
                .collect(Collectors.toSet());
    }

    /** Removes all generations and releases their filters. */
    synchronized void close() {
        taken.forEach(one -> one.built().close());
        taken.clear();
    }
}
