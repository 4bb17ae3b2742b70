package dev.lychgate.filters.groovy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** After any sequence of edits, a build has the filters and faults of a first build of the same files. */
@Tag("slow")
class RandomEditsTest {
    private static final int LIBRARIES = 5;
    private static final int FILTERS = 9;
    private static final int EDITS = 40;

    private final Map<String, String> files = new TreeMap<>();

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void haveTheResultOfAFirstBuild(long seed) throws Exception {
        Random random = new Random(seed);
        GroovyFilters incremental = new GroovyFilters();
        BuiltFilters inForce = null;
        for (int i = 0; i < LIBRARIES; i++) {
            editLibrary(random, i);
        }
        for (int i = 0; i < FILTERS; i++) {
            editFilter(random, i);
        }
        for (int edit = 0; edit < EDITS; edit++) {
            FilterSources sources = FilterSources.of(files.entrySet().stream()
                    .map(file -> new FilterSource(file.getKey(), file.getValue()))
                    .toList());
            BuiltFilters next = null;
            String found;
            try {
                next = incremental.build(sources);
                found = described(next);
            } catch (FilterFaultsException e) {
                found = e.faults().toString();
            }
            assertThat(found).as("seed %s, edit %s: %s", seed, edit, files).isEqualTo(first(sources));
            if (next != null) {
                close(inForce);
                inForce = next;
            }
            change(random);
        }
        close(inForce);
    }

    private static String first(FilterSources sources) throws Exception {
        try {
            BuiltFilters built = new GroovyFilters().build(sources);
            String found = described(built);
            close(built);
            return found;
        } catch (FilterFaultsException e) {
            return e.faults().toString();
        }
    }

    private static void close(@Nullable BuiltFilters built) {
        if (built != null) {
            built.end().join();
            built.close();
        }
    }

    private static String described(BuiltFilters built) {
        List<String> filters = built.filters().stream()
                .map(filter -> filter.phase() + " " + filter.name() + " " + filter.file() + " "
                        + filter.filter().order())
                .toList();
        return filters.toString();
    }

    private void change(Random random) {
        switch (random.nextInt(8)) {
            case 0, 1 -> editLibrary(random, random.nextInt(LIBRARIES));
            case 2 -> files.remove("lib/Lib" + random.nextInt(LIBRARIES) + ".groovy");
            case 3 -> files.remove("inbound/f" + random.nextInt(FILTERS) + ".groovy");
            default -> editFilter(random, random.nextInt(FILTERS));
        }
    }

    private void editLibrary(Random random, int number) {
        int next = number + 1 + random.nextInt(LIBRARIES);
        int any = random.nextInt(LIBRARIES);
        String fault = random.nextInt(12) == 0 ? "int broken() { Lib0.missing() }" : "";
        files.put("lib/Lib" + number + ".groovy", """
                %s
                class Lib%d {
                    static final int BASE = %d
                    static int value() { BASE + %s }
                    protected static int own() { %s }
                    %s
                }
                """.formatted(
                        random.nextBoolean() ? "" : "// a comment",
                        number,
                        random.nextInt(100),
                        next < LIBRARIES ? "Lib" + next + "." + (random.nextBoolean() ? "value()" : "BASE") : "0",
                        random.nextInt(3) == 0 ? "Lib" + any + ".BASE" : "1",
                        fault));
    }

    private void editFilter(Random random, int number) {
        String used = "Lib" + random.nextInt(LIBRARIES);
        String text = switch (random.nextInt(12)) {
            case 0 -> "order " + used + ".nothing()\nfilter { }";
            case 1 -> "filter { it.respnd() }";
            case 2 -> "filter {\n  it.respond(403)\n  1\n}";
            case 3 -> "\nthrow new IllegalStateException('on purpose ' + " + used + ".value())\nfilter { }";
            case 4 -> "filter { ";
            case 5 -> """
                            import dev.lychgate.filter.*
                            class Filter%d implements SyncFilter {
                                int order() { %s.value() + Lib0.own() }
                                FilterOutcome filter(FilterExchange exchange) { exchange.proceed() }
                            }
                            """.formatted(number, used);
            case 6 -> "name 'f1'\nfilter { }";
            case 7, 8 -> "order " + used + ".value()\nfilter { it.request.headers['x'] = " + used + ".BASE }";
            default -> "order " + random.nextInt(50) + "\nfilter { }";
        };
        files.put("inbound/f" + number + ".groovy", text);
    }
}
