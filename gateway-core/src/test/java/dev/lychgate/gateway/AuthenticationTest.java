package dev.lychgate.gateway;

import static dev.lychgate.gateway.Problems.assertProblem;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.access.AccessSet;
import dev.lychgate.access.AuthenticateSection;
import dev.lychgate.access.AuthenticationCounts.Result;
import dev.lychgate.chain.FilterSet;
import dev.lychgate.chain.FilterStats;
import dev.lychgate.config.AccessConfig;
import dev.lychgate.config.AuthenticateConfig;
import dev.lychgate.config.FilterConfig;
import dev.lychgate.config.LimitKey;
import dev.lychgate.config.MatchConfig;
import dev.lychgate.config.Rate;
import dev.lychgate.config.RateLimitConfig;
import dev.lychgate.config.RateLimitConfig.Mode;
import dev.lychgate.config.RateLimitConfig.OnLoss;
import dev.lychgate.config.RateLimitConfig.Scope;
import dev.lychgate.config.RateLimitConfig.Unit;
import dev.lychgate.config.RouteConfig;
import dev.lychgate.error.ErrorKind;
import dev.lychgate.filter.Authentication;
import dev.lychgate.filter.Authenticator;
import dev.lychgate.filter.BodyNeed;
import dev.lychgate.filter.FilterExchange;
import dev.lychgate.filter.FilterOutcome;
import dev.lychgate.filter.Identity;
import dev.lychgate.filter.InboundFilter;
import dev.lychgate.filter.SyncFilter;
import dev.lychgate.testing.Eventually;
import dev.lychgate.testing.Http2Client;
import dev.lychgate.testing.Http2Response;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.RawMessage;
import dev.lychgate.testing.Responses;
import dev.lychgate.testing.ScriptedOrigin;
import dev.lychgate.testing.TestFilter;
import io.netty.util.internal.ThreadExecutorMap;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Authentication and authorization of requests by their positions, with real sockets. */
@Tag("slow")
class AuthenticationTest {
    private final List<String> seen = new CopyOnWriteArrayList<>();
    private final ScriptedOrigin origin = ScriptedOrigin.answering((request, connection) -> {
        seen.add(request.target() + " " + request.value("x-user").orElse("-") + " "
                + request.value("x_user").orElse("-"));
        connection.send(Responses.ok("origin"));
    });

    @AfterEach
    void stop() {
        origin.close();
    }

    /** Accepts requests by a header field. The values bad, odd, broken and page stand for its other results. */
    private record ByField(String field, boolean later) implements Authenticator {
        @Override
        public String challenge() {
            return "Field name=" + field;
        }

        @Override
        public CompletionStage<Authentication> authenticate(FilterExchange exchange) {
            String value = exchange.getRequest().getHeaders().get(field);
            if (!later) {
                return CompletableFuture.completedFuture(result(value));
            }
            return CompletableFuture.supplyAsync(() -> result(value));
        }

        private Authentication result(@Nullable String value) {
            if (value == null) {
                return Authentication.absent();
            }
            return switch (value) {
                case "bad" -> Authentication.refused(401, "Field error=bad", "the field is bad");
                case "malformed" -> Authentication.refused(400, null, "the field is malformed");
                case "later" -> Authentication.refused(503, null, "the field cannot be verified");
                case "foreign" -> Authentication.unknown("Field error=foreign", "the field is foreign");
                case "page" -> Authentication.respond(FilterOutcome.redirect(302, "/login"));
                case "broken" -> throw new IllegalStateException("broken");
                default ->
                    Authentication.accepted(new Identity(
                            "test",
                            "issuer",
                            value,
                            Map.of("team", value + "s", "roles", List.of("reader", value), "line", "a\nb")));
            };
        }
    }

    private static AuthenticateSection section(AuthenticateConfig config, Authenticator... authenticators) {
        return new AuthenticateSection(
                config,
                List.of(authenticators).stream()
                        .map(each ->
                                new AuthenticateSection.Named(each instanceof ByField by ? by.field() : "other", each))
                        .toList());
    }

    private static AuthenticateConfig config(boolean optional, Map<String, String> claims) {
        return new AuthenticateConfig(optional, List.of(FilterConfig.of("test")), claims);
    }

