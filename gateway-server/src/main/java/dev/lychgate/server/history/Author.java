package dev.lychgate.server.history;

/**
 * The person or component that caused a change. Immutable.
 *
 * @param by {@code admin}, {@code cli}, {@code watch}, {@code signal}, {@code fleet} or {@code gateway}. A client of
 *     the admin listener gets {@code cli} if its request has the header field of the command line. Otherwise, it gets
 *     {@code admin}
 * @param operator the name of the operator; empty if no operator is known
 * @param address the address and port of the client; empty without a client
 * @param proof the credential: {@code token}, {@code certificate CN=…}, {@code signature}, or {@code nothing} if none
 *     is required; empty without a client
 */
public record Author(String by, String operator, String address, String proof) {
    /** The file watch, which detected changed files. */
    public static final Author WATCH = new Author("watch");

    /** A signal of the operating system. */
    public static final Author SIGNAL = new Author("signal");

    /** The gateway itself, for its start, its stop, and verdicts of rollouts. */
    public static final Author GATEWAY = new Author("gateway");

    /**
     * Returns the author of a change that the head of a fleet caused. The head is signed with a trusted key, and states
     * the name of its author.
     */
    public static Author ofFleet(String author) {
        return new Author("fleet", author, "", "signature");
    }

    private Author(String by) {
        this(by, "", "", "");
    }
}
