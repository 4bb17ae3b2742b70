package dev.lychgate.zuul;

import static dev.lychgate.zuul.ZuulGateway.filter;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lychgate.filters.groovy.BuiltFilters;
import dev.lychgate.filters.groovy.FilterFaultsException;
import dev.lychgate.testing.RawMessage;
import dev.lychgate.testing.Responses;
import dev.lychgate.testing.ScriptedOrigin;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Filters of Zuul in Java. */
class ZuulJavaFilesTest {
    private final List<RawMessage> seen = new CopyOnWriteArrayList<>();
    private final ScriptedOrigin origin = ScriptedOrigin.answering((request, connection) -> {
        seen.add(request);
        connection.send(Responses.of(200, "from the origin", "Content-Type: text/plain"));
    });

    @AfterEach
    void close() {
        origin.close();
    }

    private static String java(String head, String type, String members) {
        return """
                package com.example.filters;

                import com.netflix.zuul.ZuulFilter;
                import com.netflix.zuul.context.RequestContext;
                import javax.servlet.http.HttpServletRequest;

                public class %s {
                    @Override public String filterType() { return "%s"; }
                    @Override public int filterOrder() { return 3; }
                    @Override public boolean shouldFilter() { return true; }
                    %s
                }
                """.formatted(head, type, members);
    }

    private ZuulGateway gateway(Map<String, String> files) throws Exception {
        return ZuulGateway.start(origin, Map.of(), files);
    }

    @Test
    void filterInJavaRunsAmongFiltersInGroovy() throws Exception {
        try (ZuulGateway gateway = gateway(Map.of(
                "pre/Count.java",
                java("Count extends ZuulFilter", "pre", """
                        @Override public Object run() {
                            RequestContext ctx = RequestContext.getCurrentContext();
                            HttpServletRequest request = ctx.getRequest();
                            int parts = request.getRequestURI().split("/").length / 2;
                            char first = request.getMethod().charAt(0) == 'G' ? 'g' : 'o';
                            ctx.addZuulRequestHeader("x-count", ctx.get("trail") + "" + parts + first);
                            return null;
                        }"""),
                "pre/Trail.groovy",
                filter("Trail", "pre", 1, "ctx.set('trail', 'groovy ')")))) {
            gateway.get("/a/b/c/d");

            assertThat(seen.get(0).value("x-count")).contains("groovy 2g");
        }
    }

    @Test
    void filterInGroovyExtendsClassInJava() throws Exception {
        try (ZuulGateway gateway = gateway(Map.of(
                "lib/Base.java",
                java("Base extends ZuulFilter", "pre", """
                        protected String text() { return "java"; }
                        @Override public Object run() {
                            RequestContext.getCurrentContext().addZuulRequestHeader("x-text", text());
                            return null;
                        }""").replace("public class", "public abstract class"),
                "pre/Derived.groovy",
                """
                import com.example.filters.Base
                class Derived extends Base {
                    protected String text() { super.text() + ' and groovy' }
                }
                """))) {
            gateway.get("/");

            assertThat(seen.get(0).value("x-text")).contains("java and groovy");
        }
    }

    @Test
    void bodyThatAFilterInJavaReadsIsKept() throws Exception {
        try (ZuulGateway gateway = gateway(Map.of("post/Upper.java", java("Upper extends ZuulFilter", "post", """
                        @Override public Object run() {
                            RequestContext ctx = RequestContext.getCurrentContext();
                            try (java.io.InputStream body = ctx.getResponseDataStream()) {
                                ctx.setResponseBody(new String(body.readAllBytes(), "UTF-8").toUpperCase());
                            } catch (java.io.IOException e) {
                                throw new IllegalStateException(e);
                            }
                            return null;
                        }""")))) {
            assertThat(gateway.get("/").body()).isEqualTo("FROM THE ORIGIN");
        }
    }

    @Test
    void abstractClassesAndLeftOutFiltersAreNotRun() throws Exception {
        try (BuiltFilters built = ZuulGateway.build(
                Map.of(),
                Map.of(
                        "post/SendResponseFilter.java",
                        java("SendResponseFilter extends ZuulFilter", "post", "public Object run() { return null; }"),
                        "pre/Sole.java",
                        java("Sole extends ZuulFilter", "pre", "public Object run() { return null; }")))) {
            assertThat(built.filters())
                    .extracting(each -> each.name())
                    .filteredOn(name -> !name.startsWith("zuul-"))
                    .containsExactly("Sole");
        }
    }

    @Test
    void missingClassesAreRefusedWithFileLineAndRemedy() {
        String text = java("Balances extends ZuulFilter", "route", "public Object run() { return null; }")
                .replace("import com.netflix.zuul.ZuulFilter;", """
                        import com.netflix.client.ClientFactory;
                        import com.netflix.zuul.ZuulFilter;
                        import com.netflix.zuul.Unknown;""");

        assertThatThrownBy(() -> ZuulGateway.build(Map.of(), Map.of("route/Balances.java", text)))
                .isInstanceOf(FilterFaultsException.class)
                .hasMessageContaining("route/Balances.java:3")
                .hasMessageContaining("this class belongs to Ribbon")
                .hasMessageContaining("route/Balances.java:5")
                .hasMessageContaining("docs/zuul.md lists the classes of the extension");
    }

    @Test
    void refusesSessionsWithTheirLine() {
        assertThatThrownBy(
                        () -> ZuulGateway.build(
                                Map.of(),
                                Map.of(
                                        "pre/Session.java",
                                        java(
                                                "Session extends ZuulFilter",
                                                "pre",
                                                "public Object run() { return RequestContext.getCurrentContext().getRequest().getSession(); }"))))
                .isInstanceOf(FilterFaultsException.class)
                .hasMessageContaining("pre/Session.java:11")
                .hasMessageContaining("getSession needs a servlet container");
    }
}
