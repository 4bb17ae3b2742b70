package dev.lychgate;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/** The table on a page under docs/, so that tests can hold the page to the code. */
public final class MarkdownTable {
    private MarkdownTable() {}

    /** The rows of the only table of {@code docs/page}, without its header; backquotes are taken off. */
    public static List<List<String>> rows(String page) throws IOException {
        return Files.readAllLines(Path.of("..", "docs", page)).stream()
                .filter(line -> line.startsWith("|"))
                .skip(2)
                .map(line -> cells(line.substring(1, line.length() - 1)))
                .toList();
    }

    /** The first cell of every row. */
    public static List<String> names(String page) throws IOException {
        return rows(page).stream().map(cells -> cells.get(0)).toList();
    }

    private static List<String> cells(String line) {
        return Arrays.stream(line.split("\\|", -1))
                .map(cell -> cell.strip().replace("`", ""))
                .toList();
    }
}
