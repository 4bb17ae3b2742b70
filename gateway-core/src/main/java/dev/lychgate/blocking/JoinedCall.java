package dev.lychgate.blocking;

import dev.lychgate.chain.FilterSlot;
import java.util.concurrent.Callable;

/** The work of several filters in one call. */
public interface JoinedCall<T> extends Callable<T> {
    /** Returns the filter that runs now, or the first filter if none has run yet. Thread-safe. */
    FilterSlot running();
}
