package dev.lychgate.identity;

import dev.lychgate.extension.ContributedAuthenticator;
import dev.lychgate.filter.Authentication;
import dev.lychgate.filter.Authenticator;
import dev.lychgate.filter.CallResponse;
import dev.lychgate.filter.FilterExchange;
import dev.lychgate.filter.Identity;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Accepts requests with a token that the authorization server reports as active. A call-out of the exchange sends the
 * token to the server, so the circuit breaker and the TLS settings of the server's upstream apply.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc7662">RFC 7662 OAuth 2.0 Token Introspection</a>
 */
final class IntrospectionAuthenticator implements Authenticator {
    private static final String SCHEME = "introspection";
    private static final int LONGEST_RESPONSE = 64 << 10;
    /** The longest time for which an inactive token is remembered, because a token may become active. */
    private static final long INACTIVE_MILLIS = 5_000;

    /**
     * The difference between the timeout of the authenticator and the timeout of the call-out. The call-out must end
     * first. A very short difference would not ensure this, because the gateway checks timeouts only every 100 ms.
     */
    private static final Duration SLACK = Duration.ofSeconds(1);

    private static final Authentication UNAVAILABLE =
            Authentication.refused(503, null, "the token cannot be verified at present");
    private static final Authentication INACTIVE = Challenges.invalid("the token is not active");
    private static final Identity NOBODY = new Identity(SCHEME, null, null);
    private static final Logger LOG = LoggerFactory.getLogger(IntrospectionAuthenticator.class);

    private final IntrospectionSettings settings;
    private final TokenSearch search;
    private final VerifierThreads threads;
    private final VerifiedTokens active;
    private final VerifiedTokens inactive;
    private final Clock clock;
    private final String authorization;

    static ContributedAuthenticator<VerifierThreads, IntrospectionSettings> contributed() {
        return new ContributedAuthenticator<>(
                SCHEME,
                "accepts tokens that an authorization server reports as active",
                IntrospectionSettings.KEYS,
                (threads, settings, name) -> new IntrospectionAuthenticator(settings, threads, Clock.systemUTC()));
    }

    IntrospectionAuthenticator(IntrospectionSettings settings, VerifierThreads threads, Clock clock) {
        this.settings = settings;
        this.search = new TokenSearch(settings.from());
        this.threads = threads;
        int most = settings.cache().isZero() ? 0 : threads.rememberedTokens();
        this.active = new VerifiedTokens(most);
        this.inactive = new VerifiedTokens(most);
        this.clock = clock;
        // The parts are encoded as in a form (RFC 6749, 2.3.1), so that a colon in the name does not end the name.
        String pair = encoded(settings.clientId()) + ":" + encoded(settings.clientSecret());
        this.authorization = "Basic " + Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.US_ASCII));
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    @Override
    public String challenge() {
        return Challenges.BEARER;
    }

    @Override
    public Duration timeout() {
        return settings.timeout().plus(SLACK);
    }

    @Override
    public CompletionStage<Authentication> authenticate(FilterExchange exchange) {
        List<String> tokens = search.tokens(exchange);
        if (tokens.isEmpty()) {
            return now(Authentication.absent());
        }
        if (tokens.size() > 1) {
            return now(Challenges.severalTokens());
        }
        String token = tokens.get(0);
        if (token.length() > JwtAuthenticator.LONGEST_TOKEN || !isToken(token)) {
            return now(Challenges.unknown("the token is malformed"));
        }
        VerifiedTokens.Digest digest = VerifiedTokens.Digest.of(token);
        if (active.isEnabled()) {
            Verdict.Accepted known = active.find(digest, clock.millis());
            if (known != null) {
                return now(Authentication.accepted(known.identity()));
            }
            if (inactive.find(digest, clock.millis()) != null) {
                return now(INACTIVE);
            }
        }
        return exchange.call(settings.upstream())
                .post(settings.path())
                .header("authorization", authorization)
                .header("accept", "application/json")
                .body("token=" + encoded(token) + "&token_type_hint=access_token", "application/x-www-form-urlencoded")
                .timeout(settings.timeout())
                .maxBody(LONGEST_RESPONSE)
                .send()
                .handle((response, failure) -> failure == null ? result(response, digest, exchange) : UNAVAILABLE);
    }

    /** Returns whether a text has only the characters of a bearer token (RFC 6750, 2.1). */
    private static boolean isToken(String text) {
        return !text.isEmpty()
                && text.chars()
                        .allMatch(c -> (c >= 'a' && c <= 'z')
                                || (c >= 'A' && c <= 'Z')
                                || (c >= '0' && c <= '9')
                                || "-._~+/=".indexOf(c) >= 0);
    }

    private static CompletionStage<Authentication> now(Authentication result) {
        return CompletableFuture.completedFuture(result);
    }

    private Authentication result(CallResponse response, VerifiedTokens.Digest digest, FilterExchange exchange) {
        Map<?, ?> members = members(response);
        if (members == null || !(members.get("active") instanceof Boolean isActive)) {
            // The cause may be a wrong secret in the configuration, and the client cannot correct that.
            LOG.warn(
                    "request={} introspection failed: upstream {} sent an unusable response with status {} (expected:"
                            + " status 200 and a boolean member active); the request gets 503",
                    exchange.getRequestId(),
                    settings.upstream(),
                    response.getStatus());
            return UNAVAILABLE;
        }
        long now = clock.millis();
        if (!isActive) {
            remember(
                    inactive,
                    digest,
                    new Verdict.Accepted(
                            now + Math.min(INACTIVE_MILLIS, settings.cache().toMillis()), NOBODY));
            return INACTIVE;
        }
        return ofActive(members, digest, now);
    }

    private static @Nullable Map<?, ?> members(CallResponse response) {
        try {
            return response.getStatus() == 200 && response.getJson() instanceof Map<?, ?> members ? members : null;
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    private Authentication ofActive(Map<?, ?> members, VerifiedTokens.Digest digest, long now) {
        for (String required : settings.requiredClaims()) {
            if (members.get(required) == null) {
                return Challenges.invalid("the claim " + required + " is missing");
            }
        }
        if (!settings.audience().isEmpty() && !isForUs(members.get("aud"))) {
            return Challenges.invalid("the audience is not accepted");
        }
        double end = members.get("exp") instanceof Number exp ? exp.doubleValue() * 1000 : Double.MAX_VALUE;
        if (end <= now) {
            return Challenges.invalid("the token has expired");
        }
        Identity identity = new Identity(
                SCHEME,
                members.get("iss") instanceof String issuer ? issuer : null,
                members.get("sub") instanceof String subject ? subject : null,
                Claims.of(members));
        remember(
                active,
                digest,
                new Verdict.Accepted(
                        (long) Math.min(end, (double) now + settings.cache().toMillis()), identity));
        return Authentication.accepted(identity);
    }

    private boolean isForUs(@Nullable Object audience) {
        return audience instanceof Collection<?> several
                ? several.stream().anyMatch(settings.audience()::contains)
                : audience != null && settings.audience().contains(audience);
    }

    /** Stores a verdict on another thread, because adding it takes a lock. */
    private void remember(VerifiedTokens in, VerifiedTokens.Digest digest, Verdict.Accepted verdict) {
        if (in.isEnabled()) {
            try {
                threads.execute(() -> in.add(digest, verdict, in.epoch()));
            } catch (RejectedExecutionException e) {
                // The next request sends another query.
            }
        }
    }
}