    private static final AuthenticateConfig REQUIRED = config(false, Map.of());

    private static FilterSet everywhere(AuthenticateSection section) {
        return FilterSet.EMPTY.with(new AccessSet(section, Map.of(), Map.of(), List.of(), Map.of()));
    }

    private static AccessConfig access(AuthenticateConfig config) {
        return new AccessConfig(config, List.of());
    }

    private Setup setup(AuthenticateConfig config, Authenticator... authenticators) {
        return Setup.to(origin.address()).access(access(config)).filters(everywhere(section(config, authenticators)));
    }

    private static RawMessage get(RawClient client, String path, String... fields) throws Exception {
        StringBuilder request = new StringBuilder("GET " + path + " HTTP/1.1\r\nHost: a\r\n");
        for (String field : fields) {
            request.append(field).append("\r\n");
        }
        return client.send(request + "\r\n").readResponse();
    }

    private static int status(RawClient client, String path, String... fields) throws Exception {
        return get(client, path, fields).status();
    }

    @Test
    void requestsWithoutCredentialsGetEveryChallenge() throws Exception {
        try (Running gateway = setup(REQUIRED, new ByField("a", false), new ByField("b", true), new ByField("a", false))
                        .start();
                RawClient client = gateway.client()) {
            RawMessage refused = get(client, "/");
            assertProblem(refused, 401, ErrorKind.UNAUTHENTICATED);
            assertThat(refused.values("www-authenticate")).containsExactly("Field name=a", "Field name=b");
            assertThat(origin.requestsSeen()).isZero();
            assertThat(status(client, "/", "a: alice")).isEqualTo(200);
            assertThat(status(client, "/", "b: bob")).isEqualTo(200);
            assertThat(gateway.gateway()
                            .generation()
                            .filters()
                            .authentications()
                            .read())
                    .containsEntry("none", Map.of(Result.MISSING, 1L))
                    .containsEntry("b", Map.of(Result.ACCEPTED, 1L));
        }
    }

    /** Responds to preflights, as {@code cors} does. */
    private record Preflight(String name) implements InboundFilter, SyncFilter {
        @Override
        public boolean respondsToPreflights() {
            return true;
        }

        @Override
        public boolean applies(FilterExchange exchange) {
            return exchange.getRequest().getMethod().equals("OPTIONS")
                    && exchange.getRequest().getHeaders().contains("origin");
        }

        @Override
        public FilterOutcome filter(FilterExchange exchange) {
            return exchange.respond(204).header("x-by", name);
        }
    }

    private static RawMessage options(RawClient client, String path, String... fields) throws Exception {
        return client.send("OPTIONS " + path + " HTTP/1.1\r\nHost: a\r\n" + String.join("\r\n", fields) + "\r\n\r\n")
                .readResponse();
    }

    /** Browsers send preflights without credentials. */
    @Test
    void aPreflightGetsTheResponseOfItsFilterWithoutCredentials() throws Exception {
        String[] preflight = {"Origin: https://app.example", "Access-Control-Request-Method: PUT"};
        List<String> global = new CopyOnWriteArrayList<>();
        AuthenticateSection section = section(REQUIRED, new ByField("a", false));
        FilterSet filters = FilterSet.of(TestFilter.inbound(e -> {
                    global.add(e.getRequest().getPath());
                    return e.proceed();
                }))
                .with(new Preflight("cors"), Set.of("open", "private", "ruled"))
                .with(new AccessSet(
                        section,
                        Map.of(),
                        Map.of("private", section),
                        List.of(),
                        Map.of("ruled", List.of(new Only("bob")))));
        try (Running gateway = Setup.to(origin.address())
                        .access(access(REQUIRED))
                        .route(RouteConfig.proxy("open", MatchConfig.path("/open"), "origin"))
                        .route(RouteConfig.proxy("private", MatchConfig.path("/private"), "origin")
                                .withAccess(access(REQUIRED)))
                        .route(RouteConfig.proxy("ruled", MatchConfig.path("/ruled"), "origin")
                                .withAccess(new AccessConfig(null, List.of(FilterConfig.of("only")))))
                        .route(RouteConfig.proxy("other", MatchConfig.ANY, "origin"))
                        .filters(filters)
                        .start();
                RawClient client = gateway.client()) {
            for (String path : List.of("/open", "/private", "/ruled")) {
                RawMessage response = options(client, path, preflight);
                assertThat(response.status()).as(path).isEqualTo(204);
                assertThat(response.values("x-by")).containsExactly("cors");
            }
            assertThat(options(client, "/other", preflight).status())
                    .as("a route without such a filter")
                    .isEqualTo(401);
            assertThat(options(client, "/open", "Origin: https://app.example").status())
                    .as("no preflight")
                    .isEqualTo(401);
            assertThat(options(client, "/open", "Access-Control-Request-Method: PUT")
                            .status())
                    .isEqualTo(401);
            assertThat(status(client, "/open", preflight)).as("another method").isEqualTo(401);
            assertThat(global).as("no other filter sees an unknown sender").isEmpty();
            assertThat(origin.requestsSeen()).isZero();
            assertThat(options(client, "/other", "a: alice", preflight[0], preflight[1])
                            .status())
                    .isEqualTo(200);
        }
    }

