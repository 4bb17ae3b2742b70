package dev.lychgate.loop;

import org.jspecify.annotations.Nullable;

/** Entries in the order in which they were added. They bring their own links, so it allocates nothing. On one event loop. */
public final class IntrusiveList<E extends IntrusiveList.Entry<E>> {
    /** What may be in one list at a time. */
    public abstract static class Entry<E extends Entry<E>> {
        private @Nullable IntrusiveList<E> list;
        private @Nullable E before;
        private @Nullable E after;

        /** Returns the list that it is in; null if it is in none. */
        final @Nullable IntrusiveList<E> list() {
            return list;
        }

        /** Returns the entry that was added next. */
        final @Nullable E after() {
            return after;
        }
    }

    private @Nullable E first;
    private @Nullable E last;
    private int size;

    /** Returns the one that was added first. */
    public @Nullable E first() {
        return first;
    }

    public int size() {
        return size;
    }

    public void add(E entry) {
        Entry<E> links = entry;
        links.list = this;
        links.before = last;
        if (last == null) {
            first = entry;
        } else {
            links(last).after = entry;
        }
        last = entry;
        size++;
    }

    public void remove(E entry) {
        Entry<E> links = entry;
        E before = links.before;
        E after = links.after;
        if (before == null) {
            first = after;
        } else {
            links(before).after = after;
        }
        if (after == null) {
            last = before;
        } else {
            links(after).before = before;
        }
        links.list = null;
        links.before = null;
        links.after = null;
        size--;
    }

    private static <E extends Entry<E>> Entry<E> links(E entry) {
        return entry;
    }
}
