package dev.lychgate.filters.groovy;

import static dev.lychgate.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lychgate.filter.Filter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Generations share the classes of files that a change does not concern. Each generation has its own filter objects and life cycle. */
class ClassesOfUnchangedFilesTest {
    private static final String COUNTING = "class Count { static int runs\n static int next() { ++runs } }";

    private final GroovyFilters groovy = new GroovyFilters();
    private final List<BuiltFilters> all = new ArrayList<>();
    private final Map<String, String> files = new LinkedHashMap<>();

    @AfterEach
    void release() {
        all.forEach(ClassesOfUnchangedFilesTest::retire);
    }

    private static void retire(BuiltFilters built) {
        built.end().join();
        built.close();
    }

    private BuiltFilters build() throws Exception {
        BuiltFilters built = groovy.build(FilterSources.of(files.entrySet().stream()
                .map(file -> new FilterSource(file.getKey(), file.getValue()))
                .toList()));
        all.add(built);
        return built;
    }

    private static Class<?> classOf(BuiltFilters built, String name) throws Exception {
        return built.loaders().get(0).loadClass(name);
    }

    private static int order(BuiltFilters built, String file) {
        return built.filters().stream()
                .filter(filter -> filter.file().equals(file))
                .findFirst()
                .orElseThrow()
                .filter()
                .order();
    }

    private static GroupClassLoader group(BuiltFilters built, String name) throws Exception {
        return (GroupClassLoader) classOf(built, name).getClassLoader();
    }

    @Test
    void makesNewFiltersOfTheSameClassAfterAChangeOfAnotherFile() throws Exception {
        files.put("inbound/a.groovy", "filter { }");
        files.put("inbound/b.groovy", "filter { }");
        BuiltFilters before = build();
        files.put("inbound/b.groovy", "filter { it.respond(403) }");
        BuiltFilters after = build();

        assertThat(classOf(after, "inbound.a")).isSameAs(classOf(before, "inbound.a"));
        assertThat(after.filters().get(0).filter())
                .isNotSameAs(before.filters().get(0).filter());
        assertThat(classOf(after, "inbound.b")).isNotSameAs(classOf(before, "inbound.b"));
    }

    @Test
    void loadsFilesThatUseAChangedFileThroughAnotherOne() throws Exception {
        files.put("lib/Low.groovy", "package low\nclass Low { static int value() { 1 } }");
        files.put("lib/High.groovy", "package high\nimport low.Low\nclass High { static int value() { Low.value() } }");
        files.put("inbound/a.groovy", "import high.High\norder High.value()\nfilter { }");
        files.put("inbound/b.groovy", "filter { }");
        BuiltFilters before = build();
        files.put("lib/Low.groovy", "package low\nclass Low { static int value() { 2 } }");
        BuiltFilters after = build();

        assertThat(order(before, "inbound/a.groovy")).isEqualTo(1);
        assertThat(order(after, "inbound/a.groovy")).isEqualTo(2);
        assertThat(classOf(after, "high.High")).isNotSameAs(classOf(before, "high.High"));
        assertThat(classOf(after, "inbound.b")).isSameAs(classOf(before, "inbound.b"));
    }

    @Test
    void keepsStaticFieldsUntilTheirFileChanges() throws Exception {
        files.put("lib/Count.groovy", COUNTING);
        files.put("inbound/a.groovy", "order Count.next()\nfilter { }");
        files.put("inbound/b.groovy", "filter { }");
        assertThat(order(build(), "inbound/a.groovy")).isEqualTo(1);
        files.put("inbound/b.groovy", "filter { 2 }");
        assertThat(order(build(), "inbound/a.groovy")).isEqualTo(2);
        files.put("lib/Count.groovy", COUNTING + " ");
        assertThat(order(build(), "inbound/a.groovy")).isEqualTo(1);
    }

