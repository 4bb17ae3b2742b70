package dev.lychgate.oidc;

import dev.lychgate.config.Keys;
import dev.lychgate.extension.ContributedAuthenticator;
import dev.lychgate.extension.ContributedFilter;
import dev.lychgate.extension.Extension;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Declares the extension {@code oidc} and its authenticator {@code oidc}. */
public final class OidcExtension implements Extension<OidcSettings, OidcParts> {
    private final Clock clock;
    private final OidcState state = new OidcState();

    /** Creates the extension with the clock of the system. */
    public OidcExtension() {
        this(Clock.systemUTC());
    }

    OidcExtension(Clock clock) {
        this.clock = clock;
    }

    @Override
    public Keys<OidcSettings> keys() {
        return OidcSettings.KEYS;
    }

    @Override
    public List<ContributedFilter<OidcParts, ?>> filters() {
        return List.of();
    }

    @Override
    public List<ContributedAuthenticator<OidcParts, ?>> authenticators() {
        return List.of(new ContributedAuthenticator<>(
                "oidc",
                "logs users in with OpenID Connect, and keeps their sessions in encrypted cookies",
                ProviderSettings.KEYS,
                (parts, settings, name) -> new OidcAuthenticator(settings, parts)));
    }

    @Override
    public OidcParts open(OidcSettings settings) {
        SecureRandom random = new SecureRandom();
        state.ended().limit(settings.endedSessions());
        state.frontChannel().limit(settings.endedSessions());
        Calls calls = new Calls(
                settings.timeout(),
                proxy(settings.proxy()),
                settings.caFile() == null ? null : TrustedAuthorities.read(settings.caFile()),
                state.owner());
        return new OidcParts(settings, SealingKeys.of(settings.sessionKeys(), random), calls, state, random, clock);
    }

    private static @Nullable InetSocketAddress proxy(@Nullable String text) {
        if (text == null) {
            return null;
        }
        int colon = text.lastIndexOf(':');
        return InetSocketAddress.createUnresolved(
                text.substring(0, colon), Integer.parseInt(text.substring(colon + 1)));
    }
}
