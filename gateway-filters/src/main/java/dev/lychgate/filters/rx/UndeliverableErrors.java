package dev.lychgate.filters.rx;

import io.reactivex.rxjava3.plugins.RxJavaPlugins;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Errors that a source raises after its subscription was disposed: an interrupted call, most of the time. RxJava hands
 * them to the thread's handler of uncaught exceptions unless it is told otherwise, and that may end a thread or a
 * process; the exchange they belonged to has long gone on.
 */
final class UndeliverableErrors {
    private static final Logger LOG = LoggerFactory.getLogger(UndeliverableErrors.class);

    private UndeliverableErrors() {}

    /** Has them logged, unless somebody has made a choice already. */
    static void log() {
        if (RxJavaPlugins.getErrorHandler() == null && !RxJavaPlugins.isLockdown()) {
            RxJavaPlugins.setErrorHandler(e -> LOG.warn("an error that came after its filter had been given up", e));
        }
    }
}
