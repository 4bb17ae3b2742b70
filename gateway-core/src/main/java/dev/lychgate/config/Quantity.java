package dev.lychgate.config;

/** Formats counts with their nouns for messages and commands: {@code 1 file}, {@code 2 files}. */
public final class Quantity {
    private Quantity() {}

    /**
     * Prints a count with its noun, in the plural unless the count is 1.
     *
     * @param singular the noun, such as {@code file}, {@code entry} or {@code stored response}; its plural must be
     *     regular
     */
    public static String of(long count, String singular) {
        return count + " " + (count == 1 ? singular : plural(singular));
    }

    private static String plural(String singular) {
        int last = singular.length() - 1;
        boolean isConsonantY =
                last > 0 && singular.charAt(last) == 'y' && "aeiou".indexOf(singular.charAt(last - 1)) < 0;
        return isConsonantY ? singular.substring(0, last) + "ies" : singular + "s";
    }
}