    @Test
    void aDisabledFilterAdmitsNoPreflight() throws Exception {
        FilterSet filters = FilterSet.of(new Preflight("cors"))
                .with(new AccessSet(
                        section(REQUIRED, new ByField("a", false)), Map.of(), Map.of(), List.of(), Map.of()));
        try (Running gateway = Setup.to(origin.address())
                        .access(access(REQUIRED))
                        .filters(filters)
                        .start();
                RawClient client = gateway.client()) {
            String[] preflight = {"Origin: https://app.example", "Access-Control-Request-Method: PUT"};
            assertThat(options(client, "/", preflight).status()).isEqualTo(204);
            FilterStats stats =
                    gateway.gateway().generation().filters().inbound()[0].stats();
            stats.wish(FilterStats.Wish.LEAVE_OUT_REGARDLESS);
            assertThat(options(client, "/", preflight).status()).isEqualTo(401);
        }
    }

    @Test
    void aCacheDoesNotShareResponsesToIdentifiedSenders() throws Exception {
        try (ScriptedOrigin numbering = CachedOrigin.numbering("Cache-Control: max-age=60");
                Running gateway = Setup.to(numbering.address())
                        .access(access(REQUIRED))
                        .filters(everywhere(section(REQUIRED, new ByField("a", false))))
                        .cache(CachedOrigin.CACHE)
                        .start();
                RawClient client = gateway.client()) {
            assertThat(get(client, "/x", "a: alice").body()).isEqualTo("n1");
            assertThat(get(client, "/x", "a: bob").body()).isEqualTo("n2");
            assertThat(get(client, "/x", "a: alice").body()).isEqualTo("n3");
        }
    }

    @Test
    void theFirstAuthenticatorThatFindsCredentialsDecides() throws Exception {
        try (Running gateway = setup(REQUIRED, new ByField("a", false), new ByField("b", true))
                        .start();
                RawClient client = gateway.client()) {
            RawMessage refused = get(client, "/", "a: bad", "b: bob");
            assertProblem(refused, 401, ErrorKind.UNAUTHENTICATED);
            assertThat(refused.values("www-authenticate")).containsExactly("Field error=bad");
            assertThat(refused.body()).contains("the field is bad");
            assertProblem(get(client, "/", "b: malformed"), 400, ErrorKind.BAD_CREDENTIALS);
            assertProblem(get(client, "/", "a: later"), 503, ErrorKind.IDENTITY_UNAVAILABLE);
            assertProblem(get(client, "/", "a: broken"), 500, ErrorKind.INTERNAL);
            assertProblem(get(client, "/", "b: broken"), 500, ErrorKind.INTERNAL);
            RawMessage redirect = get(client, "/", "a: page");
            assertThat(redirect.status()).isEqualTo(302);
            assertThat(redirect.value("location")).contains("/login");
            assertThat(origin.requestsSeen()).isZero();
        }
    }

