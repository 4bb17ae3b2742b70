package dev.lychgate.server.reload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Settings that a filter of a directory refuses: one configuration with all of them, and one message for each. */
@Tag("slow")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class BadSettingsTest {
    private static final String SCRIPT = """
            enum Pick { FIRST, LEAST_USED }

            settings {
                @Setting(min = 1, max = 1000) int size = 20
                int any = 0
                @Setting(min = 5) long most = 5
                boolean strict = false
                String text = 'a'
                @Setting(min = '1ms', max = '1h') Duration per = 1.s
                Duration wait = 0.s
                @Setting(max = 2.MiB) ByteSize limit = 1.MiB
                @Setting(max = '100%') Percent share = '5%'
                Pick pick = Pick.FIRST
                Pattern match = '/'
                @Setting(min = 1, max = 2) List<String> keys = ['a']
                List<Integer> codes = []
                Map<String, String> names = [:]
                @Setting(about = 'who pays') String owner
            }
            filter { it.request.headers['x-owner'] = owner }
            """;

    /** One filter of a list, and its message without the place. */
    private record Bad(String filter, String message) {
        @Override
        public String toString() {
            return filter;
        }
    }

    private static Bad one(String setting, String message) {
        return new Bad("{ Quota: { owner: me, " + setting + " } }", message);
    }

    private static final String PATTERN = "%s (expected: %s; declared at inbound/Quota.groovy:%d)";

    private static Bad value(String key, String written, String shown, String expected, int line) {
        String name = key.replaceFirst("[.\\[].*", "");
        return one(name + ": " + written, "Quota." + key + ": " + PATTERN.formatted(shown, expected, line));
    }

    private static final List<Bad> ALL = List.of(
            value("size", "0", "0", "1 to 1000", 4),
            value("size", "1001", "1001", "1 to 1000", 4),
            value("size", "-1", "-1", "1 to 1000", 4),
            value("size", "many", "many", "a whole number", 4),
            value("size", "1.5", "1.5", "a whole number", 4),
            value("size", "1s", "1s", "a whole number", 4),
            value("size", "true", "true", "a whole number", 4),
            value("size", "[1]", "a list", "a whole number", 4),
            value("size", "{ a: 1 }", "a mapping", "a whole number", 4),
            value("size", "99999999999", "99999999999", "1 to 1000", 4),
            value("any", "99999999999", "99999999999", "a whole number of fewer digits", 5),
            value("most", "4", "4", ">= 5", 6),
            value("most", "99999999999999999999", "99999999999999999999", ">= 5", 6),
            value("strict", "yes", "yes", "true or false", 7),
            value("strict", "1", "1", "true or false", 7),
            value("wait", "36501d", "36501d", "a duration of at most 36500d", 10),
            value("wait", "-100000000d", "-100000000d", "a duration of at most 36500d", 10),
            value("text", "12", "12", "text; put it in quotes: \"12\"", 8),
            value("text", "true", "true", "text; put it in quotes: \"true\"", 8),
            value("text", "[a]", "a list", "text", 8),
            value("per", "0s", "0s", "1ms to 1h", 9),
            value("per", "2h", "2h", "1ms to 1h", 9),
            value("per", "5", "5", "a duration such as 250ms, 4s, 10m or 1h; a bare number has no unit", 9),
            value("per", "soon", "soon", "a duration such as 250ms, 4s, 10m or 1h", 9),
            value("wait", "-1s", "-1s", ">= 0 (0 = none)", 10),
            value("wait", "[1s]", "a list", "a duration", 10),
            value("limit", "3MiB", "3MiB", "at most 2MiB", 11),
            value("limit", "1MB", "1MB", "a size such as 512B, 16KiB, 4MiB or 2GiB", 11),
            value("share", "101%", "101%", "0% to 100%", 12),
            value("share", "5", "5", "a whole number of percent, such as 70%; a bare number has no unit", 12),
            value("pick", "last", "last", "first or least-used", 13),
            value("pick", "LEAST_USED", "LEAST_USED", "first or least-used", 13),
            value("match", "'('", "(", "an RE2 expression; missing closing )", 14),
            value(
                    "match",
                    "'(a{900}){900}'",
                    "(a{900}){900}",
                    "an RE2 expression of at most 2000 instructions; this one has about 820807",
                    14),
            value("keys", "[]", "[]", "1 to 2 items", 15),
            value("keys", "[a, b, c]", "3 items", "1 to 2 items", 15),
            value("keys[1]", "[a, 7]", "7", "text; put it in quotes: \"7\"", 15),
            value("keys", "{ a: b }", "a mapping", "a text or list of texts", 15),
            value("codes[0]", "[x]", "x", "a whole number", 16),
            value("names", "[a]", "a list", "a mapping of texts", 17),
            value("names.a", "{ a: 1 }", "1", "text; put it in quotes: \"1\"", 17),
            one(
                    "sise: 1",
                    "Quota.sise: unknown setting, did you mean 'size'? (expected: one of size, any, most, strict, text,"
                            + " per, wait, limit, share, pick, match, keys, codes, names, owner)"),
            one(
                    "colour: red",
                    "Quota.colour: unknown setting (expected: one of size, any, most, strict, text, per, wait,"
                            + " limit, share, pick, match, keys, codes, names, owner)"),
            new Bad("Quota", "Quota.owner: missing (expected: who pays; declared at inbound/Quota.groovy:18)"),
            new Bad(
                    "{ Quota: { size: 2 } }",
                    "Quota.owner: missing (expected: who pays; declared at inbound/Quota.groovy:18)"),
            new Bad("{ Quota: {} }", "Quota.owner: missing (expected: who pays; declared at inbound/Quota.groovy:18)"),
            new Bad("{ Qouta: { size: 2 } }", ": Qouta (expected: a filter; did you mean 'Quota'?)"),
            new Bad("{ Plain: { size: 2 } }", ": Plain (expected: no settings, because this filter declares none)"));

    private List<String> faults = List.of();

    static List<Bad> all() {
        return ALL;
    }

    @BeforeAll
    void check(@TempDir Path home) throws Exception {
        faults = check(home, ALL.stream().map(Bad::filter).toList());
    }

    private static List<String> check(Path home, List<String> filters) throws Exception {
        Files.createDirectories(home.resolve("filters/inbound"));
        Files.writeString(home.resolve("filters/inbound/Quota.groovy"), SCRIPT);
        Files.writeString(home.resolve("filters/inbound/Plain.groovy"), "filter { null }");
        StringBuilder text = new StringBuilder();
        text.append(
                "listeners: [{ name: main, address: \"127.0.0.1:0\" }]\nfilters: { directory: filters }\nroutes:\n");
        for (int i = 0; i < filters.size(); i++) {
            text.append("  - { id: r%d, respond: {}, filters: [%s] }\n".formatted(i, filters.get(i)));
        }
        Path config = Files.writeString(home.resolve("gateway.yml"), text);
        RefusedException refused = catchThrowableOfType(
                RefusedException.class,
                () -> FileGateway.check(config, name -> name.equals("SIZE") ? "0" : null, times -> {}));
        return refused == null ? List.of() : refused.faults();
    }

    @Test
    void areAllReportedAtOnce() {
        assertThat(faults).hasSameSizeAs(ALL);
    }

    @ParameterizedTest
    @MethodSource("all")
    void areReportedWithTheirPlaceAndWhatIsAccepted(Bad bad) {
        int index = ALL.indexOf(bad);
        assertThat(faults.get(index))
                .matches("(?s).*gateway\\.yml:" + (index + 4) + ":\\d+: routes\\[" + index + "]\\.filters\\[0].*")
                .endsWith((bad.message().startsWith(":") ? "]" : "].") + bad.message());
    }

    @Test
    void aMisspelledNameIsReportedWithTheFilterThatNoListNames(@TempDir Path home) throws Exception {
        assertThat(check(home, List.of("Plian")))
                .anyMatch(fault ->
                        fault.endsWith("routes[0].filters[0]: Plian (expected: a filter; did you mean 'Plain'?)"));
    }

    @Test
    void areReportedAtTheColumnOfTheValueAlsoFromTheEnvironment(@TempDir Path home) throws Exception {
        List<String> filters = new ArrayList<>(List.of("{ Quota: { owner: \"${WHO:me}\", size: \"${SIZE}\" } }"));
        assertThat(check(home, filters))
                .containsExactly(home.resolve("gateway.yml")
                        + ":4:75: routes[0].filters[0].Quota.size: 0 (expected: 1 to 1000; declared at"
                        + " inbound/Quota.groovy:4)");
    }
}
