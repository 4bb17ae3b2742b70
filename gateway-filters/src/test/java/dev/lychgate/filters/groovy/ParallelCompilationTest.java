package dev.lychgate.filters.groovy;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A compilation in several parts has the result of a compilation of all files. */
@Tag("slow")
class ParallelCompilationTest {
    private final List<FilterBundle> parts = Collections.synchronizedList(new ArrayList<>());

    private @Nullable CompiledBundle compile(FilterBundle bundle) {
        return ParallelCompilation.compile(bundle, 2, (files, alsoKnown) -> {
            parts.add(files);
            return whole(files);
        });
    }

    private static CompiledSources whole(FilterBundle bundle) throws FilterFaultsException {
        return GroovyFilterCompiler.compile(
                bundle, LibraryClasses.NONE, new AtomicReference<>(""), Set.of(), new CompileReport());
    }

    private static FilterBundle bundle(FilterSources sources) {
        return FilterBundle.of(sources).get(0);
    }

    @Test
    void producesTheByteCodeOfACompilationOfAllFiles() throws Exception {
        FilterBundle samples = bundle(new FilterDirectory(Path.of("../config/filters")).read());
        CompiledBundle compiled = compile(samples);
        assertThat(compiled).isNotNull();
        Map<String, byte[]> expected = whole(samples).byteCode();

        CompiledSources code = compiled.code(samples);
        assertThat(code.byteCode().keySet()).isEqualTo(expected.keySet());
        code.byteCode().forEach((name, bytes) -> assertThat(bytes).as(name).isEqualTo(expected.get(name)));
        assertThat(code.filters()).containsExactlyElementsOf(whole(samples).filters());
        assertThat(parts)
                .hasSize(2)
                .allSatisfy(part -> assertThat(part.files().size())
                        .isLessThan(samples.files().size()));
    }

    @Test
    void leavesFaultsToACompilationOfAllFiles() {
        assertThat(compile(bundle(Sources.of(
                        "inbound/first.groovy", "filter { it.respnd(1) }", "inbound/second.groovy", "filter { }"))))
                .isNull();
        assertThat(parts).hasSize(2);
    }

    @Test
    void leavesClassesWithNamesThatTheTextHidesToACompilationOfAllFiles() {
        String hidden = "class /* or interface */ Hidden { static int VALUE = 1 }";
        String user =
                "import groovy.transform.CompileDynamic\n@CompileDynamic class Use { def value() { Hidden.VALUE } }";
        FilterBundle bundle = bundle(Sources.of("lib/Other.groovy", hidden, "lib/Use.groovy", user));

        assertThat(compile(bundle)).isNull();
    }

    @Test
    void compilesLargeTextsInPartsOnlyIfTheyAreIndependent() {
        String use = "filter { Common.VALUE }";
        assertThat(compile(bundle(Sources.of(
                        "lib/Common.groovy",
                        "class Common { static int VALUE = 1 }\n" + "// long\n".repeat(50),
                        "inbound/first.groovy",
                        use,
                        "inbound/second.groovy",
                        use))))
                .isNull();
        assertThat(parts).isEmpty();
    }
}
