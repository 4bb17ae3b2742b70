package dev.lychgate.exchange.filtering;

import dev.lychgate.chain.FilterSlot;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Shortens the stack trace of a filter's failure. The shortened trace contains the frames from the exception to the
 * outermost frame of the filter's code. It omits the frames of the language runtime between two frames of the filter,
 * and the frames of the gateway that called the filter.
 */
final class FailureTrace {
    /** Maximum number of exceptions to process, because chains of causes may be long or cyclic. */
    private static final int MOST_CAUSES = 20;

    /** Prefixes of class names. Groovy adds frames of these classes between two frames of filter code. */
    private static final List<String> BETWEEN = List.of(
            "groovy.",
            "org.codehaus.groovy.",
            "org.apache.groovy.",
            "java.lang.invoke.",
            "java.lang.reflect.",
            "jdk.internal.",
            "dev.lychgate.filters.groovy.");

    private FailureTrace() {}

    /**
     * Shortens the stack traces of {@code thrown}, its causes and its suppressed exceptions. Traces without filter code
     * stay unchanged.
     */
    static void shorten(FilterSlot slot, Throwable thrown) {
        Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        shorten(slot, thrown, seen);
    }

    private static void shorten(FilterSlot slot, @Nullable Throwable thrown, Set<Throwable> seen) {
        if (thrown == null || seen.size() == MOST_CAUSES || !seen.add(thrown)) {
            return;
        }
        StackTraceElement[] all = thrown.getStackTrace();
        List<StackTraceElement> kept = new ArrayList<>();
        int end = 0;
        for (StackTraceElement frame : all) {
            boolean own = slot.isCodeOf(frame.getClassName());
            if (own ? hasLine(frame) : BETWEEN.stream().noneMatch(frame.getClassName()::startsWith)) {
                kept.add(frame);
            }
            end = own ? kept.size() : end;
        }
        if (end > 0 && end < all.length) {
            thrown.setStackTrace(kept.subList(0, end).toArray(StackTraceElement[]::new));
        }
        shorten(slot, thrown.getCause(), seen);
        for (Throwable suppressed : thrown.getSuppressed()) {
            shorten(slot, suppressed, seen);
        }
    }

    /** Returns whether a frame has a line number. Frames of compiler-generated methods have no line numbers. */
    private static boolean hasLine(StackTraceElement frame) {
        return frame.getLineNumber() > 0;
    }

    /**
     * Returns the line of the filter's code that led to the failure as {@code , at NAME.groovy:2}; empty if the stack
     * traces contain no code of the filter.
     */
    static String place(FilterSlot slot, Throwable thrown) {
        StackTraceElement place = null;
        Throwable cause = thrown;
        for (int depth = 0; cause != null && depth < MOST_CAUSES; depth++) {
            StackTraceElement inner = slot.placeIn(cause.getStackTrace());
            place = inner == null ? place : inner;
            cause = cause.getCause();
        }
        return place == null ? "" : ", at " + FilterSlot.words(place);
    }
}
