package dev.lychgate.config;

import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The authentication and authorization of requests, at the top level or on a route.
 *
 * @param authenticate the authentication; null = none
 * @param authorize the authorizers; a request continues only if every authorizer permits it
 */
public record AccessConfig(@Nullable AuthenticateConfig authenticate, List<FilterConfig> authorize) {
    /**
     * The form of a section {@code authenticate}. The lambda delays the loading of the class {@link AuthenticateConfig}
     * until a section exists.
     */
    static final Form<AuthenticateConfig> SECTION =
            Form.<AuthenticateConfig>section(values -> AuthenticateConfig.read(values));

    private static final String RULES = "rule, or list of rules and authorizers";

    private static final Key<AuthenticateConfig> AUTHENTICATE = Key.typed("authenticate", SECTION, null)
            .absent("no authentication")
            .about("the [authentication](identity.md) of the requests of all listeners; it takes place before any "
                    + "filter and before the route match");
    private static final Key<List<FilterConfig>> AUTHORIZE = Key.typed(
                    "authorize", Form.oneOrList(Form.AUTHORIZER), List.<FilterConfig>of())
            .called(RULES)
            .absent("no rules")
            .about(
                    "the [authorization](identity.md#authorization) of the requests of all routes: a rule, or a list of rules and"
                            + " authorizers, each of which must let the request continue");
    private static final Key<AuthenticateConfig> OF_ROUTE = Key.typed("authenticate", SECTION, null)
            .absent("no authentication")
            .about("the [authentication](identity.md) of the requests of the route; it takes place after the route "
                    + "match, in addition to the authentication of the listener");
    private static final Key<List<FilterConfig>> RULES_OF_ROUTE = Key.typed(
                    "authorize", Form.oneOrList(Form.AUTHORIZER), List.<FilterConfig>of())
            .called(RULES)
            .absent("no rules")
            .about("the [authorization](identity.md#authorization) of the requests of the route, after the "
                    + "authentication of the route: a rule, or a list of rules and authorizers, each of which "
                    + "must let the request continue; it applies in addition to the authorization of the top "
                    + "level");

    static final Keys<AccessConfig> KEYS = Keys.of(AccessConfig::new, AUTHENTICATE, AUTHORIZE);
    static final Keys<AccessConfig> KEYS_OF_ROUTE = Keys.of(AccessConfig::new, OF_ROUTE, RULES_OF_ROUTE);

    /** No authentication and no authorization. */
    public static final AccessConfig NONE = new AccessConfig(null, List.of());

    public AccessConfig {
        authorize = Expect.copy(authorize);
    }

    /** Returns whether neither authentication nor authorization is configured. */
    public boolean isNone() {
        return authenticate == null && authorize.isEmpty();
    }

    /** Returns the authenticators, then the authorizers. */
    Stream<FilterConfig> guards() {
        return Stream.concat(authenticate == null ? Stream.empty() : authenticate.anyOf().stream(), authorize.stream());
    }
}
