package dev.lychgate.server.doctor;

/**
 * The result of one check.
 *
 * @param topic the subject of the check, such as {@code descriptors}
 * @param text one sentence; for a warning or a problem, it states the facts, and usually the remedy
 */
public record Finding(Level level, String topic, String text) {
    /** The severity of a finding. */
    public enum Level {
        /** No action is needed. */
        OK,
        /** The gateway runs, but not as well or not as long as it could. */
        WARNING,
        /** The gateway does not start, or a part of it fails. */
        PROBLEM
    }

    static Finding ok(String topic, String text) {
        return new Finding(Level.OK, topic, text);
    }

    static Finding warning(String topic, String text) {
        return new Finding(Level.WARNING, topic, text);
    }

    static Finding problem(String topic, String text) {
        return new Finding(Level.PROBLEM, topic, text);
    }
}
