package dev.lychgate.server.fleet;

import java.time.DateTimeException;
import java.time.Instant;
import java.util.regex.Pattern;

/** The syntax of names and texts in releases and heads. */
final class FleetText {
    /** The maximum length of a free text, in characters. */
    static final int LONGEST = 200;

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");
    private static final Pattern DIGEST = Pattern.compile("[0-9a-f]{64}");

    private FleetText() {}

    /** Returns {@code value} if it is the name of a space or a node; such a name is also a safe name of a file. */
    static String name(String what, String value) throws FleetException {
        if (!NAME.matcher(value).matches()) {
            throw FleetException.refused(
                    "the " + what
                            + " is malformed (expected: up to 64 letters, digits, '.', '_' and '-', the first a letter or digit)");
        }
        return value;
    }

    static String digest(String value) throws FleetException {
        if (!DIGEST.matcher(value).matches()) {
            throw FleetException.refused("a digest is malformed (expected: 64 lower-case hexadecimal digits)");
        }
        return value;
    }

    /** Returns {@code value} if it is printable text of one line. */
    static String line(String what, String value) throws FleetException {
        if (value.length() > LONGEST) {
            throw FleetException.refused("the " + what + " is longer than " + LONGEST + " characters");
        }
        boolean printable = value.codePoints().noneMatch(FleetText::isUnprintable);
        if (!printable || !value.equals(value.strip())) {
            throw FleetException.refused("the " + what + " contains unprintable characters, or spaces at an end");
        }
        return value;
    }

    private static boolean isUnprintable(int c) {
        return switch (Character.getType(c)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.UNASSIGNED,
                    Character.PRIVATE_USE,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR -> true;
            default -> false;
        };
    }

    static Instant time(String value) throws FleetException {
        try {
            return Instant.parse(value);
        } catch (DateTimeException e) {
            throw new FleetException(FleetException.Kind.REFUSED, "a time is malformed", e);
        }
    }

    /** Returns a decimal number without a sign and without leading zeros. */
    static long number(String what, String value) throws FleetException {
        try {
            long number = Long.parseLong(value);
            if (number >= 0 && Long.toString(number).equals(value)) {
                return number;
            }
        } catch (NumberFormatException e) {
            // Reported below.
        }
        throw FleetException.refused("the " + what + " is not a number");
    }
}
