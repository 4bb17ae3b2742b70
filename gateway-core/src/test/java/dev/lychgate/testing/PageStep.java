package dev.lychgate.testing;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A step that a page describes.
 *
 * @param name of the file or the terminal
 * @param output lines that the commands print
 */
record PageStep(Kind kind, String name, String text, List<String> output) {
    private static final Pattern STEP = Pattern.compile("(?ms)^```([^\\n`]*)\\n(.*?)^```$|^<!-- Ctrl-C: (\\S+) -->$");

    enum Kind {
        FILE,
        TERMINAL,
        COMMANDS,
        INTERRUPT
    }

    /** Returns the steps of a page, in order. Blocks with a language and without a name are samples for other tests. */
    static List<PageStep> of(String page) {
        List<PageStep> steps = new ArrayList<>();
        Matcher found = STEP.matcher(page);
        while (found.find()) {
            if (found.group(3) != null) {
                steps.add(new PageStep(Kind.INTERRUPT, found.group(3), "", List.of()));
                continue;
            }
            String[] words = found.group(1).split(" ", 2);
            String name = words.length > 1 ? words[1] : "";
            String text = found.group(2);
            if (words[0].equals("sh")) {
                steps.add(new PageStep(name.isEmpty() ? Kind.COMMANDS : Kind.TERMINAL, name, text, List.of()));
            } else if (words[0].isEmpty()) {
                PageStep before = steps.remove(steps.size() - 1);
                steps.add(new PageStep(
                        before.kind(),
                        before.name(),
                        before.text(),
                        text.lines().toList()));
            } else if (!name.isEmpty()) {
                steps.add(new PageStep(Kind.FILE, name, text, List.of()));
            }
        }
        return steps;
    }
}
