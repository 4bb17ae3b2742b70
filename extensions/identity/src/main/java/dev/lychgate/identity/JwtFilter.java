package dev.lychgate.identity;

import dev.lychgate.filter.AsyncFilter;
import dev.lychgate.filter.FilterExchange;
import dev.lychgate.filter.FilterOutcome;
import dev.lychgate.filter.Headers;
import dev.lychgate.filter.InboundFilter;
import dev.lychgate.http.FieldNames;
import dev.lychgate.http.FieldSyntax;
import java.time.Clock;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.stream.Collectors;

/**
 * Accepts requests with a valid token. On the event loop, this filter only extracts the token and searches for a stored
 * verdict on it, which takes microseconds. Tokens without a stored verdict are verified on threads of the extension.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc6750#section-3">RFC 6750, 3 The WWW-Authenticate Response Header Field</a>
 */
final class JwtFilter implements InboundFilter, AsyncFilter {
    /**
     * Maximum length of a token. No issuer sends longer tokens, and the digest of a token of this length takes only
     * microseconds.
     */
    static final int LONGEST_TOKEN = 8_192;

    private static final String SCHEME = "bearer ";

    private final JwtSettings settings;
    private final String name;
    private final TokenVerifier verifier;
    private final VerifierThreads threads;
    private final VerifiedTokens verified;
    private final Clock clock;
    /** The folded names of the header fields that are set to claims. */
    private final Set<String> owned;

    /** @throws dev.lychgate.config.ConfigException if the keys cannot be used */
    JwtFilter(JwtSettings settings, String name, VerifierThreads threads, Clock clock) {
        this.settings = settings;
        this.name = name;
        this.verifier = new TokenVerifier(settings, clock);
        this.threads = threads;
        this.verified = new VerifiedTokens(threads.rememberedTokens());
        this.clock = clock;
        this.owned = settings.claimsToHeaders().values().stream()
                .map(FieldNames::fold)
                .collect(Collectors.toUnmodifiableSet());
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public int order() {
        return settings.order();
    }

    @Override
    public CompletionStage<FilterOutcome> filter(FilterExchange exchange) {
        Headers headers = exchange.getRequest().getHeaders();
        List<String> credentials = headers.getAll("authorization");
        removeOwned(headers);
        if (credentials.size() > 1) {
            return now(refused(400, "error=\"invalid_request\", error_description=\"several Authorization fields\""));
        }
        String field = credentials.isEmpty() ? "" : credentials.get(0);
        if (!field.regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
            return now(refused(401, ""));
        }
        String token = field.substring(SCHEME.length()).strip();
        if (token.length() > LONGEST_TOKEN) {
            return now(invalid("the token is too long"));
        }
        if (!isCompact(token)) {
            return now(invalid("the token is malformed"));
        }
        VerifiedTokens.Digest digest = VerifiedTokens.Digest.of(token);
        Verdict.Accepted known = verified.isEnabled() ? verified.find(digest, clock.millis()) : null;
        return known == null ? later(token, digest, headers) : now(proceed(known, headers));
    }

    /**
     * Removes the header fields that are set to claims, in every spelling that an origin may interpret as the same
     * name, such as with underscores. Absent fields are removed as well, because the gateway then also removes trailers
     * with these names.
     */
    private void removeOwned(Headers headers) {
        if (!owned.isEmpty()) {
            settings.claimsToHeaders().values().forEach(headers::remove);
            headers.getNames().stream()
                    .filter(name -> owned.contains(FieldNames.fold(name)) && FieldSyntax.isSettable(name))
                    .forEach(headers::remove);
        }
    }

    /**
     * Returns whether the token has three parts in the base64url alphabet. Decoders skip other characters. If tokens
     * with other characters were accepted, one token would have many spellings, each of which would be verified and
     * stored.
     */
    static boolean isCompact(String token) {
        int dots = 0;
        for (int i = 0; i < token.length(); i++) {
            char c = token.charAt(i);
            if (c == '.') {
                dots++;
            } else if (!((c >= 'a' && c <= 'z')
                    || (c >= 'A' && c <= 'Z')
                    || (c >= '0' && c <= '9')
                    || c == '-'
                    || c == '_')) {
                return false;
            }
        }
        return dots == 2;
    }

    private CompletionStage<FilterOutcome> later(String token, VerifiedTokens.Digest digest, Headers headers) {
        CompletableFuture<FilterOutcome> outcome = new CompletableFuture<>();
        try {
            threads.execute(() -> {
                // The outcome is cancelled when the client has disconnected.
                if (!outcome.isDone()) {
                    try {
                        outcome.complete(outcome(verify(token, digest), headers));
                    } catch (Throwable e) {
                        outcome.completeExceptionally(e);
                    }
                }
            });
        } catch (RejectedExecutionException e) {
            return now(FilterOutcome.respond(503).header("retry-after", "1").text("too many tokens to verify\n"));
        }
        return outcome;
    }

    private static FilterOutcome outcome(Verdict verdict, Headers headers) {
        return verdict instanceof Verdict.Accepted accepted
                ? proceed(accepted, headers)
                : invalid(((Verdict.Refused) verdict).description());
    }

    private Verdict verify(String token, VerifiedTokens.Digest digest) {
        Verdict verdict = verifier.verify(token);
        if (verdict instanceof Verdict.Accepted accepted) {
            verified.add(digest, accepted);
        }
        return verdict;
    }

    private static FilterOutcome proceed(Verdict.Accepted accepted, Headers headers) {
        accepted.fields().forEach(headers::set);
        return FilterOutcome.proceed();
    }

    private static CompletionStage<FilterOutcome> now(FilterOutcome outcome) {
        return CompletableFuture.completedFuture(outcome);
    }

    private static FilterOutcome invalid(String description) {
        return refused(401, "error=\"invalid_token\", error_description=\"" + description + "\"");
    }

    /**
     * @param parameters parameters of the challenge; empty if the request has no token, because the challenge then
     *     states no error
     */
    private static FilterOutcome refused(int status, String parameters) {
        return FilterOutcome.respond(status)
                .header("www-authenticate", parameters.isEmpty() ? "Bearer" : "Bearer " + parameters)
                .text("a valid token is required\n");
    }
}
