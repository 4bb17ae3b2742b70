package dev.lychgate.filters.groovy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.filter.FilterCache;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Variables of scripts whose types the documentation asks to declare. */
class DeclaredTypesTest {
    private static final String IMPORTS =
            "import " + FilterCache.class.getName() + "\n" + "import java.util.concurrent.atomic.AtomicInteger\n";

    private static void isAccepted(String text) throws Exception {
        new GroovyFilters()
                .build(Sources.of("inbound/a.groovy", IMPORTS + text))
                .close();
    }

    private static void isRefused(String text) throws Exception {
        assertThat(Sources.refused("inbound/a.groovy", IMPORTS + text)).isNotEmpty();
    }

    @ParameterizedTest
    @CsvSource({"'Map<String, Object>', true", "Map, false", "def, false"})
    void aMapThatIsFilledStepByStepNeedsItsCompleteType(String type, boolean accepted) throws Exception {
        String script =
                "filter { %s body = [:]\n body.a = 1\n body.b = 'x'\n it.respond(200).json(body) }".formatted(type);
        if (accepted) {
            isAccepted(script);
        } else {
            isRefused(script);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"def", "Map"})
    void theMessageNamesTheTypeOfTheMap(String type) throws Exception {
        String script = "filter { %s body = [:]\n it.respond(200).json(body) }".formatted(type);
        assertThat(Sources.refused("inbound/a.groovy", script))
                .singleElement()
                .asString()
                .contains("(expected: a map with a complete type, as in 'Map<String, Object> body = [:]')");
    }

    @Test
    void aCacheNeedsTheTypeOfItsValues() throws Exception {
        String script = "%s counts = cache('counts')\nfilter { counts.get('a')?.incrementAndGet()\n null }";
        isAccepted(script.formatted("FilterCache<AtomicInteger>"));
        isRefused(script.formatted("def"));
    }

    @Test
    void theTypeOfJsonIsCheckedBeforeItIsConverted() throws Exception {
        isAccepted("""
                body 1024
                filter {
                    def value = it.request.json
                    if (!(value instanceof Map)) { return it.respond(400) }
                    (value as Map).containsKey('name') ? it.proceed() : it.respond(400)
                }
                """);
    }
}
