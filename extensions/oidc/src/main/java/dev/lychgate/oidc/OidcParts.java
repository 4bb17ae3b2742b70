package dev.lychgate.oidc;

import dev.lychgate.config.ConfigException;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The objects that the authenticators of one generation share. Thread-safe. */
final class OidcParts {
    private final OidcSettings settings;
    private final SealingKeys keys;
    private final Calls calls;
    private final OidcState state;
    private final SecureRandom random;
    private final Clock clock;
    private final Map<ProviderSettings, Provider> providers = new ConcurrentHashMap<>();
    /** Providers by their redirect URIs and by the names of their cookies. */
    private final Map<String, String> owners = new ConcurrentHashMap<>();

    OidcParts(OidcSettings settings, SealingKeys keys, Calls calls, OidcState state, SecureRandom random, Clock clock) {
        this.settings = settings;
        this.keys = keys;
        this.calls = calls;
        this.state = state;
        this.random = random;
        this.clock = clock;
    }

    /**
     * Returns the provider of an authenticator; authenticators with equal settings share it.
     *
     * @throws ConfigException if another provider has the same redirect URI or the same cookie; a response to a shared
     *     redirect URI could be attributed to the wrong provider
     */
    Provider provider(ProviderSettings wanted) {
        for (RedirectUri uri : wanted.redirectUris()) {
            requireOwn("redirect-uri", uri.text(), wanted);
        }
        requireOwn("cookie", wanted.cookieBase(), wanted);
        return providers.computeIfAbsent(
                wanted,
                one -> new Provider(
                        one,
                        calls,
                        new ClientCredentials(one, random, clock),
                        new TokenRules(one, clock),
                        settings.metadataLifetime(),
                        clock));
    }

    private void requireOwn(String key, String value, ProviderSettings wanted) {
        String owner = owners.putIfAbsent(key + value, wanted.party());
        if (owner != null && !owner.equals(wanted.party())) {
            throw new ConfigException(
                    key, value, "another value: " + owner.replace("\n", ", client ") + ", already has this value");
        }
    }

    OidcSettings settings() {
        return settings;
    }

    SealingKeys keys() {
        return keys;
    }

    OidcState state() {
        return state;
    }

    SecureRandom random() {
        return random;
    }

    Clock clock() {
        return clock;
    }
}