    @Test
    void credentialsThatNoAuthenticatorCanAssessAreRefusedAfterTheLastOne() throws Exception {
        try (Running gateway = setup(config(true, Map.of()), new ByField("a", false), new ByField("b", true))
                        .start();
                RawClient client = gateway.client()) {
            RawMessage refused = get(client, "/", "a: foreign");
            assertProblem(refused, 401, ErrorKind.UNAUTHENTICATED);
            assertThat(refused.values("www-authenticate")).containsExactly("Field error=foreign");
            assertThat(refused.body()).contains("the field is foreign");
            assertThat(status(client, "/", "a: foreign", "b: bob")).isEqualTo(200);
            assertThat(status(client, "/", "b: foreign")).isEqualTo(401);
            assertThat(status(client, "/")).as("optional").isEqualTo(200);
        }
    }

    @Test
    void claimsReachTheOriginInFieldsThatClientsCannotSet() throws Exception {
        AuthenticateConfig config = config(true, Map.of("sub", "x-user"));
        try (Running gateway = setup(config, new ByField("a", false)).start();
                RawClient client = gateway.client()) {
            assertThat(status(client, "/1", "a: alice", "X-User: root", "X_User: root"))
                    .isEqualTo(200);
            assertThat(status(client, "/2", "X-User: root", "X.User: root", "X_User: root"))
                    .isEqualTo(200);
            assertThat(seen).containsExactly("/1 alice -", "/2 - -");
        }
        AuthenticateConfig broken = config(false, Map.of("line", "x-user"));
        try (Running gateway = setup(broken, new ByField("a", false)).start();
                RawClient client = gateway.client()) {
            assertProblem(get(client, "/", "a: alice"), 403, ErrorKind.FORBIDDEN);
        }
    }

    /** Responds with the subject and the position of the filter. */
    private record Show(String name) implements InboundFilter, SyncFilter {
        @Override
        public FilterOutcome filter(FilterExchange exchange) {
            Identity identity = exchange.getIdentity();
            exchange.getRequest()
                    .getHeaders()
                    .add("x-order", name + "=" + (identity == null ? "" : identity.subject()));
            return exchange.proceed();
        }
    }

    @Test
    void filtersAfterTheAuthenticationReadTheIdentity() throws Exception {
        List<String> order = new CopyOnWriteArrayList<>();
        try (ScriptedOrigin listing = ScriptedOrigin.answering((request, connection) -> {
                    order.addAll(request.values("x-order"));
                    connection.send(Responses.ok("x"));
                });
                Running gateway = Setup.to(listing.address())
                        .access(access(REQUIRED))
                        .route(RouteConfig.proxy("api", MatchConfig.ANY, "origin"))
                        .filters(FilterSet.of(new Show("global"))
                                .with(new Show("route"), Set.of("api"))
                                .with(new AccessSet(
                                        section(REQUIRED, new ByField("a", false)),
                                        Map.of(),
                                        Map.of("api", section(REQUIRED, new ByField("b", true))),
                                        List.of(new Show("all")),
                                        Map.of("api", List.of(new Show("one"))))))
                        .start();
                RawClient client = gateway.client()) {
            assertThat(status(client, "/", "a: alice", "b: bob")).isEqualTo(200);
            assertThat(order).containsExactly("global=alice", "all=bob", "one=bob", "route=bob");
            assertThat(status(client, "/", "a: alice"))
                    .as("the route has another section")
                    .isEqualTo(401);
        }
    }

    private record Only(String subject) implements InboundFilter, SyncFilter {
        @Override
        public FilterOutcome filter(FilterExchange exchange) {
            Identity identity = exchange.getIdentity();
            return identity != null && subject.equals(identity.subject())
                    ? exchange.proceed()
                    : exchange.fail(ErrorKind.FORBIDDEN, "only " + subject);
        }
    }

