package dev.lychgate.zuul;

import static dev.lychgate.zuul.ZuulGateway.filter;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lychgate.filters.groovy.BuiltFilters;
import dev.lychgate.filters.groovy.FilterFaultsException;
import dev.lychgate.filters.groovy.GroovyFilter;
import dev.lychgate.testing.Eventually;
import dev.lychgate.testing.Responses;
import dev.lychgate.testing.ScriptedOrigin;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Files with filters of Zuul: which are used, left out and refused. */
class ZuulFilesTest {
    private static List<String> names(Map<String, String> files) throws Exception {
        return names(Map.of(), files);
    }

    private static List<String> names(Map<String, Object> settings, Map<String, String> files) throws Exception {
        try (BuiltFilters built = ZuulGateway.build(settings, files)) {
            return built.filters().stream()
                    .map(GroovyFilter::name)
                    .filter(name -> !name.startsWith("zuul-"))
                    .toList();
        }
    }

    @Test
    void legacyAndNativeFiltersAreInOneGeneration() throws Exception {
        assertThat(names(Map.of(
                        "pre/Old.groovy",
                        filter("Old", "pre", 1, ""),
                        "inbound/fresh.groovy",
                        "filter { it.proceed() }")))
                .containsExactlyInAnyOrder("Old", "fresh");
    }

    @Test
    void typeOfFilterDecidesAndNotItsDirectory() throws Exception {
        try (BuiltFilters built =
                ZuulGateway.build(Map.of(), Map.of("pre/Late.groovy", filter("Late", "post", 1, "")))) {
            assertThat(built.filters())
                    .filteredOn(each -> each.name().equals("Late"))
                    .singleElement()
                    .satisfies(each -> assertThat(each.phase()).hasToString("OUTBOUND"));
        }
    }

    @Test
    void filtersMayHaveTheNamesOfClassesThatGroovyImports() throws Exception {
        assertThat(names(Map.of(
                        "pre/Properties.groovy",
                        filter("Properties", "pre", 1, "ctx.set('own', Properties.name)"),
                        "pre/Writer.groovy",
                        filter("Writer", "pre", 2, "Properties p = new Properties(); p.setProperty('a', 'b')"),
                        "post/Writer.groovy",
                        filter("Writer", "post", 1, "java.io.Writer w = new StringWriter()"))))
                .containsExactlyInAnyOrder("Properties", "Writer", "Writer");
    }

    @Test
    void leavesOutFiltersOfZuulThatTheGatewayReplaces() throws Exception {
        String sends = "import com.netflix.client.ClientFactory\n" + filter("SimpleHostRequest", "route", 1, "");

        assertThat(names(Map.of("route/SimpleHostRequest.groovy", sends))).isEmpty();
        assertThat(names(
                        Map.of("keep", List.of("SendResponse")),
                        Map.of("post/SendResponse.groovy", filter("SendResponse", "post", 1, ""))))
                .containsExactly("SendResponse");
    }

    @Test
    void compilesNoTestsInsideOfFilters() throws Exception {
        String text = filter("Tested", "pre", 1, "")
                .replace("class Tested", "import org.junit.Test\nimport static org.mockito.Mockito.*\nclass Tested")
                .replaceFirst("}\\s*$", """
                    @RunWith(MockitoJUnitRunner.class)
                    public static class UnitTest {
                        @Mock HttpServletRequest request
                        @Test
                        public void runs() { assertTrue(mock(Tested.class) != null) }
                    }
                }
                """);

        assertThat(names(Map.of("pre/Tested.groovy", text))).containsExactly("Tested");
    }

    @Test
    void refusesMissingClassesWithFileLineAndRemedy() {
        String text = "import com.netflix.client.ClientFactory\n" + filter("Balances", "route", 1, "");

        assertThatThrownBy(() -> names(Map.of("route/Balances.groovy", text)))
                .isInstanceOf(FilterFaultsException.class)
                .hasMessageContaining(
                        "route/Balances.groovy:1:8: unable to resolve class com.netflix.client.ClientFactory")
                .hasMessageContaining("this class belongs to Ribbon")
                .hasMessageContaining("extensions.zuul.vips");
    }

    @Test
    void refusesSessionsWithTheirLine() {
        assertThatThrownBy(() -> names(
                        Map.of("pre/Session.groovy", filter("Session", "pre", 1, "ctx.request.getSession(true)"))))
                .isInstanceOf(FilterFaultsException.class)
                .hasMessageContaining("pre/Session.groovy:9")
                .hasMessageContaining("getSession needs a servlet container");
    }

    @Test
    void classesOfReplacedGenerationsAreUnloaded() throws Exception {
        List<WeakReference<ClassLoader>> loaders = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            loaders.add(usedOnce("ctx.set('generation', " + i + ")"));
        }
        Eventually.eventually(() -> {
            System.gc();
            assertThat(loaders).allSatisfy(each -> assertThat(each.get()).isNull());
        });
    }

    private static WeakReference<ClassLoader> usedOnce(String run) throws Exception {
        try (ScriptedOrigin origin =
                        ScriptedOrigin.answering((request, connection) -> connection.send(Responses.ok("origin")));
                ZuulGateway gateway =
                        ZuulGateway.start(origin, Map.of(), Map.of("pre/Once.groovy", filter("Once", "pre", 1, run)))) {
            assertThat(gateway.get("/").status()).isEqualTo(200);
            return new WeakReference<>(gateway.loader("pre/Once.groovy"));
        }
    }

    @Test
    void keepsNoBodyThatNoFilterReads() throws Exception {
        try (BuiltFilters built = ZuulGateway.build(
                Map.of("body-limit", "2KiB"),
                Map.of(
                        "pre/Head.groovy", filter("Head", "pre", 1, "ctx.request.getHeader('a')"),
                        "pre/Body.groovy", filter("Body", "pre", 1, "[1].each { ctx.request.reader.text }"),
                        "post/Answer.groovy", filter("Answer", "post", 1, "ctx.getResponseDataStream()"),
                        "post/Sets.groovy", filter("Sets", "post", 1, "ctx.responseBody = 'x'")))) {
            assertThat(built.filters())
                    .filteredOn(each -> !each.name().startsWith("zuul-"))
                    .extracting(each -> each.name() + " " + each.filter().body().limit())
                    .containsExactlyInAnyOrder("Head 0", "Body 2048", "Answer 2048", "Sets 0");
        }
    }
}
