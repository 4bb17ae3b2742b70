package dev.lychgate.identity;

import dev.lychgate.config.Keys;
import dev.lychgate.extension.ContributedAuthenticator;
import dev.lychgate.extension.ContributedFilter;
import dev.lychgate.extension.Extension;
import java.util.List;

/** Declares the extension {@code identity} and its authenticators. */
public final class IdentityExtension implements Extension<IdentitySettings, VerifierThreads> {
    @Override
    public Keys<IdentitySettings> keys() {
        return IdentitySettings.KEYS;
    }

    @Override
    public List<ContributedFilter<VerifierThreads, ?>> filters() {
        return List.of();
    }

    @Override
    public List<ContributedAuthenticator<VerifierThreads, ?>> authenticators() {
        return List.of(
                JwtAuthenticator.contributed(), // JSON Web Tokens
                IntrospectionAuthenticator.contributed(), // tokens that an authorization server knows
                ApiKeyAuthenticator.contributed(), // keys in a file
                BasicAuthenticator.contributed(), // users and passwords in a file
                CertificateAuthenticator.contributed()); // client certificates of TLS connections
    }

    @Override
    public VerifierThreads open(IdentitySettings settings) {
        return new VerifierThreads(settings);
    }
}
