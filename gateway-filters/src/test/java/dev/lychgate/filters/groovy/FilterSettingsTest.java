package dev.lychgate.filters.groovy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lychgate.config.ConfigException;
import dev.lychgate.filter.Filter;
import dev.lychgate.filters.settings.NamedFilter;
import dev.lychgate.filters.testing.SentRequest;
import dev.lychgate.filters.testing.TestExchange;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Settings of scripts and classes in Groovy: their declarations and values. */
@Tag("slow")
class FilterSettingsTest {
    private static final String IMPORT = "import dev.lychgate.filter.*\n";

    /** A script that writes every setting to a header. */
    private static final String ALL = """
            import dev.lychgate.config.ByteSize

            enum Order { FIRST, LEAST_USED }

            settings {
                @Setting(about = 'how many', min = 1, max = 1_000) int size = 20
                long most = -5
                boolean strict = true
                String prefix = 'a b'
                @Setting(min = 1.ms, max = '1h') Duration per = 1.s
                ByteSize limit = 2.MiB
                Percent share = '5%'
                Order rank = Order.LEAST_USED
                Pattern match = '/a.*'
                List<String> keys = ['k1', 'k2']
                List<Duration> waits = ['1s', '2s']
                Map<String, String> names = [:]
                String none = null
            }

            filter {
                it.request.headers['x-all'] = [size + 1, most, strict, prefix.length(), per.toMillis(), limit.bytes(),
                    share.value(), rank, match.matches('/abc'), keys.join('+'), waits[1].toSeconds(), names.size(), none]
                    .join(' ')
            }
            """;

    private static String all(Filter filter) {
        SentRequest sent = TestExchange.get("/").through(filter).getSent();
        return sent == null ? "nothing" : String.valueOf(sent.header("x-all"));
    }

    @Test
    void areTypedVariablesOfAScriptWithTheirDefaults() throws Exception {
        try (BuiltFilters built = Sources.build("inbound/All.groovy", ALL)) {
            assertThat(all(built.filters().get(0).filter()))
                    .isEqualTo("21 -5 true 3 1000 2097152 5 LEAST_USED true k1+k2 2 0 null");
        }
    }

    @Test
    void haveTheValuesOfTheList() throws Exception {
        try (BuiltFilters built = Sources.build("inbound/All.groovy", ALL)) {
            NamedFilter named = built.filters().get(0).named();
            Filter filter = named.make(Map.of(
                    "size",
                    50,
                    "most",
                    7_000_000_000L,
                    "strict",
                    false,
                    "rank",
                    "first",
                    "keys",
                    "only",
                    "waits",
                    List.of("1s", "1m"),
                    "names",
                    Map.of("a", "b"),
                    "none",
                    "some",
                    "per",
                    "250ms"));
            assertThat(all(filter)).isEqualTo("51 7000000000 false 3 250 2097152 5 FIRST true only 60 1 some");
        }
    }

    @Test
    void areListsThatAcceptTheNullOfAnAbsentHeader() throws Exception {
        try (BuiltFilters built = Sources.build(
                "inbound/In.groovy",
                "settings { List<String> none = []; List<String> some = ['a'] }\n"
                        + "filter { def h = it.request.headers['x-no']; it.request.headers['x-all'] = (h in none) || (h in some) }")) {
            assertThat(all(built.filters().get(0).filter())).isEqualTo("false");
        }
    }

    @Test
    void areDecimalNumbersAndSecrets() throws Exception {
        try (BuiltFilters built = Sources.build("inbound/In.groovy", """
                settings { @Setting(min = '0.1') BigDecimal factor = 1.5; Secret apiKey }
                filter { it.request.headers['x-all'] = factor * 2 + ' ' + apiKey.value() + ' ' + apiKey }
                """)) {
            NamedFilter named = built.filters().get(0).named();
            assertThat(all(named.make(Map.of("api-key", "k")))).isEqualTo("3.0 k ***");
            assertThat(all(named.make(Map.of("api-key", "k", "factor", "0.25"))))
                    .isEqualTo("0.50 k ***");
            assertThatThrownBy(() -> named.make(Map.of("api-key", "k", "factor", "0.05")))
                    .hasMessage("factor: 0.05 (expected: >= 0.1)");
        }
    }

