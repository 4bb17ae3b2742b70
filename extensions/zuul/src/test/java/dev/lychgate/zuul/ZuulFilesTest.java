package dev.lychgate.zuul;

import static dev.lychgate.zuul.ZuulGateway.filter;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lychgate.filters.groovy.BuiltFilters;
import dev.lychgate.filters.groovy.FilterDirectory;
import dev.lychgate.filters.groovy.FilterFaultsException;
import dev.lychgate.filters.groovy.FilterSource;
import dev.lychgate.filters.groovy.FilterSources;
import dev.lychgate.filters.groovy.GroovyFilter;
import dev.lychgate.testing.Eventually;
import dev.lychgate.testing.Responses;
import dev.lychgate.testing.ScriptedOrigin;
import java.lang.ref.WeakReference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files with filters of Zuul: which are used, left out and refused. */
class ZuulFilesTest {
    private static final String ENTITY =
            "import org.springframework.cloud.netflix.zuul.filters.support.FilterConstants\n";

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
        String text =
                filter("Tested", "pre", 1, "").replace("class Tested", """
                        import org.junit.Test
                        import static org.mockito.Mockito.*
                        import static junit.framework.Assert.assertTrue
                        import com.netflix.zuul.monitoring.MonitoringHelper
                        class Tested""").replaceFirst("}\\s*$", """
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
    void refusesClassesOfTheApplicationWithARemedy() {
        String inJava = """
                package com.example;
                import com.netflix.zuul.ZuulFilter;
                import com.example.tokens.Checker;
                public class Checks extends ZuulFilter {
                    private final Helper helper = null;
                    @Override public String filterType() { return "pre"; }
                    @Override public int filterOrder() { return 1; }
                    @Override public boolean shouldFilter() { return true; }
                    @Override public Object run() { return null; }
                }
                """;
        String remedy = "put the jar with this class into filters.libraries, or its source into lib/";

        assertThatThrownBy(() -> names(Map.of("pre/Checks.java", inJava)))
                .isInstanceOf(FilterFaultsException.class)
                .hasMessageContaining("package com.example.tokens does not exist: " + remedy)
                .hasMessageContaining("pre/Checks.java:3:")
                .hasMessageContaining("pre/Checks.java:5:")
                .hasMessageContaining("class com.example.Checks: " + remedy);
        assertThatThrownBy(() -> names(Map.of(
                        "pre/Uses.groovy", "import com.example.tokens.Checker\n" + filter("Uses", "pre", 1, ""))))
                .isInstanceOf(FilterFaultsException.class)
                .hasMessageContaining("unable to resolve class com.example.tokens.Checker: " + remedy);
    }

    @Test
    void refusesClassesOfForksOfZuul() {
        assertThatThrownBy(() -> names(Map.of(
                        "pre/Fork.groovy",
                        "import io.spring2go.zuul.context.RequestContext as Other\n" + filter("Fork", "pre", 1, ""))))
                .isInstanceOf(FilterFaultsException.class)
                .hasMessageContaining("a fork of Zuul; import the class of the same name from com.netflix.zuul");
    }

    @Test
    void refusesClassesThatWereMovedBeforeTheReleaseOfZuul2() {
        String text = "import com.netflix.zuul.context.HttpRequestMessage\n" + filter("Early", "pre", 1, "");

        assertThatThrownBy(() -> names(Map.of("pre/Early.groovy", text)))
                .isInstanceOf(FilterFaultsException.class)
                .hasMessageContaining("the release of Zuul 2 has this class in com.netflix.zuul.message");
    }

    @Test
    void filtersMayReadTheNameOfTheApplication() throws Exception {
        String text = "import com.netflix.zuul.ZuulApplicationInfo\n"
                + filter("Names", "pre", 1, "ctx.set('application', ZuulApplicationInfo.applicationName ?: 'none')");

        assertThat(names(Map.of("pre/Names.groovy", text))).containsExactly("Names");
    }

    @Test
    void classesAndConstructorsNeedNotBePublic() throws Exception {
        String text = """
                class Hidden extends com.netflix.zuul.ZuulFilter {
                    @Override public String filterType() { return "pre"; }
                    @Override public int filterOrder() { return 1; }
                    @Override public boolean shouldFilter() { return true; }
                    @Override public Object run() { return null; }
                }
                """;

        assertThat(names(Map.of("pre/Hidden.java", text))).containsExactly("Hidden");
    }

    @Test
    void refusesConstructorsWithParameters() {
        String text = filter("Takes", "pre", 1, "")
                .replace("String filterType", "Takes(Object service) {}\nString filterType");

        assertThatThrownBy(() -> names(Map.of("pre/Takes.groovy", text)))
                .isInstanceOf(FilterFaultsException.class)
                .hasMessageContaining("class Takes has no constructor without parameters")
                .hasMessageContaining("LychgateBuilder.zuulFilters");
    }

    @Test
    void refusesInjectedFields() {
        String text = """
                import com.example.lib.Autowired
                """
                + filter("Injected", "pre", 1, "")
                        .replace("String filterType", "@Autowired Object service\nString filterType");
        String annotation = """
                package com.example.lib
                import java.lang.annotation.Retention
                import java.lang.annotation.RetentionPolicy
                @Retention(RetentionPolicy.RUNTIME)
                @interface Autowired {}
                """;

        assertThatThrownBy(() -> names(Map.of("pre/Injected.groovy", text, "lib/Autowired.groovy", annotation)))
                .isInstanceOf(FilterFaultsException.class)
                .hasMessageContaining("field service of class Injected needs an injected object")
                .hasMessageContaining("LychgateBuilder.zuulFilters");
    }

    @Test
    void constantsOfSpringCloudAreAvailable() throws Exception {
        String text = """
                import static org.springframework.cloud.netflix.zuul.filters.support.FilterConstants.*
                """
                + filter("Late", "pre", 1, "")
                        .replace("'pre'", "POST_TYPE")
                        .replace("{ 1 }", "{ SEND_RESPONSE_FILTER_ORDER - 1 }");

        try (BuiltFilters built = ZuulGateway.build(Map.of(), Map.of("pre/Late.groovy", text))) {
            assertThat(built.filters())
                    .filteredOn(each -> each.name().equals("Late"))
                    .singleElement()
                    .satisfies(each -> {
                        assertThat(each.phase()).hasToString("OUTBOUND");
                        assertThat(each.filter().order()).isEqualTo(999);
                    });
        }
    }

    @Test
    void classesOfTheExtensionReplaceThoseOfAJarOfZuul(@TempDir Path empty, @TempDir Path libraries) throws Exception {
        Files.copy(Path.of("target/oracle/zuul-core-1.3.1.jar"), libraries.resolve("zuul-core.jar"));
        FilterSources jars = new FilterDirectory(empty, libraries).read();
        FilterSource inGroovy = new FilterSource("pre/One.groovy", filter("One", "pre", 1, ""));
        FilterSource inJava = new FilterSource("pre/Two.java", """
                public class Two extends com.netflix.zuul.ZuulFilter {
                    @Override public String filterType() { return "pre"; }
                    @Override public int filterOrder() { return 1; }
                    @Override public boolean shouldFilter() { return true; }
                    @Override public Object run() { return null; }
                }
                """);
        FilterSources sources = new FilterSources(
                List.of(inGroovy, inJava), jars.libraries(), List.of(), List.of(), "with the jar of Zuul");

        try (BuiltFilters built = ZuulGateway.build(Map.of(), sources)) {
            assertThat(built.filters()).extracting(GroovyFilter::name).contains("One", "Two");
        }
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
        Eventually.eventually(Duration.ofSeconds(30), () -> {
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
                        "pre/Entity.groovy",
                                ENTITY + filter("Entity", "pre", 1, "ctx.get(FilterConstants.REQUEST_ENTITY_KEY)"),
                        "post/Answer.groovy", filter("Answer", "post", 1, "ctx.getResponseDataStream()"),
                        "post/Sets.groovy", filter("Sets", "post", 1, "ctx.responseBody = 'x'")))) {
            assertThat(built.filters())
                    .filteredOn(each -> !each.name().startsWith("zuul-"))
                    .extracting(each -> each.name() + " " + each.filter().body().limit())
                    .containsExactlyInAnyOrder("Head 0", "Body 2048", "Entity 2048", "Answer 2048", "Sets 0");
        }
    }
}