    @Test
    void everyAuthorizerMustLetTheRequestContinue() throws Exception {
        FilterSet filters = FilterSet.EMPTY.with(new AccessSet(
                section(REQUIRED, new ByField("a", false)),
                Map.of(),
                Map.of(),
                List.of(new Only("alice")),
                Map.of("b", List.of(new Only("bob")))));
        try (Running gateway = Setup.to(origin.address())
                        .access(access(REQUIRED))
                        .route(RouteConfig.proxy("a", MatchConfig.path("/a"), "origin"))
                        .route(RouteConfig.proxy("b", MatchConfig.path("/b"), "origin"))
                        .filters(filters)
                        .start();
                RawClient client = gateway.client()) {
            assertThat(status(client, "/a", "a: alice")).isEqualTo(200);
            assertProblem(get(client, "/a", "a: bob"), 403, ErrorKind.FORBIDDEN);
            assertProblem(get(client, "/b", "a: alice"), 403, ErrorKind.FORBIDDEN);
            assertThat(status(client, "/none", "a: bob"))
                    .as("no route, no rule")
                    .isEqualTo(404);
        }
    }

    /** Sends requests to another route. */
    private record Reroute(String to) implements InboundFilter, SyncFilter {
        @Override
        public FilterOutcome filter(FilterExchange exchange) {
            exchange.setRoute(to);
            return exchange.proceed();
        }
    }

    @Test
    void aRequestThatAFilterSendsToAnotherRouteIsAuthenticatedThere() throws Exception {
        FilterSet filters = FilterSet.EMPTY
                .with(new Reroute("guarded"), Set.of("open"))
                .with(new AccessSet(
                        section(config(true, Map.of()), new ByField("a", false)),
                        Map.of(),
                        Map.of("guarded", section(REQUIRED, new ByField("b", false))),
                        List.of(),
                        Map.of("guarded", List.of(new Only("bob")))));
        try (Running gateway = Setup.to(origin.address())
                        .access(access(config(true, Map.of())))
                        .route(RouteConfig.proxy("open", MatchConfig.path("/open"), "origin"))
                        .route(RouteConfig.proxy("guarded", MatchConfig.path("/guarded"), "origin"))
                        .filters(filters)
                        .start();
                RawClient client = gateway.client()) {
            assertThat(status(client, "/open")).isEqualTo(401);
            assertThat(status(client, "/open", "a: bob")).isEqualTo(401);
            assertThat(status(client, "/open", "b: alice")).isEqualTo(403);
            assertThat(status(client, "/open", "b: bob")).isEqualTo(200);
        }
    }

    @Test
    void theIdentitySurvivesAChangeOfTheRoute() throws Exception {
        FilterSet filters = FilterSet.EMPTY
                .with(new Reroute("to"), Set.of("from"))
                .with(new AccessSet(
                        section(REQUIRED, new ByField("a", false)),
                        Map.of(),
                        Map.of(),
                        List.of(),
                        Map.of("to", List.of(new Only("alice")))));
        try (Running gateway = Setup.to(origin.address())
                        .access(access(REQUIRED))
                        .route(RouteConfig.proxy("from", MatchConfig.path("/from"), "origin"))
                        .route(RouteConfig.proxy("to", MatchConfig.path("/to"), "origin"))
                        .filters(filters)
                        .start();
                RawClient client = gateway.client()) {
            assertThat(status(client, "/from", "a: alice")).isEqualTo(200);
            assertThat(status(client, "/from", "a: bob")).isEqualTo(403);
        }
    }

