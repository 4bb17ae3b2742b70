package dev.lychgate.gateway;

import static dev.lychgate.gateway.Problems.assertProblem;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.config.Cidr;
import dev.lychgate.config.MatchConfig;
import dev.lychgate.config.ParameterPolicy;
import dev.lychgate.config.PathPolicy;
import dev.lychgate.config.RewriteConfig;
import dev.lychgate.config.RouteAction;
import dev.lychgate.error.ErrorKind;
import dev.lychgate.testing.Http2Client;
import dev.lychgate.testing.Http2Response;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.RawMessage;
import dev.lychgate.testing.Responses;
import dev.lychgate.testing.ScriptedOrigin;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A guarded route, a wider one after it, and paths that an origin may interpret as the guarded one. */
class PathParametersTrafficTest {
    private static final String[] EVASIONS = {
        "/admin;a=b/x",
        "/admin;/x",
        "/admin;",
        "/admin%3ba/x",
        "/admin%3Ba=b",
        "/;x/admin/x",
        "/%3b/admin",
        "/a/../admin;x",
        "//admin;x/y",
        "/%61dmin;x/y"
    };
    private static final String[] HARMLESS = {
        "/a;b/c", "/shop;v=1/admin", "/administration;x", "/a%3Bb", "/a%253Bb", "/Admin;x/y"
    };

    private static Setup guarded(ScriptedOrigin origin, PathPolicy paths) {
        return Setup.to(origin.address())
                .paths(paths)
                .route("admin", "/admin/**", new RouteAction.Respond(403, Map.of(), null))
                .route("all", "/**", new RouteAction.Proxy("origin"));
    }

    private static ScriptedOrigin echo() {
        return ScriptedOrigin.answering((r, c) -> c.send(Responses.ok(r.target())));
    }

    private static PathPolicy policy(ParameterPolicy parameters) {
        return new PathPolicy(false, false, false, false, false, false, parameters);
    }

    private static RawMessage get(Running gateway, String target) throws Exception {
        try (RawClient client = gateway.client()) {
            client.send("GET " + target + " HTTP/1.1\r\nHost: a\r\n\r\n");
            return client.readResponse();
        }
    }

    @Test
    void rejectsParametersThatHideAGuardedRouteByDefault() throws Exception {
        try (ScriptedOrigin origin = echo();
                Running gateway = guarded(origin, PathPolicy.STRICT).start()) {
            for (String target : EVASIONS) {
                assertProblem(get(gateway, target), 400, ErrorKind.BAD_PATH);
            }
            assertThat(origin.connectionsAccepted()).isZero();
            assertThat(get(gateway, "/admin/x").status()).isEqualTo(403);
            assertThat(get(gateway, "/admin/x;a=b").status()).isEqualTo(403);
        }
    }

    @Test
    void forwardsAllOtherParametersUnchanged() throws Exception {
        try (ScriptedOrigin origin = echo();
                Running gateway = guarded(origin, PathPolicy.STRICT).start()) {
            for (String target : HARMLESS) {
                assertThat(get(gateway, target).body()).isEqualTo(target);
            }
        }
    }

    @Test
    void rejectsThemInHttp2Alike() throws Exception {
        try (ScriptedOrigin origin = echo();
                Running gateway = guarded(origin, PathPolicy.STRICT).start();
                Http2Client client = gateway.http2()) {
            int stream = 1;
            for (String target : EVASIONS) {
                Http2Response response = client.get(stream, target).response(stream);
                assertThat(response.status()).as(target).isEqualTo(400);
                stream += 2;
            }
            assertThat(client.get(stream, "/a;b").response(stream).body()).isEqualTo("/a;b");
            assertThat(origin.requests()).hasSize(1);
        }
    }

    @Test
    void rejectsDotSegmentsWithParametersThatLeadToAGuardedRouteWhereTheyAreAllowed() throws Exception {
        PathPolicy paths = new PathPolicy(false, false, false, true, false, false);
        try (ScriptedOrigin origin = echo();
                Running gateway = guarded(origin, paths).start()) {
            for (String target :
                    new String[] {"/x/..;/admin", "/..;/admin/x", "/.;a/admin", "/x/..%3b/admin", "/x/%2e%2e;/admin"}) {
                assertProblem(get(gateway, target), 400, ErrorKind.BAD_PATH);
            }
            assertThat(get(gateway, "/x/..;/shop").body()).isEqualTo("/x/..;/shop");
        }
    }

