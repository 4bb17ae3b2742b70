package dev.lychgate.identity;

import dev.lychgate.extension.ContributedAuthenticator;
import dev.lychgate.filter.Authentication;
import dev.lychgate.filter.Authenticator;
import dev.lychgate.filter.FilterExchange;
import java.net.URI;
import java.time.Clock;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Accepts requests with a valid JSON Web Token. On the event loop, this authenticator only extracts the token and looks
 * up its stored verdict, which takes microseconds. Tokens without a stored verdict are verified on threads of the
 * extension.
 */
final class JwtAuthenticator implements Authenticator {
    /**
     * Maximum length of a token. No issuer sends longer tokens, and the digest of a token of this length takes only
     * microseconds.
     */
    static final int LONGEST_TOKEN = 8_192;

    private static final Authentication BUSY =
            Authentication.refused(503, null, "too many tokens wait for verification");
    private static final Authentication NO_KEYS =
            Authentication.refused(503, null, "the keys of the issuer are not available");

    private final TokenSearch search;
    private final TokenVerifier verifier;
    private final VerifierThreads threads;
    private final VerifiedTokens verified;
    private final Map<String, KeySource> keys = new HashMap<>();
    private final Clock clock;
    private final LongSupplier nanos;

    static ContributedAuthenticator<VerifierThreads, JwtSettings> contributed() {
        return new ContributedAuthenticator<>(
                "jwt",
                "accepts JSON Web Tokens of an issuer",
                JwtSettings.KEYS,
                (threads, settings, name) ->
                        new JwtAuthenticator(settings, threads, Clock.systemUTC(), System::nanoTime, Documents::get));
    }

    /** @throws dev.lychgate.config.ConfigException if the keys cannot be used */
    JwtAuthenticator(
            JwtSettings settings,
            VerifierThreads threads,
            Clock clock,
            LongSupplier nanos,
            Function<URI, CompletableFuture<String>> download) {
        this.search = new TokenSearch(settings.from());
        this.verifier = new TokenVerifier(settings, clock);
        this.threads = threads;
        this.verified = new VerifiedTokens(threads.rememberedTokens());
        this.clock = clock;
        this.nanos = nanos;
        KeySource common = settings.keys() != null
                ? KeySource.fixed(TokenKeys.read(settings.keys(), settings.algorithms()))
                : settings.jwks() == null
                        ? null
                        : published(settings.issuer().get(0), settings.jwks(), settings, download);
        for (String issuer : settings.issuer()) {
            keys.put(issuer, common == null ? published(issuer, null, settings, download) : common);
        }
    }

    private PublishedKeys published(
            String issuer,
            @Nullable String url,
            JwtSettings settings,
            Function<URI, CompletableFuture<String>> download) {
        return new PublishedKeys(
                issuer,
                url == null ? null : Documents.permitted(url),
                settings.refresh(),
                download,
                threads,
                nanos,
                verified::clear);
    }

    @Override
    public String challenge() {
        return Challenges.BEARER;
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
        if (token.length() > LONGEST_TOKEN) {
            return now(Challenges.unknown("the token is too long"));
        }
        if (!isCompact(token)) {
            return now(Challenges.unknown("the token is malformed"));
        }
        VerifiedTokens.Digest digest = VerifiedTokens.Digest.of(token);
        Verdict.Accepted known = verified.isEnabled() ? verified.find(digest, clock.millis()) : null;
        return known == null ? later(token, digest) : now(Authentication.accepted(known.identity()));
    }

    /**
     * Returns whether the token has the three parts of a signed token or the five parts of an encrypted token, in the
     * base64url alphabet. Decoders skip other characters. If the gateway accepted them, one token would have many
     * spellings, each of which would be verified and stored.
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
        return dots == 2 || dots == 4;
    }

    private CompletionStage<Authentication> later(String token, VerifiedTokens.Digest digest) {
        Verification verification = new Verification(token, digest);
        verification.onThread(verification::begin);
        return verification.result;
    }

    private static CompletionStage<Authentication> now(Authentication result) {
        return CompletableFuture.completedFuture(result);
    }

    /**
     * The verification of one token, on threads of the extension. The result is cancelled when the client has
     * disconnected.
     */
    private final class Verification {
        private final String token;
        private final VerifiedTokens.Digest digest;
        private final long arrival = nanos.getAsLong();
        private final VerifiedTokens.Epoch epoch = verified.epoch();
        private final CompletableFuture<Authentication> result = new CompletableFuture<>();

        Verification(String token, VerifiedTokens.Digest digest) {
            this.token = token;
            this.digest = digest;
        }

        void onThread(Runnable step) {
            try {
                threads.execute(() -> {
                    if (!result.isDone()) {
                        try {
                            step.run();
                        } catch (Throwable e) {
                            result.completeExceptionally(e);
                        }
                    }
                });
            } catch (RejectedExecutionException e) {
                result.complete(BUSY);
            }
        }

        void begin() {
            TokenVerifier.Reading reading = verifier.parse(token);
            TokenVerifier.Parsed parsed = reading.parsed();
            if (parsed == null) {
                complete(reading.verdict() == null ? TokenVerifier.MALFORMED : reading.verdict());
                return;
            }
            KeySource source = keys.get(parsed.issuer());
            if (source == null) {
                complete(TokenVerifier.MALFORMED);
                return;
            }
            KeySource.Known current = source.current();
            if (current == null) {
                renew(parsed, source, null);
            } else {
                verify(parsed, source, current);
            }
        }

        private void verify(TokenVerifier.Parsed parsed, KeySource source, KeySource.Known by) {
            Verdict verdict = verifier.verify(parsed, by.keys());
            // No newer keys are needed. These keys were downloaded after the token arrived, so they would include the
            // key that signed the token.
            if (verdict instanceof Verdict.UnknownKey && by.askedAt() - arrival < 0) {
                renew(parsed, source, by);
            } else {
                complete(verdict);
            }
        }

        @SuppressWarnings("ReferenceEquality") // the same object means that there are no newer keys
        private void renew(TokenVerifier.Parsed parsed, KeySource source, KeySource.@Nullable Known old) {
            source.newer(old).whenComplete((newer, failure) -> {
                if (failure != null) {
                    result.complete(NO_KEYS);
                } else if (newer == old) {
                    complete(new Verdict.Refused("the key is unknown"));
                } else {
                    onThread(() -> verify(parsed, source, newer));
                }
            });
        }

        private void complete(Verdict verdict) {
            if (verdict instanceof Verdict.Accepted accepted) {
                verified.add(digest, accepted, epoch);
                result.complete(Authentication.accepted(accepted.identity()));
            } else if (verdict instanceof Verdict.Foreign foreign) {
                result.complete(Challenges.unknown(foreign.description()));
            } else {
                result.complete(Challenges.invalid(
                        verdict instanceof Verdict.Refused refused ? refused.description() : "the key is unknown"));
            }
        }
    }
}