    /** Origins such as Tomcat remove path parameters before they match a path. */
    @Test
    void pathParametersHideNoAuthenticationNoAuthorizationAndNoClaim() throws Exception {
        FilterSet filters = FilterSet.EMPTY.with(new AccessSet(
                section(config(true, Map.of()), new ByField("a", false)),
                Map.of(),
                Map.of("private", section(REQUIRED, new ByField("b", false))),
                List.of(),
                Map.of("ruled", List.of(new Only("bob")))));
        AccessConfig rule = new AccessConfig(null, List.of(FilterConfig.of("only")));
        MatchConfig claimed = new MatchConfig(
                List.of(),
                "/claimed/**",
                List.of(),
                Map.of(),
                Map.of(),
                Map.of(),
                List.of(),
                null,
                List.of(),
                Map.of("sub", "bob"),
                List.of(),
                List.of(),
                null);
        try (Running gateway = Setup.to(origin.address())
                        .access(access(config(true, Map.of())))
                        .route(RouteConfig.proxy("private", MatchConfig.path("/private/**"), "origin")
                                .withAccess(access(REQUIRED)))
                        .route(RouteConfig.proxy("ruled", MatchConfig.path("/ruled/**"), "origin")
                                .withAccess(rule))
                        .route(RouteConfig.proxy("claimed", claimed, "origin"))
                        .route(RouteConfig.proxy("claimed-by-others", MatchConfig.path("/claimed/**"), "origin")
                                .withAccess(rule))
                        .route(RouteConfig.proxy("all", MatchConfig.ANY, "origin"))
                        .filters(filters)
                        .start();
                RawClient client = gateway.client()) {
            assertThat(status(client, "/private/x", "a: bob")).isEqualTo(401);
            assertThat(status(client, "/ruled/x", "a: alice")).isEqualTo(403);
            assertThat(status(client, "/claimed/x", "a: bob")).isEqualTo(200);
            int before = origin.requestsSeen();
            for (String path : List.of("private", "ruled", "claimed")) {
                for (String hidden : List.of("/%s;a=b/x", "/;a/%s/x", "/%s;", "/%s%%3ba/x", "//%s;/x")) {
                    String target = hidden.formatted(path);
                    assertThat(status(client, target, "a: alice")).as(target).isEqualTo(400);
                    assertThat(status(client, target)).as(target).isEqualTo(400);
                }
            }
            assertThat(origin.requestsSeen()).isEqualTo(before);
            assertThat(status(client, "/shop;v=1/private")).isEqualTo(200);
            assertThat(status(client, "/ruled/x;v=1", "a: bob")).isEqualTo(200);
        }
    }

    @Test
    void routesMatchByClaims() throws Exception {
        try (Running gateway = setup(config(true, Map.of()), new ByField("a", true))
                        .route(RouteConfig.proxy("team", claims(Map.of("team", "alices")), "origin"))
                        .route(RouteConfig.proxy("role", claims(Map.of("roles", "regex:b.b")), "origin"))
                        .route(RouteConfig.proxy("any", claims(Map.of("sub", "*")), "origin"))
                        .start();
                RawClient client = gateway.client()) {
            assertThat(status(client, "/", "a: alice")).isEqualTo(200);
            assertThat(status(client, "/", "a: bob")).isEqualTo(200);
            assertThat(status(client, "/", "a: carol")).isEqualTo(200);
            assertThat(status(client, "/")).as("without a sender").isEqualTo(404);
        }
    }

    private static MatchConfig claims(Map<String, String> claims) {
        return new MatchConfig(
                List.of(), null, List.of(), Map.of(), Map.of(), Map.of(), List.of(), null, List.of(), claims, List.of(),
                List.of(), null);
    }

    @Test
    void rateLimitsCountByClaims() throws Exception {
        RateLimitConfig limit = new RateLimitConfig(
                List.of(LimitKey.parse("claim:team")),
                Rate.parse("1/h"),
                0,
                Unit.REQUESTS,
                Mode.ENFORCE,
                1000,
                Scope.LOCAL,
                OnLoss.SHARE);
        try (Running gateway = setup(config(true, Map.of()), new ByField("a", false))
                        .rateLimit("team", limit)
                        .limited("api", "/**", "team")
                        .start();
                RawClient client = gateway.client()) {
            assertThat(status(client, "/", "a: alice")).isEqualTo(200);
            assertThat(status(client, "/", "a: alice")).isEqualTo(429);
            assertThat(status(client, "/", "a: bob")).isEqualTo(200);
            assertThat(status(client, "/")).as("counted by the client").isEqualTo(200);
            assertThat(status(client, "/")).isEqualTo(429);
        }
    }

    @Test
    void theSectionOfAListenerReplacesThatOfTheTopLevel() throws Exception {
        AuthenticateSection everywhere = section(REQUIRED, new ByField("a", false));
        for (AuthenticateConfig own : List.of(AuthenticateConfig.OFF, REQUIRED)) {
            AuthenticateSection ofListener = own.isOff() ? section(own) : section(own, new ByField("b", false));
            try (Running gateway = Setup.to(origin.address())
                            .access(access(REQUIRED))
                            .authenticate(own)
                            .filters(FilterSet.EMPTY.with(new AccessSet(
                                    everywhere, Map.of("main", ofListener), Map.of(), List.of(), Map.of())))
                            .start();
                    RawClient client = gateway.client()) {
                assertThat(status(client, "/")).isEqualTo(own.isOff() ? 200 : 401);
                assertThat(status(client, "/", "a: alice")).isEqualTo(own.isOff() ? 200 : 401);
                assertThat(status(client, "/", "b: bob")).isEqualTo(200);
            }
        }
    }

