package dev.lychgate;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** The samples of the pages under docs/. */
final class Snippets {
    private static final Pattern YAML = Pattern.compile("(?ms)^```yaml\\n(.*?)^```");

    private static final Pattern SHELL = Pattern.compile("(?ms)^```sh\\n(.*?)^```");

    private Snippets() {}

    /** Returns the configurations on a page, in order. */
    static List<String> yaml(String page) throws IOException {
        return YAML.matcher(Files.readString(Path.of("..", "docs", page)))
                .results()
                .map((MatchResult block) -> block.group(1))
                .toList();
    }

    /** Returns the commands on a page, in order, one for each line. */
    static List<String> shell(String page) throws IOException {
        return SHELL.matcher(Files.readString(Path.of("..", "docs", page)))
                .results()
                .flatMap(block -> block.group(1).lines())
                .toList();
    }

    /** Returns {@code yaml} with listeners on free ports of the loopback. */
    static String onFreePorts(String yaml) {
        return yaml.replaceAll("\"?0\\.0\\.0\\.0:\\d+\"?", "\"127.0.0.1:0\"");
    }
}
