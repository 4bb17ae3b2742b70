package dev.lychgate.loop;

import org.jspecify.annotations.Nullable;

/** Holdings of one kind, the one that moved on longest ago first. On one event loop. */
final class HoldingList {
    private @Nullable Holding first;
    private @Nullable Holding last;

    @Nullable
    Holding first() {
        return first;
    }

    boolean isEmpty() {
        return first == null;
    }

    void add(Holding holding) {
        holding.list = this;
        holding.before = last;
        if (last == null) {
            first = holding;
        } else {
            last.after = holding;
        }
        last = holding;
    }

    void remove(Holding holding) {
        Holding before = holding.before;
        Holding after = holding.after;
        if (before == null) {
            first = after;
        } else {
            before.after = after;
        }
        if (after == null) {
            last = before;
        } else {
            after.before = before;
        }
        holding.list = null;
        holding.before = null;
        holding.after = null;
    }
}
