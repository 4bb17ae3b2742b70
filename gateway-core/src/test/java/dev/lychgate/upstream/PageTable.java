package dev.lychgate.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;

/** A table of figures on {@code docs/balancing.md}, compared with the measurements. */
final class PageTable {
    private static final Path PAGE = Path.of("../docs/balancing.md");
    private static final double TOLERANCE = 0.1;

    private final String header;
    private final Map<String, double[]> rows = new LinkedHashMap<>();

    /** @param header its first line, as it stands on the page */
    PageTable(String header) {
        this.header = header;
    }

    PageTable row(String name, double... figures) {
        rows.put(name, figures);
        return this;
    }

    /**
     * Requires that the page has this table, and that each figure deviates from the measurement by at most a tenth, or half of
     * its last digit: rounding differs between machines, and a simulation amplifies it.
     */
    void assertOnPage() throws IOException {
        List<String> lines = Files.readAllLines(PAGE);
        assertThat(lines).as("measured:%n%s", this).contains(header);
        List<String> there = new ArrayList<>(lines.subList(lines.indexOf(header) + 2, lines.size()));
        int i = 0;
        for (Map.Entry<String, double[]> row : rows.entrySet()) {
            String[] cells = cells(there.get(i++));
            assertThat(cells[1]).as("measured:%n%s", this).isEqualTo(row.getKey());
            for (int c = 0; c < row.getValue().length; c++) {
                double figure = Double.parseDouble(cells[c + 2]);
                double measured = row.getValue()[c];
                assertThat(Math.abs(figure - measured))
                        .as("%s, column %d; measured:%n%s", row.getKey(), c + 1, this)
                        .isLessThanOrEqualTo(Math.max(0.06, TOLERANCE * Math.abs(measured)));
            }
        }
        assertThat(there.get(i)).as("the line after the table").doesNotStartWith("|");
    }

    /** With an empty cell at the start and at the end. */
    private static String[] cells(String line) {
        return line.trim().split("\\s*\\|\\s*", -1);
    }

    @Override
    public String toString() {
        int columns = cells(header).length - 2;
        return header + "\n|" + " --- |".repeat(columns) + "\n"
                + rows.entrySet().stream()
                        .map(row -> "| " + row.getKey() + " | "
                                + DoubleStream.of(row.getValue())
                                        .mapToObj(d -> String.format(Locale.ROOT, d >= 100 ? "%.0f" : "%.1f", d))
                                        .collect(Collectors.joining(" | "))
                                + " |")
                        .collect(Collectors.joining("\n"));
    }
}