    @Test
    void linksAnUnchangedFileWithAClassThatWasAdded() throws Exception {
        files.put("lib/Count.groovy", COUNTING);
        files.put(
                "inbound/a.groovy",
                "@CompileDynamic\nimport groovy.transform.CompileDynamic\n"
                        + "order(binding.hasVariable('Count') ? 7 : Count.next())\nfilter { }");
        BuiltFilters before = build();
        files.remove("lib/Count.groovy");
        assertThatThrownBy(this::build).hasMessageContaining("Count");
        files.put("lib/Other.groovy", COUNTING);
        BuiltFilters after = build();

        assertThat(classOf(after, "Count")).isNotSameAs(classOf(before, "Count"));
        assertThat(classOf(after, "inbound.a")).isNotSameAs(classOf(before, "inbound.a"));
    }

    @Test
    void letsFilesOfOnePackageUseMembersThatAreNotPublic() throws Exception {
        files.put(
                "lib/Base.groovy",
                "package shop\nimport groovy.transform.PackageScope\n"
                        + "class Base { protected static int one() { 1 }\n @PackageScope static int two() { 2 } }");
        files.put("lib/Middle.groovy", "package other\nclass Middle extends shop.Base { }");
        files.put(
                "lib/User.groovy", "package shop\nclass User { static int sum() { other.Middle.one() + Base.two() } }");
        files.put("inbound/a.groovy", "order shop.User.sum()\nfilter { }");

        assertThat(order(build(), "inbound/a.groovy")).isEqualTo(3);
    }

    @Test
    void loadsFilesThatReferToEachOtherTogether() throws Exception {
        files.put("lib/A.groovy", "package one\nclass A { static two.B b; static int value() { 4 } }");
        files.put("lib/B.groovy", "package two\nclass B { static int value() { one.A.value() + 1 } }");
        files.put("inbound/a.groovy", "order two.B.value()\nfilter { }");
        BuiltFilters before = build();
        assertThat(order(before, "inbound/a.groovy")).isEqualTo(5);
        files.put("lib/B.groovy", "package two\nclass B { static int value() { one.A.value() + 2 } }");
        BuiltFilters after = build();

        assertThat(order(after, "inbound/a.groovy")).isEqualTo(6);
        assertThat(classOf(after, "one.A").getClassLoader())
                .isSameAs(classOf(after, "two.B").getClassLoader());
        assertThat(classOf(after, "one.A")).isNotSameAs(classOf(before, "one.A"));
    }

    @Test
    void loadsAllFilesTogetherIfOneLoadsClassesByName() throws Exception {
        files.put("lib/Count.groovy", COUNTING);
        files.put(
                "inbound/a.groovy",
                "order ((Integer) Class.forName('Co' + 'unt').getMethod('next').invoke(null))\nfilter { }");
        files.put("inbound/b.groovy", "filter { }");
        assertThat(order(build(), "inbound/a.groovy")).isEqualTo(1);
        files.put("inbound/b.groovy", "filter { 2 }");
        BuiltFilters after = build();

        assertThat(order(after, "inbound/a.groovy")).isEqualTo(1);
        assertThat(after.loaders().get(0).groups()).hasSize(1);
    }

    @Test
    void loadsAllFilesTogetherIfOneEvaluatesText() throws Exception {
        files.put("lib/Count.groovy", COUNTING);
        files.put("inbound/a.groovy", "def name = 'Co' + 'unt'\norder((int) evaluate(\"${name}.next()\"))\nfilter { }");
        files.put("inbound/b.groovy", "filter { }");

        assertThat(order(build(), "inbound/a.groovy")).isEqualTo(1);
    }

    @Test
    void loadsFilesSeparatelyIfAWordOnlyContainsEvaluate() throws Exception {
        files.put("inbound/a.groovy", "// evaluates nothing, re_evaluate\nfilter { }");
        files.put("inbound/b.groovy", "filter { }");

        assertThat(build().loaders().get(0).groups()).hasSize(2);
    }

