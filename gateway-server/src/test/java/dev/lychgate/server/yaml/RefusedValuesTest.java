package dev.lychgate.server.yaml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.lychgate.config.Form;
import dev.lychgate.config.Key;
import dev.lychgate.server.extensions.ExtensionJars;
import dev.lychgate.server.extensions.InstalledExtensions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** A value of the wrong type or outside the range of any declared key is refused once, at its place and with its key. */
@Tag("slow")
class RefusedValuesTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final SampleFiles samples;

    RefusedValuesTest() throws IOException {
        samples = new SampleFiles();
    }

    @BeforeAll
    static void installAnExtension(@TempDir Path directory) throws IOException {
        ExtensionJars.guards("guards").write(directory.resolve("guards.jar"));
        ExtensionJars.sample("sample").write(directory.resolve("sample.jar"));
        System.setProperty(InstalledExtensions.DIRECTORY, directory.toString());
    }

    @AfterAll
    static void forgetIt() {
        System.clearProperty(InstalledExtensions.DIRECTORY);
    }

    @TestFactory
    Stream<DynamicTest> namesPlaceAndKeyOfEachValueOfTheWrongType() {
        return keys((key, at) -> wrongTypes(key.form()), (path, form, value) -> {
            Fault fault = refused(path, value);
            assertThat(fault.expected()).as(fault.toString()).isNotEmpty();
        });
    }

    @TestFactory
    Stream<DynamicTest> namesPlaceAndKeyAndRangeOfEachValueBesideABound() {
        return keys((key, at) -> beside(key.form(), at), (path, form, value) -> {
            Fault fault = refused(path, value);
            assertThat(fault.toString()).contains(value.isArray() ? "" : value.asText());
            if (!value.asText().startsWith("-") || form.words().startsWith("duration")) {
                assertThat(fault.expected()).as(fault.toString()).contains(form.accepted());
            }
        });
    }

    private interface Refusal {
        void check(String path, Form<?> form, JsonNode value) throws Exception;
    }

    private static Stream<DynamicTest> keys(BiFunction<Key<?>, String, List<Object>> values, Refusal refusal) {
        List<DynamicTest> tests = new ArrayList<>();
        for (Map.Entry<String, Key<?>> entry : ConfigReader.survey().declared.entrySet()) {
            for (Object value : values.apply(entry.getValue(), entry.getKey())) {
                JsonNode node = JSON.valueToTree(value);
                tests.add(dynamicTest(
                        entry.getKey() + ": " + node,
                        () -> refusal.check(entry.getKey(), entry.getValue().form(), node)));
            }
        }
        assertThat(tests).hasSizeGreaterThan(100);
        return tests.stream();
    }

    /** Returns the only fault of a file with that value, which has the position of the value. */
    private Fault refused(String path, JsonNode value) throws IOException {
        String text = JSON.writerWithDefaultPrettyPrinter().writeValueAsString(samples.with(path, value));
        FaultyConfigException refusal = catchThrowableOfType(
                FaultyConfigException.class, () -> new ConfigReader(name -> null).read("gateway.yml", text));
        assertThat(refusal).as(text).isNotNull();
        assertThat(refusal.faults()).hasSize(1);
        Fault fault = refusal.faults().get(0);
        assertThat(fault.key()).isEqualTo(path.replace("[]", "[0]").replace("*", "u"));
        String line = text.lines().toList().get(fault.line() - 1);
        String last = path.substring(path.lastIndexOf('.') + 1).replace("[]", "");
        assertThat(line.strip()).as(fault.toString()).startsWith("\"" + last + "\" : ");
        assertThat(fault.column()).as(fault.toString()).isEqualTo(line.indexOf(" : ") + 4);
        return fault;
    }

    private static List<Object> wrongTypes(Form<?> form) {
        return switch (form.kind()) {
            case NUMBER -> List.of("many", true, 1.5, "7", List.of(1), Map.of());
            case FLAG -> List.of("yes", "true", 1, List.of(true), Map.of());
            case AMOUNT -> List.of("soon", 7, true, List.of("1s"), Map.of());
            case TEXT, SECRET, FILE ->
                form.choices().isEmpty()
                        ? List.of(7, true, List.of("a"), Map.of())
                        : List.of("other", 7, true, List.of("a"), Map.of());
            case LIST -> form.schema().equals("one") ? List.of(7, Map.of()) : List.of(7, "a", Map.of());
            case MAPPING -> List.of(7, "a", List.of());
            case SECTION -> form.item() == null ? List.of(7, "a", List.of()) : List.of(7, "other", List.of());
            case FILTER, EXTENSION -> List.of();
            case PARTIAL -> List.of(7, "a", List.of());
        };
    }

    /** Returns the nearest values outside the range, in the unit of the key. */
    private static List<Object> beside(Form<?> form, String path) {
        Form.Range range = form.range();
        List<Object> outside = new ArrayList<>();
        if (range == null) {
            return outside;
        }
        long step = form.words().equals("duration") ? 1_000_000 : form.words().contains("us") ? 1_000 : 1;
        long below = range.lowest() <= 1 ? range.lowest() - 1 : range.lowest() - step;
        if (below < 0 ? form.kind() != Form.Kind.LIST : below > 0 || !range.orZero()) {
            outside.add(written(form, path, below < 0 ? -step : below, step));
        }
        if (range.highest() < Long.MAX_VALUE) {
            outside.add(written(form, path, range.highest() + step, step));
        }
        return outside;
    }

    /** Returns an item that is valid in a list. */
    private static Object item(Form<?> form, String path, int i) {
        if (form.kind() == Form.Kind.SECTION) {
            return path.equals("record.rules")
                    ? Map.of("share", i + "%")
                    : Map.of("name", "n" + i, "until", "2099-12-01T12:00:00Z", "abort", 503);
        }
        Form.Rule rule = form.rule();
        String member = "$.a" + i;
        return rule != null && member.matches(rule.regex())
                ? member
                : form.words().equals("rate") ? i + "%" : i + "ms";
    }

    private static Object written(Form<?> form, String path, long amount, long step) {
        if (form.kind() == Form.Kind.LIST) {
            Form<?> item = form.item();
            return IntStream.rangeClosed(1, (int) amount)
                    .mapToObj(i -> item == null ? i + "ms" : item(item, path, i))
                    .toList();
        }
        String unit = Map.of("duration", "ms", "duration, also in us", "us", "size", "B", "percent", "%")
                .getOrDefault(form.words(), "");
        return unit.isEmpty() ? (Object) (int) amount : amount / step + unit;
    }
}
