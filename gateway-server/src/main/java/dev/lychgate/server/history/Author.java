package dev.lychgate.server.history;

/**
 * The origin of a change. Immutable.
 *
 * @param by {@code admin}, {@code cli}, {@code watch}, {@code signal} or {@code gateway}. A client of the admin listener that
 *     sends the header field of the command line is {@code cli}: it is a claim of an authenticated client
 * @param operator the name of an operator; empty without one
 * @param address the address of the client with its port; empty without a client
 * @param proof the credential: {@code token}, {@code certificate CN=…}, or {@code nothing} if none is required; empty without a
 *     client
 */
public record Author(String by, String operator, String address, String proof) {
    /** Saved files. */
    public static final Author WATCH = new Author("watch");

    /** A signal of the operating system. */
    public static final Author SIGNAL = new Author("signal");

    /** The gateway itself: its start, its stop, and verdicts of rollouts. */
    public static final Author GATEWAY = new Author("gateway");

    private Author(String by) {
        this(by, "", "", "");
    }
}