    /** Accepts requests by their body. */
    private record ByBody() implements Authenticator {
        @Override
        public @Nullable String challenge() {
            return null;
        }

        @Override
        public BodyNeed body() {
            return BodyNeed.whole(100);
        }

        @Override
        public boolean needsBody(FilterExchange exchange) {
            return exchange.getRequest().getMethod().equals("POST");
        }

        @Override
        public CompletionStage<Authentication> authenticate(FilterExchange exchange) {
            if (!needsBody(exchange)) {
                return CompletableFuture.completedFuture(Authentication.absent());
            }
            String body = exchange.getRequest().getText();
            exchange.addResponseHeader("set-cookie", "session=" + body);
            return CompletableFuture.completedFuture(Authentication.accepted(new Identity("test", null, body)));
        }
    }

    @Test
    void authenticatorsReadBodiesAndAddHeadersToTheResponse() throws Exception {
        try (Running gateway = setup(REQUIRED, new ByBody()).start();
                RawClient client = gateway.client()) {
            RawMessage accepted = client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nalice")
                    .readResponse();
            assertThat(accepted.status()).isEqualTo(200);
            assertThat(accepted.values("set-cookie")).containsExactly("session=alice");
            RawMessage refused = get(client, "/");
            assertProblem(refused, 401, ErrorKind.UNAUTHENTICATED);
            assertThat(refused.values("www-authenticate")).isEmpty();
        }
    }

    /** Responds to the requests of one path, as the last redirect of a login. */
    private static final class ByPath implements Authenticator {
        @Override
        public @Nullable String challenge() {
            return null;
        }

        @Override
        public boolean isAddressedBy(FilterExchange exchange) {
            return exchange.getRequest().getPath().equals("/login");
        }

        @Override
        public CompletionStage<Authentication> authenticate(FilterExchange exchange) {
            return CompletableFuture.completedFuture(
                    isAddressedBy(exchange)
                            ? Authentication.respond(FilterOutcome.redirect(303, "/"))
                            : Authentication.absent());
        }
    }

    @Test
    void aRequestThatIsAddressedToAnAuthenticatorReachesItBeforeTheOthers() throws Exception {
        try (Running gateway =
                        setup(REQUIRED, new ByField("a", true), new ByPath()).start();
                RawClient client = gateway.client()) {
            assertThat(status(client, "/login")).isEqualTo(303);
            assertThat(status(client, "/login", "a: alice")).isEqualTo(303);
            assertThat(status(client, "/login", "a: bad")).isEqualTo(303);
            assertThat(origin.requestsSeen()).isZero();
            assertThat(status(client, "/", "a: alice")).isEqualTo(200);
            assertThat(status(client, "/")).isEqualTo(401);
        }
    }

    @Test
    void streamsOfHttp2AndGrpcCallsAreAuthenticatedToo() throws Exception {
        try (Running gateway = setup(REQUIRED, new ByField("a", true)).start();
                Http2Client client = gateway.http2()) {
            assertThat(client.get(1, "/").response(1).status()).isEqualTo(401);
            Http2Response call =
                    client.post(3, "/", "content-type", "application/grpc").response(3);
            assertThat(call.value("grpc-status")).contains("16");
        }
    }

    /** Never responds; the gateway cancels its stage when the client has disconnected. */
    private static class Never implements Authenticator {
        private final CompletableFuture<Authentication> stage = new CompletableFuture<>();
        private final CompletableFuture<Boolean> asked = new CompletableFuture<>();
        private final Duration timeout;

        Never(Duration timeout) {
            this.timeout = timeout;
        }

        @Override
        public Duration timeout() {
            return timeout;
        }

        @Override
        public @Nullable String challenge() {
            return null;
        }

        @Override
        public CompletionStage<Authentication> authenticate(FilterExchange exchange) {
            asked.complete(true);
            return stage;
        }
    }