    @Test
    void runsAStaticBlockAgainAfterItHasFailed() throws Exception {
        String key = getClass().getName();
        System.clearProperty(key);
        files.put("lib/Needs.groovy", """
                class Needs {
                    static final int VALUE
                    static { VALUE = Integer.parseInt(System.getProperty('%s')) }
                }
                """.formatted(key));
        files.put("inbound/a.groovy", "filter { }");
        files.put("inbound/b.groovy", "filter { Needs.VALUE }");
        build();
        files.put("inbound/a.groovy", "order Needs.VALUE\nfilter { }");
        assertThatThrownBy(this::build).hasMessageContaining("NumberFormatException");
        System.setProperty(key, "9");
        try {
            assertThat(order(build(), "inbound/a.groovy")).isEqualTo(9);
        } finally {
            System.clearProperty(key);
        }
    }

    @Test
    void usesTheClassesInForceAfterARefusal() throws Exception {
        files.put("inbound/a.groovy", "filter { }");
        files.put("inbound/b.groovy", "filter { }");
        BuiltFilters before = build();
        files.put("inbound/b.groovy", "throw new IllegalStateException('on purpose')\nfilter { }");
        assertThatThrownBy(this::build).hasMessageContaining("on purpose");
        files.put("inbound/b.groovy", "filter { 2 }");

        assertThat(classOf(build(), "inbound.a")).isSameAs(classOf(before, "inbound.a"));
        assertThat(group(before, "inbound.a").isReleased()).isFalse();
    }

    @Test
    void loadsAllClassesAgainOnRequest() throws Exception {
        files.put("lib/Count.groovy", COUNTING);
        files.put("inbound/a.groovy", "order Count.next()\nfilter { }");
        BuiltFilters before = build();
        groovy.loadAnew();
        BuiltFilters after = build();

        assertThat(order(after, "inbound/a.groovy")).isEqualTo(1);
        assertThat(classOf(after, "inbound.a")).isNotSameAs(classOf(before, "inbound.a"));
    }

    @Test
    void releasesClassesWithTheLastGenerationThatUsesThem() throws Exception {
        files.put("inbound/a.groovy", "filter { }");
        files.put("inbound/b.groovy", "filter { }");
        BuiltFilters before = build();
        files.put("inbound/b.groovy", "filter { 2 }");
        BuiltFilters after = build();
        GroupClassLoader shared = group(after, "inbound.a");
        GroupClassLoader replaced = group(before, "inbound.b");
        before.close();
        before.close();

        assertThat(replaced.isReleased()).isTrue();
        assertThat(shared.isReleased()).isFalse();
        after.close();
        assertThat(shared.isReleased()).isTrue();
        assertThat(classOf(build(), "inbound.a").getClassLoader()).isNotSameAs(shared);
    }

    @Test
    void unloadsTheClassesOfChangedFilesOnly() throws Exception {
        files.put("lib/Count.groovy", COUNTING);
        files.put("inbound/a.groovy", "order Count.next()\nfilter { }");
        for (int i = 1; i <= 10; i++) {
            files.put("inbound/b.groovy", "filter { " + i + " }");
            BuiltFilters built = build();
            assertThat(order(built, "inbound/a.groovy")).isEqualTo(i);
            if (all.size() > 1) {
                retire(all.remove(0));
            }
        }
        eventually(() -> {
            System.gc();
            assertThat(groovy.alive().count()).isLessThanOrEqualTo(2);
        });
    }

    @Test
    void reportsThePlaceOfAFailureInAClassOfAnotherGroup() throws Exception {
        files.put(
                "lib/Broken.groovy",
                "package shop\nclass Broken {\n static int value() {\n  throw new IllegalStateException('no')\n }\n}");
        files.put("inbound/a.groovy", "filter { }\nselfCheck { shop.Broken.value() }");
        BuiltFilters built = build();
        Filter filter = built.filters().get(0).filter();

        assertThat(GroovyFilters.fileOf(filter)).isEqualTo("inbound/a.groovy");
        assertThatThrownBy(filter::selfCheck)
                .satisfies(thrown -> assertThat(GroovyFilters.fault(filter, thrown, "failed"))
                        .hasToString("inbound/a.groovy: failed, at lib/Broken.groovy:4"));
    }
}
