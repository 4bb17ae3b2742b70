package dev.lychgate.fleet;

import java.util.regex.Pattern;

/**
 * Checks the syntax of the names under which a store keeps objects. Each valid name can also be used as a file name.
 */
public final class FleetNames {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");
    private static final Pattern DIGEST = Pattern.compile("[0-9a-f]{64}");
    private static final int SHORT = 12;

    private FleetNames() {}

    /**
     * Returns {@code value} if it is a valid name for a space or a node.
     *
     * @param what the kind of name, for the message, such as {@code node}
     * @throws FleetException if {@code value} is malformed
     */
    public static String name(String what, String value) throws FleetException {
        if (!NAME.matcher(value).matches()) {
            throw FleetException.refused("the " + what
                    + " is malformed (expected: up to 64 letters, digits, '.', '_' and '-', beginning with a letter"
                    + " or digit)");
        }
        return value;
    }

    /**
     * Returns {@code value} if it has the form of a release digest.
     *
     * @throws FleetException if {@code value} is malformed
     */
    public static String digest(String value) throws FleetException {
        if (!DIGEST.matcher(value).matches()) {
            throw FleetException.refused("a digest is malformed (expected: 64 lower-case hexadecimal digits)");
        }
        return value;
    }

    /** Returns the first digits of a digest, for messages. */
    public static String shortened(String digest) {
        return digest.substring(0, Math.min(SHORT, digest.length()));
    }
}
