package dev.lychgate.route;

import static dev.lychgate.route.Requests.get;
import static dev.lychgate.route.Requests.rewriting;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.config.PathPolicy;
import dev.lychgate.config.RewriteConfig;
import dev.lychgate.http.PathNormalizer;
import dev.lychgate.http.RequestHead;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RewriteTest {
    @Test
    void aRouteWithoutARewriteForwardsTheSameInstances() {
        Route route = compile("/a/**", RewriteConfig.NONE);
        RequestHead head = get("a.example:8080/a/b");
        assertThat(route.targetPath(head)).isSameAs(head.path());
        assertThat(route.targetHost(head, "10.0.0.1:9000")).isSameAs(head.host());
    }

    @ParameterizedTest
    @CsvSource({
        "1, /a/b/c, /b/c",
        "2, /a/b/c, /c",
        "3, /a/b/c, /",
        "9, /a/b/c, /",
        "1, /a, /",
        "1, /a/, /",
        "1, /a/b/, /b/",
        "1, /, /"
    })
    void strippingTakesLeadingSegmentsAndNeverLeavesAnEmptyPath(int segments, String path, String sent) {
        Route route = compile("/**", new RewriteConfig(segments, null, null, false));
        assertThat(route.targetPath(get(path))).isEqualTo(sent);
    }

    @ParameterizedTest
    @CsvSource({
        "/api/**, '/v2/{**}', /api/x/y, /v2/x/y",
        "/api/**, '/v2/{**}', /api/, /v2/",
        "/api/**, '/v2/{**}', /api, /v2",
        "/api/**, '/{**}', /api, /",
        "/api/**, '/{**}', /api/x, /x",
        "/**, '/all/{**}', /x/y, /all/x/y",
        "/**, '/all/{**}', /, /all/",
        "'/u/{id}', '/users/{id}.json', /u/42, /users/42.json",
        "'/{a}/{b}/**', '/{b}-{a}/{**}', /1/2/3/4, /2-1/3/4",
        "'/{a}/{b}', '/{a}{b}', /1/2, /12",
        "/x, /fixed, /x, /fixed",
        "regex:/x.*, /fixed, /xyz, /fixed"
    })
    void aTemplateIsFilledFromTheMatchedPath(String match, String template, String path, String sent) {
        Route route = compile(match, new RewriteConfig(0, template, null, false));
        assertThat(route.targetPath(get(path))).isEqualTo(sent);
        assertThat(PathNormalizer.normalize(sent, PathPolicy.STRICT)).isSameAs(sent);
    }

    @Test
    void aPathThatAFilterChangedBeyondTheMatchIsSentUnchanged() {
        Route route = compile("/u/{id}", new RewriteConfig(0, "/users/{id}", null, false));
        RequestHead head = get("/u/42");
        head.path("/elsewhere");
        assertThat(route.targetPath(head)).isEqualTo("/elsewhere");
    }

    @Test
    void forwardingRawSendsTheClientsBytes() {
        Route route = compile("/a/**", new RewriteConfig(0, null, null, true));
        RequestHead head = get("/%61//b");
        head.path("/a/b");
        assertThat(route.targetPath(head)).isEqualTo("/%61//b");
    }

    @ParameterizedTest
    @CsvSource({", a.example:8080", "origin, 10.0.0.1:9000", "api.example.com, api.example.com"})
    void theHostIsTheClientsTheOriginsOrAFixedOne(@Nullable String setHost, String sent) {
        Route route = compile("/**", new RewriteConfig(0, null, setHost, false));
        assertThat(route.targetHost(get("a.example:8080/x"), "10.0.0.1:9000")).isEqualTo(sent);
    }

    private static Route compile(String match, RewriteConfig rewrite) {
        return RouteTable.build(List.of(rewriting(match, rewrite))).routes().get(0);
    }
}
