package dev.lychgate;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** Pictures of a page, in the directory that the system property {@code dashboard.pictures} names. */
final class Pictures {
    private static final int LEAST = 280;
    private static final int MOST = 1400;

    private final String group;

    /** @param group the prefix of the names of their files */
    Pictures(String group) {
        this.group = group;
    }

    /** The whole page, up to a maximum height. */
    void light(BrowserPage shown, String name) throws Exception {
        whole(shown);
        take(shown, name, "light");
    }

    /** The whole page, up to a maximum height; one light, one dark. */
    void both(BrowserPage shown, String name) throws Exception {
        whole(shown);
        asItIs(shown, name);
    }

    /** The visible part; one light, one dark. */
    void asItIs(BrowserPage shown, String name) throws Exception {
        for (String scheme : List.of("light", "dark")) {
            take(shown, name, scheme);
        }
    }

    private void take(BrowserPage shown, String name, String scheme) throws Exception {
        String file = (group + "-" + name + "-" + scheme + ".png").toLowerCase(Locale.ROOT);
        shown.prefers(scheme).picture(Path.of(System.getProperty("dashboard.pictures"), file));
    }

    private static void whole(BrowserPage shown) {
        shown.size(1280, LEAST).evaluate("scrollTo(0, 0); document.activeElement.blur()");
        int high = shown.evaluate("document.documentElement.scrollHeight").asInt();
        shown.size(1280, Math.min(Math.max(high, LEAST), MOST)).evaluate("scrollTo(0, 0)");
    }
}
