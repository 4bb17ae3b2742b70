package dev.lychgate;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** What the pages of docs/ tell their readers to write. */
final class Snippets {
    private static final Pattern YAML = Pattern.compile("(?ms)^```yaml\\n(.*?)^```");

    private static final Pattern SHELL = Pattern.compile("(?ms)^```sh\\n(.*?)^```");

    private Snippets() {}

    /** The configurations on a page, in its order. */
    static List<String> yaml(String page) throws IOException {
        return YAML.matcher(Files.readString(Path.of("..", "docs", page)))
                .results()
                .map((MatchResult block) -> block.group(1))
                .toList();
    }

    /** The commands on a page, in its order, a line each. */
    static List<String> shell(String page) throws IOException {
        return SHELL.matcher(Files.readString(Path.of("..", "docs", page)))
                .results()
                .flatMap(block -> block.group(1).lines())
                .toList();
    }

    /** {@code yaml} with listeners that are reached from here only, and disturb nobody. */
    static String onFreePorts(String yaml) {
        return yaml.replaceAll("\"?0\\.0\\.0\\.0:\\d+\"?", "\"127.0.0.1:0\"");
    }
}
