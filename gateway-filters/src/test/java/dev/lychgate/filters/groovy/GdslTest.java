package dev.lychgate.filters.groovy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.filters.testing.FilterTestScript;
import groovy.lang.Binding;
import groovy.lang.Closure;
import groovy.lang.GroovyShell;
import groovy.lang.Script;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.codehaus.groovy.control.CompilerConfiguration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The description of scripts for IntelliJ, run by a recorder with the functions of IntelliJ that it calls. */
class GdslTest {
    private final List<Contribution> contributions = new ArrayList<>();

    private record Contribution(String paths, Class<?> type) {}

    /** The functions of a GDSL script. */
    public abstract static class Recorder extends Script {
        public Map<String, Object> scriptScope() {
            return Map.of("script", true);
        }

        public Map<String, Object> context(Map<String, Object> context) {
            assertThat(context).containsOnlyKeys("scope", "pathRegexp").containsEntry("scope", scriptScope());
            return context;
        }

        public Class<?> findClass(String name) throws ClassNotFoundException {
            return Class.forName(name);
        }

        public void delegatesTo(Class<?> type) {
            GdslTest test = (GdslTest) getProperty("test");
            test.contributions.add(new Contribution(String.valueOf(getProperty("paths")), type));
        }

        public void contributor(Map<String, Object> context, Closure<?> contribution) {
            setProperty("paths", context.get("pathRegexp"));
            contribution.call();
        }
    }

    @BeforeEach
    void run() throws Exception {
        CompilerConfiguration configuration = new CompilerConfiguration();
        configuration.setScriptBaseClass(Recorder.class.getName());
        try (InputStream text = GdslTest.class.getResourceAsStream("/lychgate.gdsl")) {
            new GroovyShell(new Binding(new HashMap<>(Map.of("test", this))), configuration)
                    .evaluate(new String(Objects.requireNonNull(text).readAllBytes(), StandardCharsets.UTF_8));
        }
    }

    private List<Class<?>> typesOf(String path) {
        return contributions.stream()
                .filter(contribution -> path.matches(contribution.paths()))
                .<Class<?>>map(Contribution::type)
                .toList();
    }

    @Test
    void givesFiltersTheMethodsOfTheirBaseClass() {
        for (PlaceInTree place : PlaceInTree.values()) {
            if (place.phase() != null) {
                assertThat(typesOf("/home/me/filters/" + PlaceInTree.name(place.phase()) + "/auth/ApiKey.groovy"))
                        .containsExactly(FilterScript.class);
            }
        }
        assertThat(typesOf("C:/filters/pre/a.groovy")).containsExactly(FilterScript.class);
    }

    @Test
    void givesTestsTheMethodsOfTheirBaseClass() {
        assertThat(typesOf("/home/me/filters/inbound/ApiKeyTest.groovy")).containsExactly(FilterTestScript.class);
        assertThat(typesOf("/home/me/filters/lib/WordsTest.groovy")).containsExactly(FilterTestScript.class);
    }

    @Test
    void leavesOtherScriptsAlone() {
        assertThat(typesOf("/home/me/build/tasks.groovy")).isEmpty();
        assertThat(typesOf("/home/me/filters/lib/Words.groovy")).isEmpty();
        assertThat(typesOf("/home/me/unbound/a.groovy")).isEmpty();
    }
}
