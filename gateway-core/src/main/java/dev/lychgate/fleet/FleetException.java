package dev.lychgate.fleet;

/** A refused release or head, or a failed operation of a store. The message states the reason on one line. */
public final class FleetException extends Exception {
    private static final long serialVersionUID = 1;

    /** The kind of a failure. */
    public enum Kind {
        /**
         * The bytes are malformed, are not signed by a trusted key, or do not match the reference by which they were
         * found.
         */
        REFUSED,
        /** Another operator changed the head first. */
        CONFLICT,
        /** The store does not contain the object. */
        MISSING,
        /** The store cannot be read or written. */
        UNAVAILABLE
    }

    private final Kind kind;

    public FleetException(Kind kind, String message) {
        super(message);
        this.kind = kind;
    }

    public FleetException(Kind kind, String message, Throwable cause) {
        super(message, cause);
        this.kind = kind;
    }

    /** Returns an exception of the kind {@link Kind#REFUSED}. */
    public static FleetException refused(String reason) {
        return new FleetException(Kind.REFUSED, reason);
    }

    public Kind kind() {
        return kind;
    }

    /** Returns the message; never null. */
    public String reason() {
        return String.valueOf(getMessage());
    }
}
