package dev.lychgate.oidc;

import java.time.Clock;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A provider as used by one client: its discovery document, its keys and its token endpoint. Confined to the thread
 * that owns the state of the extension. All returned futures fail with a {@link ProviderException}.
 */
final class Provider {
    private static final Logger LOG = LoggerFactory.getLogger(Provider.class);

    /**
     * An unknown key id causes a new request for keys only if the current keys are at least this old, because any
     * client can send tokens with unknown ids.
     */
    private static final Duration KEYS_AGE = Duration.ofSeconds(10);

    private static final int LONGEST_RESPONSE = 256 << 10;

    private final ProviderSettings settings;
    private final Calls calls;
    private final ClientCredentials credentials;
    private final TokenRules rules;
    private final Clock clock;
    private final Renewed<ProviderMetadata> metadata;
    private final Renewed<ProviderKeys> keys;

    /**
     * The verified response of the token endpoint.
     *
     * @param idToken null if a renewal returned none
     * @param claims the claims of the ID token; empty if there is no ID token
     * @param refreshToken null if the response has none
     * @param lifetime the seconds until the tokens expire
     */
    record Tokens(
            @Nullable String idToken,
            Map<String, Object> claims,
            @Nullable String refreshToken,
            long lifetime) {}

    Provider(
            ProviderSettings settings,
            Calls calls,
            ClientCredentials credentials,
            TokenRules rules,
            Duration lifetime,
            Clock clock) {
        this.settings = settings;
        this.calls = calls;
        this.credentials = credentials;
        this.rules = rules;
        this.clock = clock;
        this.metadata = new Renewed<>(
                "the discovery document of " + settings.issuer(), this::fetchMetadata, lifetime, KEYS_AGE, clock);
        this.keys = new Renewed<>("the key set of " + settings.issuer(), this::fetchKeys, lifetime, KEYS_AGE, clock);
    }

    private CompletableFuture<ProviderMetadata> fetchMetadata() {
        return calls.get(ProviderMetadata.address(settings.issuer()), ProviderMetadata.LONGEST)
                .thenApply(reply -> ProviderMetadata.parse(settings.issuer(), ok(reply)));
    }

    private CompletableFuture<ProviderKeys> fetchKeys() {
        return metadata.get()
                .thenCompose(known -> calls.get(known.keys(), ProviderKeys.LONGEST))
                .thenApply(reply -> ProviderKeys.parse(ok(reply)));
    }

    private static byte[] ok(Calls.Reply reply) {
        if (reply.status() != 200) {
            throw ProviderException.unavailable("status " + reply.status());
        }
        return reply.body();
    }

    CompletableFuture<ProviderMetadata> metadata() {
        return metadata.get();
    }

    /** Exchanges an authorization code, and verifies the ID token. */
    CompletableFuture<Tokens> redeem(String code, LoginState login) {
        Map<String, String> parameters = new LinkedHashMap<>();
        parameters.put("grant_type", "authorization_code");
        parameters.put("code", code);
        parameters.put("redirect_uri", login.redirectUri());
        parameters.put("code_verifier", login.verifier());
        return request(parameters).thenCompose(members -> {
            if (members.get("id_token") instanceof String token) {
                return withKeys(known -> rules.idToken(token, known, login.nonce()))
                        .thenApply(claims -> tokens(token, claims, members));
            }
            throw ProviderException.invalid("the response of the token endpoint has no ID token");
        });
    }

    /** Renews the tokens of a session. */
    CompletableFuture<Tokens> renew(Session session) {
        Map<String, String> parameters = new LinkedHashMap<>();
        parameters.put("grant_type", "refresh_token");
        parameters.put("refresh_token", String.valueOf(session.refreshToken()));
        return request(parameters).thenCompose(members -> {
            if (members.get("id_token") instanceof String token) {
                return withKeys(known -> rules.idToken(token, known, null)).thenApply(claims -> {
                    requireSameUser(session, claims);
                    return tokens(token, claims, members);
                });
            }
            return CompletableFuture.completedFuture(tokens(null, Map.of(), members));
        });
    }

