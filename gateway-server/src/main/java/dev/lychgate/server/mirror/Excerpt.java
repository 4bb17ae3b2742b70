package dev.lychgate.server.mirror;

/** Shortens the values in examples of differences. */
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
