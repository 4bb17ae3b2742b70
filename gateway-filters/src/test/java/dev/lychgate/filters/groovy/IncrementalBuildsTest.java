package dev.lychgate.filters.groovy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Builds after a change reuse the byte code of files that the change does not concern, and only of those. */
@Tag("slow")
class IncrementalBuildsTest {
    private static final String STAMP = "filter { it.response.headers['x-a'] = Words.WORD }";

    private final GroovyFilters groovy = new GroovyFilters();
    private final List<BuiltFilters> all = new ArrayList<>();

    @AfterEach
    void release() {
        all.forEach(built -> {
            built.end().join();
            built.close();
        });
    }

    private Map<String, byte[]> build(GroovyFilters by, FilterSources sources) throws Exception {
        BuiltFilters built = by.build(sources);
        all.add(built);
        Map<String, byte[]> code = new HashMap<>();
        built.loaders().forEach(loader -> code.putAll(loader.code().byteCode()));
        return code;
    }

    private Map<String, byte[]> build(String... pathsAndTexts) throws Exception {
        return build(groovy, Sources.of(pathsAndTexts));
    }

    @Test
    void reusesTheByteCodeOfUnchangedFiles() throws Exception {
        String[] files = {
            "inbound/a.groovy", "filter { }", "inbound/b.groovy", "filter { }", "inbound/c.groovy", "filter { }"
        };
        Map<String, byte[]> before = build(files);
        files[1] = "filter { it.respond(403) }";
        Map<String, byte[]> after = build(files);

        assertThat(after.get("inbound.a")).isNotSameAs(before.get("inbound.a"));
        assertThat(after.get("inbound.b")).isSameAs(before.get("inbound.b"));
        assertThat(after.get("inbound.c")).isSameAs(before.get("inbound.c"));
    }

    @Test
    void compilesNothingIfNoFileHasChanged() throws Exception {
        String[] files = {"inbound/a.groovy", "filter { }", "lib/Words.groovy", "class Words { }"};
        Map<String, byte[]> before = build(files);

        assertThat(build(files)).allSatisfy((name, code) -> assertThat(code).isSameAs(before.get(name)));
    }

    @Test
    void compilesFilesThatUseAChangedClassThroughAnotherOne() throws Exception {
        String[] files = {
            "lib/Words.groovy", "class Words { static final String WORD = Letters.A }",
            "lib/Letters.groovy", "class Letters { static final String A = 'a' }",
            "outbound/a.groovy", STAMP,
            "outbound/b.groovy", "filter { }",
            "outbound/c.groovy", "filter { }",
            "outbound/d.groovy", "filter { }",
            "outbound/e.groovy", "filter { }"
        };
        Map<String, byte[]> before = build(files);
        files[3] = "class Letters { static final String A = 'b' }";
        Map<String, byte[]> after = build(files);

        assertThat(after.get("outbound.a")).isNotSameAs(before.get("outbound.a"));
        assertThat(after.get("Words")).isNotSameAs(before.get("Words"));
        assertThat(after.get("outbound.b")).isSameAs(before.get("outbound.b"));
    }

    @Test
    void refusesAnUnchangedFileWhoseClassWasRemoved() throws Exception {
        build("lib/Words.groovy", "class Words { static String WORD = 'a' }", "outbound/a.groovy", STAMP);

        assertThatThrownBy(() -> build("outbound/a.groovy", STAMP, "outbound/b.groovy", "filter { }"))
                .hasMessageContaining("outbound/a.groovy:1:")
                .hasMessageContaining("The variable [Words] is undeclared");
    }

    @Test
    void compilesAnUnchangedFileThatMentionsANewClass() throws Exception {
        String dynamic = "@groovy.transform.CompileDynamic\nimport java.util.List\nfilter { Words.WORD }";
        String[] files = {
            "outbound/a.groovy",
            dynamic,
            "outbound/b.groovy",
            "filter { }",
            "outbound/c.groovy",
            "filter { }",
            "outbound/d.groovy",
            "filter { }",
            "outbound/e.groovy",
            "filter { }",
            "outbound/f.groovy",
            "filter { }"
        };
        Map<String, byte[]> before = build(files);
        List<String> more = new ArrayList<>(List.of(files));
        more.addAll(List.of("lib/Other.groovy", "class Words { static String WORD = 'a' }"));
        Map<String, byte[]> after = build(more.toArray(String[]::new));

        assertThat(after.get("outbound.a")).isNotSameAs(before.get("outbound.a"));
        assertThat(after.get("outbound.b")).isSameAs(before.get("outbound.b"));
    }