    @Test
    void rejectsThemInFrontOfARouteForSomeClients() throws Exception {
        MatchConfig match = clients("/admin/{id}/edit", "127.0.0.1");
        try (ScriptedOrigin origin = echo();
                Running gateway = Setup.to(origin.address())
                        .route("admin", match, new RouteAction.Proxy("origin"))
                        .route("all", "/**", new RouteAction.Proxy("origin"))
                        .start()) {
            assertThat(get(gateway, "/admin/1/edit").status()).isEqualTo(200);
            assertProblem(get(gateway, "/admin/1/edit;x"), 400, ErrorKind.BAD_PATH);
            assertProblem(get(gateway, "/admin;x/1/edit"), 400, ErrorKind.BAD_PATH);
        }
    }

    /** A client outside the list gets 404 for the plain path; parameters must not bypass that. */
    @Test
    void rejectsThemInFrontOfARouteForOtherClients() throws Exception {
        try (ScriptedOrigin origin = echo();
                Running gateway = Setup.to(origin.address())
                        .paths(new PathPolicy(false, false, false, true, false, false))
                        .route("users", clients("/users/**", "10.0.0.0/8"), new RouteAction.Proxy("origin"))
                        .route("tenants", "/{tenant}/users/**", new RouteAction.Proxy("origin"))
                        .route("app", "/app/**", new RouteAction.Proxy("origin"))
                        .start()) {
            assertThat(get(gateway, "/users/1").status()).isEqualTo(404);
            for (String target :
                    new String[] {"/;x/users/1", "/%3b/users/1", "/app/..;/users/1", "/app/.;/..;a/users"}) {
                assertProblem(get(gateway, target), 400, ErrorKind.BAD_PATH);
            }
            assertThat(origin.connectionsAccepted()).isZero();
            assertThat(get(gateway, "/acme;v=1/users/1").body()).isEqualTo("/acme;v=1/users/1");
            assertThat(get(gateway, "/acme/users/1").status()).isEqualTo(200);
        }
    }

    /** The route for some clients chooses an origin here; the others meet the same route with and without parameters. */
    @Test
    void forwardsParametersThatChangeNothingForTheClient() throws Exception {
        try (ScriptedOrigin origin = echo();
                Running gateway = Setup.to(origin.address())
                        .route("inside", clients("/api/**", "10.0.0.0/8"), new RouteAction.Proxy("origin"))
                        .route("outside", "/api/**", new RouteAction.Proxy("origin"))
                        .start()) {
            assertThat(get(gateway, "/api/x;v=1").body()).isEqualTo("/api/x;v=1");
            assertThat(get(gateway, "/api/a;b/c").body()).isEqualTo("/api/a;b/c");
        }
    }

    /** One server interprets an encoded semicolon as the start of parameters, another one does not. */
    @Test
    void rejectsParametersThatHideAGuardedRouteFromServersThatDoNotDecodeThem() throws Exception {
        try (ScriptedOrigin origin = echo();
                Running gateway = Setup.to(origin.address())
                        .paths(new PathPolicy(false, false, false, true, false, false))
                        .route("guarded", "/x/admin/**", new RouteAction.Respond(403, Map.of(), null))
                        .route("all", "/**", new RouteAction.Proxy("origin"))
                        .start()) {
            assertProblem(get(gateway, "/x/%3b/..;/admin/1"), 400, ErrorKind.BAD_PATH);
            assertProblem(get(gateway, "/x;/admin/1"), 400, ErrorKind.BAD_PATH);
        }
    }

    private static MatchConfig clients(String path, String clients) {
        return new MatchConfig(List.of(), path, List.of(), Map.of(), Map.of(), List.of(Cidr.parse(clients)), null);
    }

    @Test
    void letsARoutePassThatNamesTheParametersItself() throws Exception {
        try (ScriptedOrigin origin = echo();
                Running gateway = guarded(origin, PathPolicy.STRICT)
                        .route("meant", "/admin;public/**", new RouteAction.Proxy("origin"))
                        .start()) {
            assertThat(get(gateway, "/admin;public/x").body()).isEqualTo("/admin;public/x");
        }
    }

    @Test
    void refusesAllParametersIfConfigured() throws Exception {
        try (ScriptedOrigin origin = echo();
                Running gateway =
                        guarded(origin, policy(ParameterPolicy.REFUSE)).start()) {
            assertProblem(get(gateway, "/a;b"), 400, ErrorKind.BAD_PATH);
            assertProblem(get(gateway, "/a%3bb"), 400, ErrorKind.BAD_PATH);
            assertProblem(get(gateway, "/a;b/../c"), 400, ErrorKind.BAD_PATH);
            assertThat(get(gateway, "/a").status()).isEqualTo(200);
        }
    }

