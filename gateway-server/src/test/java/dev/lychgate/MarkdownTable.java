package dev.lychgate;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/** The table of a page under docs/, for tests that compare the page with the code. */
public final class MarkdownTable {
    private MarkdownTable() {}

    /** Returns the rows of the only table of {@code docs/page}, without header and backquotes. */
    public static List<List<String>> rows(String page) throws IOException {
        return Files.readAllLines(Path.of("..", "docs", page)).stream()
                .filter(line -> line.startsWith("|"))
                .skip(2)
                .map(line -> cells(line.substring(1, line.length() - 1)))
                .toList();
    }

    /** Returns the first cell of every row. */
    public static List<String> names(String page) throws IOException {
        return rows(page).stream().map(cells -> cells.get(0)).toList();
    }

    private static List<String> cells(String line) {
        return Arrays.stream(line.split("\\|", -1))
                .map(cell -> cell.strip().replace("`", ""))
                .toList();
    }
}