    @Test
    void aPendingAuthenticationIsCancelledWhenTheClientDisconnects() throws Exception {
        Never never = new Never(Duration.ofMinutes(1));
        try (Running gateway = setup(REQUIRED, never).start()) {
            try (RawClient client = gateway.client()) {
                client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
                never.asked.get(10, TimeUnit.SECONDS);
            }
            Eventually.eventually(() -> assertThat(never.stage).isCancelled());
            assertThat(origin.requestsSeen()).isZero();
        }
    }

    @Test
    void anAuthenticationThatExceedsItsTimeoutGets503AndIsNoFailureOfTheFilter() throws Exception {
        Never never = new Never(Duration.ofMillis(200));
        try (Running gateway = setup(REQUIRED, never).start();
                RawClient client = gateway.client()) {
            RawMessage late = get(client, "/");
            assertProblem(late, 503, ErrorKind.IDENTITY_UNAVAILABLE);
            assertThat(late.value("retry-after")).contains("1");
            assertThat(never.stage).isCancelled();
            assertThat(counts(gateway)).containsEntry("other", Map.of(Result.FAILED, 1L));
            assertThat(gateway.gateway().generation().filters().slots())
                    .singleElement()
                    .satisfies(slot -> {
                        assertThat(slot.stats().timeouts()).isEqualTo(1);
                        assertThat(slot.stats().failures()).isZero();
                    });
            assertThat(origin.requestsSeen()).isZero();
        }
    }

    @Test
    void theTimeoutOfASectionIsTheLongestOfItsAuthenticatorsAndEndsTheOneThatIsAsked() throws Exception {
        Never never = new Never(Duration.ofSeconds(10));
        Authenticator absent = new Never(Duration.ofMillis(1)) {
            @Override
            public CompletionStage<Authentication> authenticate(FilterExchange exchange) {
                // On the loop: a busy machine may run the threads of the common pool only after the timeout.
                return CompletableFuture.supplyAsync(
                        Authentication::absent, requireNonNull(ThreadExecutorMap.currentExecutor()));
            }
        };
        Never late = new Never(Duration.ofMillis(300));
        try (Running gateway = setup(REQUIRED, absent, late).start();
                RawClient client = gateway.client()) {
            assertProblem(get(client, "/"), 503, ErrorKind.IDENTITY_UNAVAILABLE);
            assertThat(late.stage).isCancelled();
            assertThat(counts(gateway)).containsEntry("other", Map.of(Result.FAILED, 1L));
        }
        try (Running gateway = setup(REQUIRED, absent, never).start();
                RawClient client = gateway.client()) {
            client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
            never.asked.get(10, TimeUnit.SECONDS);
            never.stage.complete(Authentication.accepted(new Identity("test", null, "alice")));
            assertThat(client.readResponse().status()).isEqualTo(200);
        }
    }

    private static Map<String, Map<Result, Long>> counts(Running gateway) {
        return gateway.gateway().generation().filters().authentications().read();
    }

    @Test
    void countsAndStatisticsCarryOverToTheNextGeneration() throws Exception {
        FilterSet filters = everywhere(section(REQUIRED, new ByField("a", false)));
        try (Running gateway = Setup.to(origin.address())
                        .access(access(REQUIRED))
                        .filters(filters)
                        .start();
                RawClient client = gateway.client()) {
            assertThat(status(client, "/", "a: alice")).isEqualTo(200);
            gateway.gateway().apply(gateway.gateway().generation().config(), filters);
            assertThat(status(client, "/", "a: alice")).isEqualTo(200);
            assertThat(gateway.gateway()
                            .generation()
                            .filters()
                            .authentications()
                            .read())
                    .containsEntry("a", Map.of(Result.ACCEPTED, 2L));
            assertThat(gateway.gateway().generation().filters().slots())
                    .singleElement()
                    .satisfies(slot -> {
                        assertThat(slot.name()).isEqualTo("authenticate");
                        assertThat(slot.isEjectable()).isFalse();
                        slot.stats().wish(FilterStats.Wish.LEAVE_OUT_REGARDLESS);
                        assertThat(slot.isDisabled()).isFalse();
                    });
            assertThat(status(client, "/")).as("an operator cannot disable it").isEqualTo(401);
        }
    }
}
