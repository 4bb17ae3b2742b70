package dev.lychgate.loop;

import org.jspecify.annotations.Nullable;

/**
 * List of entries in the order in which they were added. Entries contain the links, so the list allocates nothing. Used
 * on one event loop.
 */
public final class IntrusiveList<E extends IntrusiveList.Entry<E>> {
    /** An element, in at most one list at a time. */
    public abstract static class Entry<E extends Entry<E>> {
        private @Nullable IntrusiveList<E> list;
        private @Nullable E before;
        private @Nullable E after;

        /** Returns the list that contains this entry; null if the entry is in no list. */
        final @Nullable IntrusiveList<E> list() {
            return list;
        }

        /** Returns the entry that was added after this entry; null if this entry is the newest. */
        final @Nullable E after() {
            return after;
        }
    }

    private @Nullable E first;
    private @Nullable E last;
    private int size;

    /** Returns the oldest entry; null if the list is empty. */
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