    /** Checks the ID token of a renewal, see OpenID Connect Core 1.0, 12.2. */
    private static void requireSameUser(Session session, Map<String, Object> claims) {
        Object nonce = claims.get("nonce");
        if (!Objects.equals(claims.get("sub"), session.claims().get("sub"))
                || (nonce != null && !nonce.equals(session.claims().get("nonce")))) {
            throw ProviderException.invalid("the renewed ID token belongs to another login");
        }
    }

    /** Returns the rules for tokens. Any thread may use them. */
    TokenRules rules() {
        return rules;
    }

    /** Verifies the signature of a logout token. */
    CompletableFuture<TokenRules.Logout> verify(TokenRules.UnverifiedLogout read) {
        return withKeys(known -> TokenRules.verified(read, known));
    }

    /**
     * Applies rules with the keys of the provider. If the current keys do not verify the signature, applies the rules
     * again with newer keys.
     */
    private <T> CompletableFuture<T> withKeys(Function<ProviderKeys, T> apply) {
        return keys.get().thenCompose(known -> {
            try {
                return CompletableFuture.completedFuture(apply.apply(known));
            } catch (ProviderException e) {
                return e.kind() == ProviderException.Kind.UNVERIFIED
                        ? keys.fresher().thenApply(apply)
                        : CompletableFuture.failedFuture(e);
            }
        });
    }

    private CompletableFuture<Map<?, ?>> request(Map<String, String> parameters) {
        return metadata.get()
                .thenCompose(known -> calls.post(
                        known.token(),
                        parameters,
                        credentials.authenticate(parameters, known.token()),
                        LONGEST_RESPONSE))
                .thenApply(this::members);
    }

    private Map<?, ?> members(Calls.Reply reply) {
        if (reply.status() == 200) {
            return ProviderMetadata.object(reply.body());
        }
        if (reply.status() != 400 && reply.status() != 401 && reply.status() != 403) {
            throw ProviderException.unavailable("status " + reply.status() + " of the token endpoint");
        }
        String code = "no error code";
        try {
            code = errorCode(ProviderMetadata.object(reply.body()).get("error"));
        } catch (ProviderException e) {
            // The body has no usable error code, so only the status describes the refusal.
        }
        if (reply.status() == 401 || code.equals("invalid_client") || code.equals("unauthorized_client")) {
            LOG.warn(
                    "oidc: provider {} refused the client {}: {}; logins fail until client-id, client-secret or client-key is"
                            + " corrected",
                    settings.issuer(),
                    settings.clientId(),
                    code);
            throw ProviderException.unavailable("the provider refused the client");
        }
        throw new ProviderException(ProviderException.Kind.REFUSED, "the provider refused the request: " + code);
    }

    /** Returns the error code of a provider if the code is well-formed and therefore safe in a response. */
    static String errorCode(@Nullable Object code) {
        return code instanceof String text && text.matches("[A-Za-z0-9_.-]{1,64}") ? text : "no error code";
    }

    private Tokens tokens(@Nullable String idToken, Map<String, Object> claims, Map<?, ?> members) {
        Object lifetime = members.get("expires_in");
        long seconds;
        if (lifetime instanceof Number number) {
            seconds = number.longValue();
        } else if (lifetime instanceof String text && text.matches("\\d{1,9}")) {
            seconds = Long.parseLong(text);
        } else if (idToken != null) {
            seconds = TokenRules.seconds(claims, "exp") - clock.millis() / 1000;
        } else {
            throw ProviderException.invalid(
                    "the response of the token endpoint has neither expires_in nor an ID token");
        }
        String refresh = members.get("refresh_token") instanceof String text && !text.isEmpty() ? text : null;
        if (seconds < 1) {
            throw ProviderException.invalid("the tokens have already expired");
        }
        return new Tokens(idToken, claims, refresh, Math.min(seconds, Integer.MAX_VALUE));
    }
}
