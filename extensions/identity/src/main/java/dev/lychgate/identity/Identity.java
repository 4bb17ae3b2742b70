package dev.lychgate.identity;

import dev.lychgate.config.Keys;
import dev.lychgate.extension.ContributedFilter;
import dev.lychgate.extension.Extension;
import java.time.Clock;
import java.util.List;

/** Declares the extension {@code identity} and its filter {@code verify-jwt}. */
public final class Identity implements Extension<IdentitySettings, VerifierThreads> {
    @Override
    public Keys<IdentitySettings> keys() {
        return IdentitySettings.KEYS;
    }

    @Override
    public List<ContributedFilter<VerifierThreads, ?>> filters() {
        return List.of(new ContributedFilter<>(
                "verify-jwt",
                "accepts requests with a JSON Web Token of an issuer in `Authorization: Bearer`; rejects others with 401",
                JwtSettings.KEYS,
                (threads, settings, name) -> new JwtFilter(settings, name, threads, Clock.systemUTC())));
    }

    @Override
    public VerifierThreads open(IdentitySettings settings) {
        return new VerifierThreads(settings);
    }
}