    @Test
    void makeOneFilterForEachDistinctSet() throws Exception {
        try (BuiltFilters built = Sources.build("inbound/All.groovy", ALL)) {
            NamedFilter named = built.filters().get(0).named();
            assertThat(named.make(Map.of("per", "1s"))).isSameAs(named.make());
            assertThat(named.make(Map.of("per", "1000ms", "match", "/b"))).isSameAs(named.make(Map.of("match", "/b")));
            assertThat(named.make(Map.of("size", 21))).isNotSameAs(named.make());
        }
    }

    @Test
    void canBeUsedByTheDeclarationsOfAScript() throws Exception {
        try (BuiltFilters built = Sources.build(
                "inbound/Late.groovy",
                "settings { int place = 3; Duration patience = 1.s }\norder place\ntimeout patience\nasync { null }")) {
            NamedFilter named = built.filters().get(0).named();
            assertThat(named.make(Map.of("place", 9, "patience", "2s")).order()).isEqualTo(9);
            assertThat(named.make(Map.of("place", 9, "patience", "2s")).timeout())
                    .hasSeconds(2);
            assertThat(named.make().order()).isEqualTo(3);
        }
    }

    @Test
    void separateTheStateOfEachSet() throws Exception {
        try (BuiltFilters built = Sources.build(
                "inbound/Count.groovy",
                "settings { int step = 1 }\nint n = 0\nfilter { n += step; it.request.headers['x-all'] = n }")) {
            NamedFilter named = built.filters().get(0).named();
            Filter ten = named.make(Map.of("step", 10));
            assertThat(List.of(all(ten), all(ten), all(named.make()))).containsExactly("10", "20", "1");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"size", "toList", "toMap"})
    void aSettingOfARecordWithTheNameOfAMethodOfGroovyIsRefused(String name) throws Exception {
        assertThat(Sources.refused("inbound/Quota.groovy", """
                import dev.lychgate.filter.*

                class Quota implements SyncFilter {
                    record Settings(@Setting(defaultValue = '20') int NAME) {}
                    Quota(Settings settings) { }
                    FilterOutcome filter(FilterExchange e) { e.proceed() }
                }
                """.replace("NAME", name)))
                .singleElement()
                .satisfies(fault -> assertThat(fault.toString())
                        .startsWith("inbound/Quota.groovy:3:")
                        .endsWith(
                                " has the name of a method that Groovy adds to each record (expected: another name)"));
    }

    @Test
    void aSettingOfARecordInAnotherFileIsReportedAtTheClassOfTheFilter() throws Exception {
        String record =
                "import dev.lychgate.filter.Setting\n\n\n\nrecord Settings(@Setting(defaultValue = 'DEFAULT') int most) {}";
        String quota = """
                import dev.lychgate.filter.*

                class Quota implements SyncFilter {
                    Quota(Settings settings) { }
                    FilterOutcome filter(FilterExchange e) { e.proceed() }
                }
                """;
        assertThat(Sources.refused(
                        "lib/Settings.groovy", record.replace("DEFAULT", "many"), "inbound/Quota.groovy", quota))
                .singleElement()
                .satisfies(fault -> assertThat(fault.toString()).startsWith("inbound/Quota.groovy:3: "));
        try (BuiltFilters built =
                Sources.build("lib/Settings.groovy", record.replace("DEFAULT", "20"), "inbound/Quota.groovy", quota)) {
            assertThat(built.filters().get(0).named().place("most")).isNull();
        }
    }

