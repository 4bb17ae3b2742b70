package dev.lychgate.server.mirror;

/** Shortens values of clients for examples. */
final class Excerpt {
    private static final int LONGEST = 80;

    private Excerpt() {}

    static String of(String text) {
        return text.length() > LONGEST ? text.substring(0, LONGEST) + "..." : text;
    }
}
