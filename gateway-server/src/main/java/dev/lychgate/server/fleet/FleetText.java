package dev.lychgate.server.fleet;

import dev.lychgate.fleet.FleetException;
import java.time.DateTimeException;
import java.time.Instant;

/** Checks the texts, times and numbers in releases and heads. */
final class FleetText {
    /** The maximum length of a free text, in characters. */
    static final int LONGEST = 200;

    private FleetText() {}

    /** Returns {@code value} if it is one line of printable text; otherwise throws an exception. */
    static String line(String what, String value) throws FleetException {
        if (value.length() > LONGEST) {
            throw FleetException.refused("the " + what + " is longer than " + LONGEST + " characters");
        }
        boolean printable = value.codePoints().noneMatch(FleetText::isUnprintable);
        if (!printable || !value.equals(value.strip())) {
            throw FleetException.refused(
                    "the " + what + " contains unprintable characters, or begins or ends with a space");
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

    /** Parses a decimal number that has neither a sign nor leading zeros. */
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
