package dev.lychgate.server.migrate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lychgate.config.GatewayConfig;
import dev.lychgate.server.yaml.ConfigReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("slow")
class ZuulMigrationTest {
    @TempDir
    private Path dir = Path.of("");

    private void write(String path, String text) throws IOException {
        Path file = dir.resolve(path);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    /** Writes a filter. @param imports lines before the class @param run the statements of {@code run()} */
    private void filter(String imports, String run) throws IOException {
        write("pre/Sample.groovy", """
                import com.netflix.zuul.ZuulFilter
                import com.netflix.zuul.context.RequestContext
                %s
                class Sample extends ZuulFilter {
                    String filterType() { 'pre' }
                    int filterOrder() { return 7 }
                    boolean shouldFilter() { true }
                    Object run() {
                        RequestContext ctx = RequestContext.currentContext
                        %s
                        null
                    }
                }
                """.formatted(imports, run));
    }

    private FilterReport only() throws IOException {
        assertThat(report().filters()).hasSize(1);
        return report().filters().get(0);
    }

    private MigrationReport report() throws IOException {
        return ZuulMigration.examine(dir);
    }

    @Test
    void aFilterOfTheApiAloneRunsAsItIs() throws IOException {
        filter("import org.slf4j.LoggerFactory\nimport javax.servlet.http.*", "ctx.addZuulRequestHeader('a', 'b')");

        assertThat(only()).isEqualTo(new FilterReport("pre/Sample.groovy", "Sample", "pre", 7, java.util.List.of()));
        assertThat(only().verdict()).isEqualTo(Verdict.RUNS);
    }

    @Test
    void aFilterInJavaIsExamined() throws IOException {
        write("Auth.java", """
                package com.example;
                import com.netflix.zuul.ZuulFilter;
                public class Auth extends ZuulFilter {
                    @Override public String filterType() { return "post"; }
                    @Override public int filterOrder() { return ORDER; }
                    @Override public boolean shouldFilter() { return true; }
                    @Override public Object run() { return null; }
                    private static final int ORDER = 3;
                }
                """);

        assertThat(only().verdict()).isEqualTo(Verdict.RUNS);
        assertThat(only().type()).isEqualTo("post");
        assertThat(only().order()).as("no constant of the method").isNull();
    }

    @Test
    void commentsAndTextsAreNoCalls() throws IOException {
        filter("// import com.netflix.client.ClientFactory", "def note = 'System.exit(0)' // getSession()");

        assertThat(only().findings()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            ctx.request.getSession()                  | getSession
            ctx.request.session.id                    | session
            ctx.getRequest().startAsync()             | startAsync
            System.exit(1)                            | exit
            new com.netflix.client.ClientFactory()    | com.netflix.client.ClientFactory
            ctx.request.getRequestDispatcher('/other') | getRequestDispatcher
            """)
    void aCallThatCannotWorkMustChange(String statement, String subject) throws IOException {
        filter("", statement);

        assertThat(only().verdict()).isEqualTo(Verdict.CHANGE);
        assertThat(only().findings()).anySatisfy(finding -> {
            assertThat(finding.subject()).isEqualTo(subject);
            assertThat(finding.line()).isEqualTo(10);
        });
    }

    @ParameterizedTest
    @CsvSource({
        "com.netflix.niws.client.http.RestClient, extensions.zuul.vips",
        "com.netflix.zuul.http.ZuulServlet, not part of the API",
        "com.netflix.config.ConcurrentCompositeConfiguration, DynamicPropertyFactory",
        "org.springframework.beans.factory.annotation.Autowired, does not inject objects",
        "io.spring2go.zuul.context.RequestContext, a fork of Zuul",
        "org.springframework.cloud.netflix.zuul.filters.ProxyRequestHelper, not part of Zuul"
    })
    void aClassThatNoJarMayBringMustBeReplaced(String name, String remedy) throws IOException {
        filter("import " + name + " as X", "");

        assertThat(only().verdict()).isEqualTo(Verdict.CHANGE);
        assertThat(only().findings().get(0).toString())
                .startsWith("3:1: " + name + ": ")
                .contains(remedy);
    }

    @Test
    void aClassOfALibraryNeedsItsJar() throws IOException {
        filter("import org.apache.commons.lang.StringUtils", "StringUtils.isEmpty('')");

        assertThat(only().verdict()).isEqualTo(Verdict.SETTING);
        assertThat(only().findings().get(0).action()).contains("filters.libraries");
    }

    @Test
    void theConstantsOfSpringCloudNeedNothing() throws IOException {
        filter(
                "import static org.springframework.cloud.netflix.zuul.filters.support.FilterConstants.PRE_TYPE",
                "ctx.set('type', PRE_TYPE)");

        assertThat(only().findings()).isEmpty();
    }

    @Test
    void aClassOfTheDirectoryNeedsNothing() throws IOException {
        write("util/Tokens.groovy", "package com.example\nclass Tokens { }\n");
        filter("import com.example.Tokens", "new Tokens()");

        assertThat(only().findings()).isEmpty();
    }

    @Test
    void aFilterMayExtendABaseClassOfTheDirectory() throws IOException {
        write("Base.groovy", "import com.netflix.zuul.ZuulFilter\nabstract class Base extends ZuulFilter { }\n");
        write("pre/Own.groovy", "class Own extends Base { String filterType() { 'pre' } }\n");

        assertThat(only().name()).isEqualTo("Own");
        assertThat(only().verdict()).isEqualTo(Verdict.RUNS);
    }

    @Test
    void annotationsThatDownloadOrInjectMustChangeAndAreNotApplied() throws IOException {
        filter("@Grab('com.example:none:1.0')\nimport java.time.Instant", "");
        assertThat(only().findings()).extracting(Finding::subject).containsExactly("@Grab");

        write("pre/Sample.groovy", """
                class Sample extends com.netflix.zuul.ZuulFilter {
                    @Autowired
                    Object service
                }
                """);
        assertThat(only().findings()).extracting(Finding::subject).containsExactly("@Autowired");
    }

    @Test
    void aFilterOfZuul2RunsAsItIs() throws IOException {
        write("in/Two.groovy", """
                import com.netflix.zuul.filters.http.HttpInboundSyncFilter
                import com.netflix.zuul.message.http.HttpRequestMessage
                class Two extends HttpInboundSyncFilter { }
                """);

        assertThat(only().verdict()).isEqualTo(Verdict.RUNS);
    }

    @Test
    void aFilterOfTheInternalsOfZuul2MustBeWrittenAnew() throws IOException {
        write("in/Two.groovy", """
                import com.netflix.zuul.filters.passport.InboundPassportStampingFilter
                class Two extends InboundPassportStampingFilter { }
                """);

        assertThat(only().verdict()).isEqualTo(Verdict.CHANGE);
        assertThat(only().findings())
                .anySatisfy(finding -> assertThat(finding.action()).contains("Zuul 2"));
    }

    @Test
    void anErrorOfTheSyntaxIsReportedWithItsPlace() throws IOException {
        write(
                "pre/Broken.groovy",
                "import com.netflix.zuul.ZuulFilter\nclass Broken extends ZuulFilter {\n  int x = = 1\n}\n");

        assertThat(only().name()).isEqualTo("Broken");
        assertThat(only().findings().get(0).line()).isEqualTo(3);
        assertThat(only().verdict()).isEqualTo(Verdict.CHANGE);
    }

    @Test
    void filtersWhoseWorkTheGatewayDoesAreLeftOut() throws IOException {
        write("route/SimpleHostRoutingFilter.groovy", """
                import com.netflix.zuul.ZuulFilter
                import org.apache.http.client.HttpClient
                class SimpleHostRoutingFilter extends ZuulFilter { }
                """);

        assertThat(only().verdict()).isEqualTo(Verdict.LEFT_OUT);
    }

    @Test
    void testsAndBuildDirectoriesAreOmitted() throws IOException {
        write("src/test/groovy/A.groovy", "class A extends com.netflix.zuul.ZuulFilter { }");
        write("target/B.groovy", "class B extends com.netflix.zuul.ZuulFilter { }");

        assertThat(report().filters()).isEmpty();
    }

    @Test
    void theContentsOfNestedTestsAreNotExamined() throws IOException {
        write("pre/Tested.groovy", """
                import com.netflix.zuul.ZuulFilter
                import com.netflix.config.DynamicPropertyFactory
                import org.junit.Test

                class Tested extends ZuulFilter {
                    String filterType() { 'pre' }
                    int filterOrder() { 1 }
                    boolean shouldFilter() { true }
                    Object run() { null }

                    static class UnitTest {
                        @Test
                        void limits() {
                            DynamicPropertyFactory.getInstance().getIntProperty('y', 1)
                        }
                    }
                }
                """);

        assertThat(only().findings()).isEmpty();
    }

    @Test
    void namesOfServicesAndHostsBecomeSettings() throws IOException {
        filter(
                "",
                "ctx.routeVIP = 'users'; ctx.set('serviceId', 'orders'); ctx.setRouteHost(new URL('http://10.0.0.9:81/x'))");

        assertThat(only().verdict()).isEqualTo(Verdict.SETTING);
        assertThat(report().configuration()).contains("""
                extensions:
                  zuul:
                    vips:
                      "orders": orders
                      "users": users
                    route-hosts:
                      "http://10.0.0.9:81": 10-0-0-9
                """);
    }

    @Test
    void theFileOfPropertiesIsNamedIfAFilterReadsOne() throws IOException {
        write("application.properties", "limits.size=5\n");
        filter(
                "import com.netflix.config.DynamicPropertyFactory",
                "DynamicPropertyFactory.getInstance().getIntProperty('limits.size', 1)");

        assertThat(report().configuration()).contains("properties: \"" + dir.resolve("application.properties") + "\"");
        assertThat(report().notUnderstood()).noneMatch(note -> note.contains("limits.size"));
    }

    @Test
    void routesAndUpstreamsAreDerivedFromProperties() throws Exception {
        write("application.properties", """
                server.port=8765
                zuul.prefix=/api
                zuul.routes.users.path=/users/**
                zuul.routes.users.serviceId=user-service
                zuul.routes.old.path=/old/**
                zuul.routes.old.url=http://old.example.com:8081/app
                zuul.routes.old.stripPrefix=false
                zuul.routes.old.sensitiveHeaders=
                zuul.routes.plain=/plain/*
                zuul.ignored-patterns=/internal/**
                zuul.ignoredServices=*
                zuul.ignored-headers=X-Debug
                zuul.sensitive-headers=Cookie
                zuul.host.connect-timeout-millis=500
                zuul.host.socket-timeout-millis=4000
                zuul.host.max-per-route-connections=20
                user-service.ribbon.listOfServers=10.0.0.1:80,10.0.0.2:80
                user-service.ribbon.ReadTimeout=3000
                ribbon.ReadTimeout=1000
                ribbon.ConnectTimeout=200
                """);

        GatewayConfig config = new ConfigReader(name -> null)
                .read("gateway.yml", report().configuration())
                .config();

        assertThat(config.listeners().get(0).address().port()).isEqualTo(8765);
        assertThat(config.routes())
                .extracting(route -> route.id() + " " + route.match().path())
                .containsExactlyInAnyOrder(
                        "ignored-1 /internal/**",
                        "users /api/users/**",
                        "old /api/old/**",
                        "plain /api/plain/{segment}");
        assertThat(report().configuration())
                .contains("path: \"/api/users/**\" }, rewrite: { strip-prefix: 2 }, filters: [")
                .contains("{ remove-request-header: { name: cookie } }, { remove-response-header: { name: cookie } }")
                .contains(
                        "rewrite: { path: \"/app/old/{**}\" }, filters: [{ remove-request-header: { name: x-debug } }");
        assertThat(config.upstreams().get("user-service")).satisfies(upstream -> {
            assertThat(upstream.endpoints()).hasSize(2);
            assertThat(upstream.timeouts().connect()).isEqualTo(Duration.ofMillis(200));
            assertThat(upstream.timeouts().responseHead()).isEqualTo(Duration.ofSeconds(3));
        });
        assertThat(config.upstreams().get("old"))
                .satisfies(upstream -> assertThat(upstream.pool().connections()).isEqualTo(20));
        assertThat(report().notUnderstood())
                .containsExactly(
                        "upstreams.plain: no key lists the servers of the service plain; replace http://plain");
    }

    @Test
    void routesAndUpstreamsAreDerivedFromYaml() throws Exception {
        write("src/main/resources/application.yml", """
                server:
                  port: 8765
                zuul:
                  ignored-patterns: [/internal/**, /health]
                  sensitiveHeaders:
                  routes:
                    users:
                      path: /users/**
                      serviceId: user-service
                    plain: /plain/**
                  retryable: true
                user-service:
                  ribbon:
                    listOfServers: 10.0.0.1:80,10.0.0.2:80
                    ReadTimeout: 3000
                plain.ribbon.listOfServers: 10.0.0.3:80
                rules:
                  - { name: a }
                  - { name: b }
                ---
                spring: { profiles: test }
                server: { port: 1 }
                """);
        write("application-dev.yml", "server: { port: 2 }");

        GatewayConfig config = new ConfigReader(name -> null)
                .read("gateway.yml", report().configuration())
                .config();

        assertThat(config.listeners().get(0).address().port()).isEqualTo(8765);
        assertThat(config.routes())
                .extracting(route -> route.id() + " " + route.match().path())
                .containsExactlyInAnyOrder(
                        "ignored-1 /internal/**", "ignored-2 /health", "users /users/**", "plain /plain/**");
        assertThat(report().configuration()).doesNotContain("remove-request-header");
        assertThat(config.upstreams().get("user-service")).satisfies(upstream -> {
            assertThat(upstream.endpoints()).hasSize(2);
            assertThat(upstream.timeouts().responseHead()).isEqualTo(Duration.ofSeconds(3));
        });
        assertThat(report().notUnderstood())
                .containsExactlyInAnyOrder(
                        "application-dev.yml: not read, because the file belongs to a profile of Spring",
                        "src/main/resources/application.yml: the document for the profile test of Spring is not read",
                        "src/main/resources/application.yml: rules[0].name=a",
                        "src/main/resources/application.yml: rules[1].name=b",
                        "src/main/resources/application.yml: zuul.retryable=true");
    }

    @Test
    void propertiesOfFiltersInYamlAreListed() throws Exception {
        write("application.yml", "limits: { size: 5 }\nzuul: { Sample: { pre: { disable: true } } }\n");
        filter(
                "import com.netflix.config.DynamicPropertyFactory",
                "DynamicPropertyFactory.getInstance().getIntProperty('limits.size', 1)");

        assertThat(report().configuration()).doesNotContain("properties:");
        assertThat(report().notUnderstood())
                .contains(
                        "application.yml: limits.size=5: write this property to the file that extensions.zuul.properties"
                                + " names",
                        "application.yml: zuul.Sample.pre.disable=true: write this property to the file that"
                                + " extensions.zuul.properties names");
    }

    @Test
    void malformedYamlIsReported() throws Exception {
        write("application.yml", "zuul: [");

        assertThatThrownBy(this::report).isInstanceOf(IOException.class).hasMessageStartingWith("application.yml: ");
    }

    @Test
    void aKeptPrefixPrecedesThePathAtTheOrigin() throws IOException {
        write("application.properties", """
                zuul.prefix=/api
                zuul.strip-prefix=false
                zuul.routes.a.path=/a/**
                zuul.routes.a.url=http://127.0.0.1:9000
                zuul.sensitive-headers=
                """);

        assertThat(report().configuration())
                .contains("{ id: a, match: { path: \"/api/a/**\" }, rewrite: { path: \"/api/{**}\" }, upstream: a }");
    }

    @Test
    void whatHasNoCounterpartIsListed() throws IOException {
        write("application.properties", """
                zuul.semaphore.max-semaphores=5
                zuul.routes.a.path=/a/**/b
                zuul.routes.b.url=forward:/local
                zuul.host.connect-timeout-millis=soon
                zuul.routes.c.url=http://127.0.0.1:9000
                """);

        assertThat(report().notUnderstood())
                .containsExactlyInAnyOrder(
                        "zuul.routes.a: the pattern /a/**/b",
                        "zuul.routes.b.url=forward:/local: not the URL of an origin",
                        "zuul.host.connect-timeout-millis=soon: not a positive number",
                        "application.properties: zuul.semaphore.max-semaphores=5");
    }
}
