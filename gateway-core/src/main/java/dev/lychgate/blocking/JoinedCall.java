package dev.lychgate.blocking;

import dev.lychgate.chain.FilterSlot;
import java.util.concurrent.Callable;

/** The work of several filters in one call. */
public interface JoinedCall<T> extends Callable<T> {
    /** Returns the filter that runs; before the first run, the first one. Thread-safe. */
    FilterSlot running();
}
