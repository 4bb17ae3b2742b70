package dev.lychgate.oidc;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.lychgate.http.Json;
import dev.lychgate.http.QueryParameters;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Clock;
import java.time.Duration;
import java.util.Base64;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * An OpenID provider on this machine. It logs the user {@code alice} in without a question, unless it {@linkplain #asks asks}.
 * Codes and refresh tokens are valid once.
 */
final class TestProvider implements AutoCloseable {
    static final RSAKey KEY = key("first");
    static final RSAKey OTHER_KEY = key("second");
    static final String SECRET = "a secret with : and + in it";

    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final String scheme;
    private final Clock clock;
    private final AtomicInteger number = new AtomicInteger();
    private final Map<String, Map<String, String>> codes = new ConcurrentHashMap<>();
    private final Map<String, Boolean> refreshTokens = new ConcurrentHashMap<>();

    final Map<String, AtomicInteger> requests = new ConcurrentHashMap<>();
    final List<Map<String, String>> tokenRequests = new CopyOnWriteArrayList<>();
    final List<Map<String, String>> authorizations = new CopyOnWriteArrayList<>();
    final List<Map<String, String>> logouts = new CopyOnWriteArrayList<>();

    volatile RSAKey signing = KEY;
    volatile JWKSet published = new JWKSet(KEY.toPublicJWK());
    volatile Consumer<Map<String, Object>> metadata = members -> {};
    volatile Consumer<JWTClaimsSet.Builder> claims = builder -> {};
    volatile Consumer<Map<String, Object>> tokens = members -> {};
    volatile Consumer<Map<String, String>> authorization = parameters -> {};
    /** Responds in place of an endpoint, by its path; null = the endpoint responds. */
    volatile Function<String, @Nullable Response> override = path -> null;

    volatile boolean checksPkce = true;
    volatile boolean refreshes = true;
    volatile boolean asks;
    volatile int lifetime = 300;
    volatile Runnable beforeToken = () -> {};
    volatile String session = "session-1";

    record Response(int status, String body) {}

    private TestProvider(HttpServer server, String scheme, Clock clock) {
        this.server = server;
        this.scheme = scheme;
        this.clock = clock;
        server.setExecutor(threads);
        server.createContext("/", this::serve);
        server.start();
    }

    static TestProvider start(Clock clock) throws IOException {
        return new TestProvider(HttpServer.create(loopback(), 100), "http", clock);
    }

    static TestProvider overTls(SSLContext context) throws IOException {
        HttpsServer server = HttpsServer.create(loopback(), 100);
        server.setHttpsConfigurator(new HttpsConfigurator(context));
        return new TestProvider(server, "https", Clock.systemUTC());
    }

    private static InetSocketAddress loopback() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    }

    static RSAKey key(String id) {
        try {
            return new RSAKeyGenerator(2048, true).keyID(id).generate();
        } catch (JOSEException e) {
            throw new AssertionError(e);
        }
    }

    String issuer() {
        return scheme + "://127.0.0.1:" + server.getAddress().getPort();
    }

    int count(String path) {
        return requests.getOrDefault(path, new AtomicInteger()).get();
    }

    private void serve(HttpExchange exchange) throws IOException {
        try (exchange) {
            String path = exchange.getRequestURI().getPath();
            requests.computeIfAbsent(path, p -> new AtomicInteger()).incrementAndGet();
            Map<String, String> query = parameters(exchange.getRequestURI().getRawQuery());
            String body = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
            Response other = override.apply(path);
            if (other != null) {
                send(exchange, other.status(), "application/json", other.body());
                return;
            }
            switch (path) {
                case "/.well-known/openid-configuration" -> send(exchange, 200, "application/json", discovery());
                case "/keys" -> send(exchange, 200, "application/json", published.toString());
                case "/authorize" -> authorize(exchange, query);
                case "/token" -> {
                    Response response = token(exchange, parameters(body));
                    send(exchange, response.status(), "application/json", response.body());
                }
                case "/logout" -> logout(exchange, query);
                default -> send(exchange, 404, "text/plain", "");
            }
        } catch (RuntimeException e) {
            throw new IOException(e);
        }
    }

    private static void send(HttpExchange exchange, int status, String type, String body) throws IOException {
        byte[] bytes = body.getBytes(UTF_8);
        exchange.getResponseHeaders().set("content-type", type);
        exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
        if (bytes.length > 0) {
            exchange.getResponseBody().write(bytes);
        }
    }

    private static void redirect(HttpExchange exchange, String location) throws IOException {
        exchange.getResponseHeaders().set("location", location);
        exchange.sendResponseHeaders(302, -1);
    }

    static Map<String, String> parameters(@Nullable String query) {
        Map<String, String> only = new LinkedHashMap<>();
        QueryParameters.all(query == null ? null : query.replace("+", "%20"))
                .forEach((name, values) -> only.put(name, values.get(0)));
        return only;
    }

    private String discovery() {
        Map<String, Object> members = new LinkedHashMap<>();
        members.put("issuer", issuer());
        members.put("authorization_endpoint", issuer() + "/authorize");
        members.put("token_endpoint", issuer() + "/token");
        members.put("jwks_uri", issuer() + "/keys");
        members.put("end_session_endpoint", issuer() + "/logout");
        metadata.accept(members);
        return Json.write(members);
    }

    private void authorize(HttpExchange exchange, Map<String, String> query) throws IOException {
        if (asks && !query.containsKey("answered")) {
            String fields = query.entrySet().stream()
                    .map(each -> "<input type=hidden name='" + each.getKey() + "' value='" + each.getValue() + "'>")
                    .reduce("", String::concat);
            send(
                    exchange,
                    200,
                    "text/html",
                    "<!doctype html><title>Provider</title><h1>Who are you?</h1><form action=/authorize>" + fields
                            + "<button name=answered value=yes>I am Alice</button></form>");
            return;
        }
        authorizations.add(query);
        String code = "code-" + number.incrementAndGet();
        codes.put(code, query);
        Map<String, String> parameters = new LinkedHashMap<>();
        parameters.put("code", code);
        parameters.put("state", String.valueOf(query.get("state")));
        authorization.accept(parameters);
        redirect(exchange, query.get("redirect_uri") + "?" + Calls.encoded(parameters));
    }

    private Response token(HttpExchange exchange, Map<String, String> parameters) {
        String authorization = exchange.getRequestHeaders().getFirst("authorization");
        Map<String, String> seen = new LinkedHashMap<>(parameters);
        seen.put("authorization", String.valueOf(authorization));
        tokenRequests.add(seen);
        beforeToken.run();
        if ("refresh_token".equals(parameters.get("grant_type"))) {
            return refreshTokens.remove(String.valueOf(parameters.get("refresh_token"))) == null
                    ? new Response(400, "{\"error\":\"invalid_grant\"}")
                    : new Response(200, tokens(null));
        }
        Map<String, String> login = codes.remove(String.valueOf(parameters.get("code")));
        if (login == null
                || !String.valueOf(login.get("redirect_uri")).equals(parameters.get("redirect_uri"))
                || (checksPkce && !challenge(parameters).equals(login.get("code_challenge")))) {
            return new Response(400, "{\"error\":\"invalid_grant\"}");
        }
        return new Response(200, tokens(String.valueOf(login.get("nonce"))));
    }

    private static String challenge(Map<String, String> parameters) {
        return Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString(LoginState.sha256(String.valueOf(parameters.get("code_verifier"))));
    }

    private String tokens(@Nullable String nonce) {
        Map<String, Object> members = new LinkedHashMap<>();
        members.put("access_token", "access");
        members.put("token_type", "Bearer");
        members.put("expires_in", lifetime);
        members.put("id_token", idToken(nonce));
        if (refreshes) {
            String refresh = "refresh-" + number.incrementAndGet();
            refreshTokens.put(refresh, true);
            members.put("refresh_token", refresh);
        }
        tokens.accept(members);
        return Json.write(members);
    }

    String idToken(@Nullable String nonce) {
        JWTClaimsSet.Builder builder = claims(issuer(), clock);
        builder.claim("sid", session);
        if (nonce != null) {
            builder.claim("nonce", nonce);
        }
        claims.accept(builder);
        return sign(
                new JWSHeader.Builder(JWSAlgorithm.RS256)
                        .keyID(signing.getKeyID())
                        .build(),
                builder.build(),
                signing);
    }

    /** Returns a logout token, as the provider would send it. */
    String logoutToken(Consumer<JWTClaimsSet.Builder> change) {
        JWTClaimsSet.Builder builder = new JWTClaimsSet.Builder()
                .issuer(issuer())
                .audience("web")
                .jwtID("logout-" + number.incrementAndGet())
                .issueTime(Date.from(clock.instant()))
                .expirationTime(Date.from(clock.instant().plusSeconds(120)))
                .claim("events", Map.of("http://schemas.openid.net/event/backchannel-logout", Map.of()));
        change.accept(builder);
        return sign(
                new JWSHeader.Builder(JWSAlgorithm.RS256)
                        .keyID(signing.getKeyID())
                        .build(),
                builder.build(),
                signing);
    }

    /** The claims of a token for the client {@code web}. */
    static JWTClaimsSet.Builder claims(String issuer, Clock clock) {
        return new JWTClaimsSet.Builder()
                .issuer(issuer)
                .audience("web")
                .subject("alice")
                .issueTime(Date.from(clock.instant()))
                .expirationTime(Date.from(clock.instant().plus(Duration.ofMinutes(5))))
                .claim("groups", List.of("staff", "admins"));
    }

    static String sign(JWSHeader header, JWTClaimsSet claims, RSAKey key) {
        try {
            SignedJWT token = new SignedJWT(header, claims);
            token.sign(new RSASSASigner(key));
            return token.serialize();
        } catch (JOSEException e) {
            throw new AssertionError(e);
        }
    }

    private void logout(HttpExchange exchange, Map<String, String> query) throws IOException {
        logouts.add(query);
        String after = query.get("post_logout_redirect_uri");
        if (after == null) {
            send(exchange, 200, "text/html", "<h1>Goodbye from the provider</h1>");
        } else {
            redirect(exchange, after);
        }
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