    @Test
    void findsClassNamesInUnicodeEscapes() {
        FilterSource file = new FilterSource("outbound/a.groovy", "filter { \\u0057ords.WORD }");
        FileReferences references =
                new FileReferences(List.of(file), Map.of("lib/Words.groovy", java.util.Set.of("Words")));

        assertThat(references.dependents(List.of("lib/Words.groovy"))).contains("outbound/a.groovy");
    }

    @Test
    void requiresTheLastPartOfThePackageBesideTheName() {
        FilterSource qualified = new FilterSource("outbound/a.groovy", "import shop.words.*\nfilter { Words }");
        FilterSource other = new FilterSource("outbound/b.groovy", "filter { 'Words' }");
        FileReferences references = new FileReferences(
                List.of(qualified, other), Map.of("lib/Words.groovy", java.util.Set.of("shop.words.Words")));

        assertThat(references.dependents(List.of("lib/Words.groovy")))
                .containsExactlyInAnyOrder("lib/Words.groovy", "outbound/a.groovy");
    }

    @Test
    void refusesTheNameOfAnUnchangedScriptAgain() throws Exception {
        build("inbound/a-b.groovy", "filter { }", "inbound/c.groovy", "filter { }", "inbound/d.groovy", "filter { }");

        assertThatThrownBy(() -> build(
                        "inbound/a-b.groovy",
                        "filter { }",
                        "inbound/c.groovy",
                        "filter { }",
                        "inbound/d.groovy",
                        "filter { }",
                        "inbound/a_b.groovy",
                        "filter { }"))
                .hasMessageContaining("a_b");
    }

    @Test
    void suggestsClassesOfFilesThatAreNotCompiledAgain() throws Exception {
        String[] files = {
            "lib/Buckets.groovy",
            "class Buckets { static int SIZE = 3 }",
            "inbound/a.groovy",
            "filter { }",
            "inbound/b.groovy",
            "filter { }",
            "inbound/c.groovy",
            "filter { }"
        };
        build(files);
        files[3] = "filter { Bucket.SIZE }";

        assertThatThrownBy(() -> build(files)).hasMessageContaining("did you mean 'Buckets'?");
    }

    @Test
    void measuresTheFilesThatItCompiles() throws Exception {
        String[] files = {
            "inbound/a.groovy", "filter { }", "inbound/b.groovy", "filter { }", "inbound/c.groovy", "filter { }"
        };
        build(files);
        assertThat(groovy.report().slowest(10))
                .extracting(CompileReport.OfFile::file)
                .containsExactlyInAnyOrder("inbound/a.groovy", "inbound/b.groovy", "inbound/c.groovy");
        files[3] = "filter { 1 }";
        build(files);

        assertThat(groovy.report().slowest(10)).singleElement().satisfies(file -> {
            assertThat(file.file()).isEqualTo("inbound/b.groovy");
            assertThat(file.time())
                    .isPositive()
                    .isLessThanOrEqualTo(groovy.report().total());
        });
    }

    @Test
    void buildsAFileThatIsCorrectedAfterARefusal() throws Exception {
        String[] files = {
            "inbound/a.groovy", "filter { }", "inbound/b.groovy", "filter { }", "inbound/c.groovy", "filter { }"
        };
        Map<String, byte[]> before = build(files);
        files[1] = "filter { it.respnd(3) }";
        assertThatThrownBy(() -> build(files)).hasMessageContaining("respnd");
        files[1] = "filter { it.respond(403) }";

        assertThat(build(files).get("inbound.b")).isSameAs(before.get("inbound.b"));
    }

    @Test
    void producesTheByteCodeOfACompilationOfAllFiles() throws Exception {
        FilterSources samples = new FilterDirectory(Path.of("../config/filters")).read();
        build(groovy, samples);
        int count = samples.files().size();
        for (int first = 0; first < count; first += 4) {
            List<FilterSource> files = new ArrayList<>(samples.files());
            List<FilterSource> changed = files.subList(first, Math.min(first + 4, count));
            changed.replaceAll(file -> new FilterSource(file.path(), "// longer\n" + file.text()));
            FilterSources sources = FilterSources.of(files);

            Map<String, byte[]> incremental = build(groovy, sources);
            Map<String, byte[]> whole = build(new GroovyFilters(), sources);

            assertThat(incremental.keySet())
                    .as("changed: %s", changed.stream().map(FilterSource::path).toList())
                    .isEqualTo(whole.keySet());
            assertThat(incremental)
                    .allSatisfy((name, code) -> assertThat(code).as(name).isEqualTo(whole.get(name)));
        }
    }
}