    /** Groovy gives every object properties such as {@code class}. */
    @Test
    void settingsOfARecordMayHaveNamesOfMethodsOfCollections() throws Exception {
        try (BuiltFilters built = Sources.build("inbound/Quota.groovy", """
                import dev.lychgate.filter.*

                class Quota implements SyncFilter {
                    record Settings(@Setting(defaultValue = 'a') List<String> keys,
                            @Setting(defaultValue = '3') int values, @Setting(defaultValue = 'b') String first,
                            @Setting(defaultValue = 'true') boolean empty, @Setting(defaultValue = '4') long count,
                            @Setting(defaultValue = '5') int max, @Setting(defaultValue = 'c') String name) {}

                    private final Settings settings

                    Quota(Settings settings) { this.settings = settings }

                    FilterOutcome filter(FilterExchange e) {
                        e.request.headers['x-all'] = [settings.keys(), settings.values(), settings.first(),
                            settings.empty(), settings.count(), settings.max(), settings.name()].join(' ') + ' ' +
                            [settings.values, settings.first, settings.count, settings.max, settings.name].join(' ')
                        e.proceed()
                    }
                }
                """)) {
            assertThat(all(built.filters().get(0).filter())).isEqualTo("[a] 3 b true 4 5 c 3 b 4 5 c");
        }
    }

    @Test
    void areARecordOfAClass() throws Exception {
        try (BuiltFilters built = Sources.build("inbound/Quota.groovy", IMPORT + """
                import java.time.Duration

                class Quota implements SyncFilter {
                    record Settings(@Setting(defaultValue = '20', min = '1') int most, Duration maxAge) {}

                    private final Settings settings

                    Quota(Settings settings) { this.settings = settings }

                    FilterOutcome filter(FilterExchange e) {
                        e.request.headers['x-all'] = settings.most() + ' ' + settings.maxAge()
                        e.proceed()
                    }
                }
                """)) {
            NamedFilter named = built.filters().get(0).named();
            assertThat(all(named.make(Map.of("max-age", "1s")))).isEqualTo("20 PT1S");
            assertThat(named.place("max-age")).isEqualTo("inbound/Quota.groovy:5");
            assertThatThrownBy(named::make)
                    .isInstanceOf(ConfigException.class)
                    .hasMessage("max-age: missing (expected: a duration)");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "settings { int size = 20; size++ }|inbound/A.groovy:1:27: a settings block contains only typed declarations, such as: int size = 20",
                "settings { def size = 20 }|inbound/A.groovy:1:12: a settings block contains only typed declarations, such as: int size = 20",
                "settings { int size = Integer.parseInt('1') }|inbound/A.groovy:1:23: the default of a setting must be a constant, such as 20, '1s', 1.s, ['a', 'b'] or an enum value",
                "enum By { ALL }; class Other { static final String NAME = 'a' }; settings { String by = Other.NAME }|inbound/A.groovy:1:89: the default of a setting must be a constant, such as 20, '1s', 1.s, ['a', 'b'] or an enum value",
                "enum By { ALL }; enum Other { ALL }; settings { By by = Other.ALL }|inbound/A.groovy:1:57: the default of a setting must be a constant, such as 20, '1s', 1.s, ['a', 'b'] or an enum value",
                "settings { int size = 1 }; settings { int n = 1 }|inbound/A.groovy:1:28: a script can have only one settings block",
                "settings { int size = 1; int size = 2 }|inbound/A.groovy:1:26: duplicate setting size",
                "settings { @Deprecated int size = 1 }|inbound/A.groovy:1:12: a setting accepts no annotation except @Setting",
                "settings { @Setting(optional = true) int size }|inbound/A.groovy:1:12: @Setting accepts only the constants about, min and max; the default is written after the name",
                "settings { Object size = 1 }|inbound/A.groovy:1: setting size has the type java.lang.Object (expected: int, long, BigDecimal, boolean, String, Secret, Duration, ByteSize, Percent, com.google.re2j.Pattern, an enum, or a List or a Map<String, …> of one of them)",
                "settings { int size = '1s' }|inbound/A.groovy:1: the default of setting size: 1s (expected: a whole number)",
                "settings { @Setting(max = 5) int size = 9 }|inbound/A.groovy:1: the default of setting size: 9 (expected: 0 to 5)",
                "settings { @Setting(min = 5) String size = 'a' }|inbound/A.groovy:1: setting size has a minimum or a maximum (expected: only for numbers, durations, sizes and lists)",
                "settings { @Setting(min = '1x') int size = 1 }|inbound/A.groovy:1: the minimum of setting size: 1x (expected: a whole number)",
                "settings {; int n = 1; @Setting(max = '1s') List<String> names = [] }|inbound/A.groovy:1: the maximum of setting names: 1s (expected: a whole number)",
                "settings { @Setting(min = 5, max = 1) int size = 3 }|inbound/A.groovy:1: the minimum of setting size: 5 (expected: at most the maximum, 1)",
                "settings { @Setting(max = -1) int size = -3 }|inbound/A.groovy:1: the minimum of setting size: 0 (expected: at most the maximum, -1)",
                "settings { @Setting(min = '2s', max = '1s') Duration per = '3s' }|inbound/A.groovy:1: the minimum of setting per: 2s (expected: at most the maximum, 1s)",
                "settings { Map<String, String> names = [b: 'c'] }|inbound/A.groovy:1:40: the default of a mapping can only be [:]",
                "settings { List<List<String>> names = [] }|inbound/A.groovy:1: setting names has the type java.util.List<java.util.List<java.lang.String>> (expected: int, long, BigDecimal, boolean, String, Secret, Duration, ByteSize, Percent, com.google.re2j.Pattern, an enum, or a List or a Map<String, …> of one of them)",
                "settings { int order = 1 }|inbound/A.groovy:1:12: a setting can't be named order, which is a declaration of scripts",
                "settings { String timeout = '1s' }|inbound/A.groovy:1:12: a setting can't be named timeout, which is a declaration of scripts",
                "settings { String filter = 'a' }|inbound/A.groovy:1:12: a setting can't be named filter, which is a declaration of scripts",
                "settings { int size = null }|inbound/A.groovy:1: setting size is optional, but its primitive type has no null",
                "settings { int size = 1 }; name 'other'|inbound/A.groovy: has settings, so the name of the filter must be the name of its file, not other"
            })
    void areRefusedWithTheirPlace(String script, String fault) throws Exception {
        assertThat(Sources.refused("inbound/A.groovy", script + "\nfilter { null }"))
                .extracting(FilterFault::toString)
                .containsExactly(fault);
    }