    @Test
    void matchesWithoutParametersAndForwardsThemIfConfigured() throws Exception {
        try (ScriptedOrigin origin = echo();
                Running gateway = guarded(origin, policy(ParameterPolicy.STRIP_FOR_MATCHING))
                        .route(
                                "api",
                                "/api/**",
                                new RewriteConfig(0, "/v2/{**}", null, false),
                                new RouteAction.Proxy("origin"))
                        .start()) {
            for (String target : EVASIONS) {
                assertThat(get(gateway, target).status()).as(target).isEqualTo(403);
            }
            assertThat(get(gateway, "/a;b/c").body()).isEqualTo("/a;b/c");
            assertThat(get(gateway, "/api;v=1/c;d").body()).isEqualTo("/v2/c");
            assertThat(get(gateway, "/;x/api/c").body()).isEqualTo("/v2/c");
        }
    }

    /** An origin that removes parameters, or resolves dot segments as in RFC 3986, would read {@code /admin/x}. */
    @Test
    void rejectsPathsForwardedAsSentThatLeadToAGuardedRouteElsewhere() throws Exception {
        for (ParameterPolicy parameters : ParameterPolicy.values()) {
            try (ScriptedOrigin origin = echo();
                    Running gateway = Setup.to(origin.address())
                            .paths(policy(parameters))
                            .route("admin", "/admin/**", new RouteAction.Respond(403, Map.of(), null))
                            .route(
                                    "all",
                                    "/**",
                                    new RewriteConfig(0, null, null, true),
                                    new RouteAction.Proxy("origin"))
                            .start()) {
                for (String target : new String[] {
                    "/x/;/../admin/x",
                    "/a/b/;/../../admin/x",
                    "/x/;a=b/%2e%2e/admin/x",
                    "/x/%3b/../admin/x",
                    "/admin//../x"
                }) {
                    assertProblem(get(gateway, target), 400, ErrorKind.BAD_PATH);
                }
                assertThat(origin.connectionsAccepted()).isZero();
                assertThat(get(gateway, "/x/./%61//b").body()).isEqualTo("/x/./%61//b");
            }
        }
    }

    @Test
    void treatsParametersAsAPartOfTheSegmentIfConfigured() throws Exception {
        try (ScriptedOrigin origin = echo();
                Running gateway = guarded(origin, policy(ParameterPolicy.PASS)).start()) {
            assertThat(get(gateway, "/admin;a=b/x").body()).isEqualTo("/admin;a=b/x");
        }
    }

    /** Origins that do not resolve dot segments, or not encoded ones, interpret these paths as guarded ones. */
    @Test
    void rejectsDotSegmentsThatHideAGuardedRouteFromARouteThatForwardsThem() throws Exception {
        RewriteConfig raw = new RewriteConfig(0, null, null, true);
        try (ScriptedOrigin origin = echo();
                Running gateway = Setup.to(origin.address())
                        .route("admin", "/admin/**", new RouteAction.Respond(403, Map.of(), null))
                        .route("all", "/**", raw, new RouteAction.Proxy("origin"))
                        .start()) {
            for (String target : new String[] {
                "/admin/../x",
                "/admin/x/../../y",
                "/admin/%2e%2e/x",
                "/admin/.%2E/x",
                "/%61dmin/../x",
                "//admin/../x",
                "/a/../admin/%2e%2e/x",
                "/admin/.."
            }) {
                assertProblem(get(gateway, target), 400, ErrorKind.BAD_PATH);
            }
            assertThat(origin.connectionsAccepted()).isZero();
            for (String target : new String[] {"/a/../b", "/a/%2e%2e/b", "/a/./b", "/a/..b/c", "/a/.../c"}) {
                assertThat(get(gateway, target).body()).isEqualTo(target);
            }
            assertThat(get(gateway, "/x/../admin/y").status()).isEqualTo(403);
        }
        try (ScriptedOrigin origin = echo();
                Running gateway = guarded(origin, PathPolicy.STRICT).start()) {
            assertThat(get(gateway, "/admin/../x").body())
                    .as("a route that forwards the normal form")
                    .isEqualTo("/x");
        }
    }
}
