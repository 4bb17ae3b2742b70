package dev.lychgate.identity;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import dev.lychgate.filter.Authentication;
import dev.lychgate.filter.FilterExchange;
import dev.lychgate.filter.FilterRequest;
import dev.lychgate.filter.Headers;
import dev.lychgate.perf.NanosecondBenchmark;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * The authentication of a request by a token with an ES256 signature. The results include some tens of nanoseconds for
 * the proxies that stand in for the request.
 */
public class TokenBenchmark extends NanosecondBenchmark {
    private static final String ISSUER = "https://id.example.com";

    private VerifierThreads remembering = threads(1_000);
    private VerifierThreads forgetful = threads(0);
    private FilterExchange exchange = request("none");
    private Path keys = Path.of("");

    @SuppressWarnings("NullAway") // the set-up creates it
    private JwtAuthenticator known = null;

    @SuppressWarnings("NullAway") // the set-up creates it
    private JwtAuthenticator fresh = null;

    private static VerifierThreads threads(int remembered) {
        return new VerifierThreads(new IdentitySettings(2, 1_000, remembered));
    }

    @Setup
    public void build() throws Exception {
        ECKey key = new ECKeyGenerator(Curve.P_256).keyID("ec").generate();
        keys = Files.createTempFile("keys", ".json");
        Files.writeString(keys, new JWKSet(key.toPublicJWK()).toString());
        SignedJWT token = new SignedJWT(
                new JWSHeader.Builder(JWSAlgorithm.ES256).keyID("ec").build(),
                new JWTClaimsSet.Builder()
                        .issuer(ISSUER)
                        .audience("api")
                        .subject("alice")
                        .claim("roles", List.of("reader", "writer"))
                        .claim("email", "alice@example.com")
                        .expirationTime(Date.from(Instant.now().plus(Duration.ofHours(10))))
                        .build());
        token.sign(new ECDSASigner(key));
        exchange = request("Bearer " + token.serialize());
        known = authenticator(remembering);
        fresh = authenticator(forgetful);
        requireAccepted(known);
        requireAccepted(fresh);
    }

    private JwtAuthenticator authenticator(VerifierThreads threads) {
        JwtSettings settings = new JwtSettings(
                List.of(ISSUER),
                keys.toString(),
                null,
                List.of("api"),
                List.of("ES256"),
                List.of("absent"),
                Duration.ofSeconds(30),
                List.of("exp"),
                List.of(TokenPlace.parse("bearer")),
                null,
                Duration.ofMinutes(10));
        return new JwtAuthenticator(
                settings,
                threads,
                Clock.systemUTC(),
                System::nanoTime,
                url -> CompletableFuture.failedFuture(new IllegalStateException("the keys are in a file")));
    }

    private void requireAccepted(JwtAuthenticator by) {
        Authentication result = by.authenticate(exchange).toCompletableFuture().join();
        if (!(result instanceof Authentication.Accepted)) {
            throw new IllegalStateException("the token is not accepted: " + result);
        }
    }

    private static FilterExchange request(String authorization) {
        Headers headers = constant(Headers.class, Map.of("getAll", List.of(authorization)));
        FilterRequest request = constant(FilterRequest.class, Map.of("getHeaders", headers));
        return constant(FilterExchange.class, Map.of("getRequest", request));
    }

    private static <T> T constant(Class<T> type, Map<String, Object> results) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (proxy, method, arguments) -> results.get(method.getName())));
    }

    @TearDown
    public void close() throws Exception {
        remembering.close();
        forgetful.close();
        Files.delete(keys);
    }

    /** A token whose verdict is stored. All work is done on the event loop. */
    @Benchmark
    public Authentication remembered() {
        return known.authenticate(exchange).toCompletableFuture().join();
    }

    /** A token that is verified on another thread. The time includes two changes of the thread. */
    @Benchmark
    public Authentication verified() {
        return fresh.authenticate(exchange).toCompletableFuture().join();
    }

    /** A verification that has begun. */
    @State(Scope.Thread)
    public static class Begun {
        private CompletionStage<Authentication> result = CompletableFuture.completedFuture(Authentication.absent());

        /** Waits for the result, so that verifications do not queue. */
        @TearDown(Level.Invocation)
        public void end() {
            result.toCompletableFuture().join();
        }
    }

    /**
     * The part of {@link #verified} that runs on the event loop. The greatest sample is the longest time for which a
     * verification holds the event loop.
     */
    @Benchmark
    @BenchmarkMode(Mode.SampleTime)
    public void verifiedPartOnLoop(Begun begun) {
        begun.result = fresh.authenticate(exchange);
    }
}
