package dev.lychgate.identity;

import dev.lychgate.config.ConfigException;
import dev.lychgate.config.Form;
import dev.lychgate.config.Key;
import dev.lychgate.config.Keys;
import java.time.Duration;
import java.util.List;

/**
 * The settings of the authenticator {@code introspection}.
 *
 * @param upstream the name of an upstream, or the origin of a URL that {@code filters.call-outs} lists
 * @param cache the longest time for which a response is reused; 0 = no reuse
 */
record IntrospectionSettings(
        String upstream,
        String path,
        String clientId,
        String clientSecret,
        List<String> audience,
        List<String> requiredClaims,
        List<TokenPlace> from,
        Duration cache,
        Duration timeout) {
    private static final Key<String> UPSTREAM = Key.typed("upstream", Form.CALL_TARGET, "id")
            .required("the name of an upstream, or a URL of filters.call-outs")
            .about("the authorization server: the name of an upstream, or an origin of"
                    + " [`filters.call-outs`](call-outs.md#urls-outside-the-upstreams)");
    private static final Key<String> PATH =
            Key.typed("path", Form.TEXT, "/introspect").about("the path of the introspection endpoint");
    private static final Key<String> CLIENT_ID = Key.text("client-id")
            .required("the name of this gateway at the authorization server")
            .about("the name of this gateway at the authorization server");
    private static final Key<String> CLIENT_SECRET = Key.typed("client-secret", Form.SECRET, "none")
            .required("the password of this gateway")
            .about("the password of this gateway, which is sent by HTTP Basic authentication; may be a"
                    + " [reference to a secret](secrets.md)");
    private static final Key<List<String>> AUDIENCE = Key.typed("audience", Form.oneOrList(Form.TEXT), List.of())
            .absent("any")
            .about("the accepted audiences: a token needs one of them in `aud`");
    private static final Key<List<String>> REQUIRED_CLAIMS = Key.typed(
                    "required-claims", Form.oneOrList(Form.TEXT), List.of())
            .absent("none")
            .about("the claims that a response must have");
    private static final Key<Duration> CACHE = Key.duration("cache", "30s")
            .atMost("5m")
            .about("the time for which the response about a token is reused, at most until the token expires; a"
                    + " revoked token stays accepted during this time; 0 = each request causes a query");
    private static final Key<Duration> TIMEOUT = Key.duration("timeout", "2s")
            .between("10ms", "30s")
            .about("the maximum time to wait for a response; after this time, the request is rejected with 503");

    static final Keys<IntrospectionSettings> KEYS = Keys.of(
            IntrospectionSettings::new,
            UPSTREAM,
            PATH,
            CLIENT_ID,
            CLIENT_SECRET,
            AUDIENCE,
            REQUIRED_CLAIMS,
            JwtSettings.FROM,
            CACHE,
            TIMEOUT);

    IntrospectionSettings {
        audience = List.copyOf(audience);
        requiredClaims = List.copyOf(requiredClaims);
        from = from.stream().map(place -> place.checked("from")).toList();
        if (!path.startsWith("/")) {
            throw new ConfigException("path", path, "a path that begins with /");
        }
        if (from.isEmpty()) {
            throw new ConfigException("from", "[]", "at least one");
        }
    }

    /** Omits the secret. */
    @Override
    public String toString() {
        return "IntrospectionSettings[upstream=" + upstream + ", clientId=" + clientId + "]";
    }
}
