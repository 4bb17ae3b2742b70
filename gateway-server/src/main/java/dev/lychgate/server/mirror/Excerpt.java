package dev.lychgate.server.mirror;

/** Shortens values for examples, because they may be long. */
final class Excerpt {
    private static final int LONGEST = 80;

    private Excerpt() {}

    static String of(String text) {
        return of(text, LONGEST);
    }

    static String of(String text, int longest) {
        return text.length() > longest ? text.substring(0, longest) + "..." : text;
    }
}
