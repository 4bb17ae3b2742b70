package dev.lychgate.authorization;

import dev.lychgate.config.Keys;
import dev.lychgate.extension.ContributedFilter;
import dev.lychgate.extension.Extension;
import java.util.List;

/** Declares the extension {@code authorization} and its authorizers {@code cel} and {@code ext-authz}. */
public final class Authorization implements Extension<AuthorizationSettings, AuthorizationSettings> {
    @Override
    public Keys<AuthorizationSettings> keys() {
        return AuthorizationSettings.KEYS;
    }

    @Override
    public List<ContributedFilter<AuthorizationSettings, ?>> filters() {
        return List.of();
    }

    @Override
    public List<ContributedFilter<AuthorizationSettings, ?>> authorizers() {
        return List.of(
                new ContributedFilter<>(
                        "cel",
                        "admits requests for which expressions in the Common Expression Language are true",
                        CelSettings.KEYS,
                        (shared, settings, name) -> new CelAuthorizer(settings, name, shared.maxIterations())),
                new ContributedFilter<>(
                        "ext-authz",
                        "admits requests that a service admits by Envoy's protocol `ext_authz`",
                        ExtAuthzSettings.KEYS,
                        (shared, settings, name) -> new ExtAuthz(settings, name)));
    }

    @Override
    public AuthorizationSettings open(AuthorizationSettings settings) {
        return settings;
    }
}