    @Test
    void canNotHideADeclarationOfScripts() throws Exception {
        for (Method method : FilterScript.class.getDeclaredMethods()) {
            String name = method.getName();
            if (Modifier.isPublic(method.getModifiers()) && !method.isSynthetic()) {
                assertThat(Sources.refused("inbound/A.groovy", "settings { int " + name + " = 1 }\nfilter { null }"))
                        .extracting(FilterFault::message)
                        .containsExactly("a setting can't be named " + name + ", which is a declaration of scripts");
            }
        }
    }

    @Test
    void areNamedInLowerCaseWithHyphens() throws Exception {
        try (BuiltFilters built = Sources.build(
                "inbound/A.groovy", "settings { int maxAge = 1; int aB = 1; int A_B = 1 }\nfilter { null }")) {
            assertThat(built.filters().get(0).named().settingNames()).containsExactly("max-age", "a-b", "a_b");
        }
    }

    @Test
    void areReadWithoutALookupByName() throws Exception {
        CompiledSources code = GroovyFilterCompiler.compile(
                FilterBundle.of(Sources.of(
                                "inbound/A.groovy", "settings { int size = 1 }\nfilter { it.respond(200 + size) }"))
                        .get(0),
                LibraryClasses.NONE,
                new AtomicReference<>(),
                Set.of(),
                new CompileReport());
        byte[] closure = code.byteCode().entrySet().stream()
                .filter(entry -> entry.getKey().contains("closure"))
                .findFirst()
                .orElseThrow()
                .getValue();
        assertThat(new String(closure, StandardCharsets.ISO_8859_1).replaceAll("[^ -~]", " "))
                .contains("size")
                .doesNotContain("getProperty");
    }

    @Test
    void canNotBeAssigned() throws Exception {
        assertThat(Sources.refused("inbound/A.groovy", "settings { int size = 1 }\nfilter { size = 2 }"))
                .extracting(FilterFault::toString)
                .containsExactly(
                        "inbound/A.groovy:2:10: The variable [size] is declared final but is reassigned . At [2:10]");
    }
}
