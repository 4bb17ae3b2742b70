package dev.lychgate.oidc;

import dev.lychgate.config.ConfigException;
import dev.lychgate.config.Form;
import dev.lychgate.config.Key;
import dev.lychgate.config.Keys;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.Collections;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The settings of the authenticator {@code oidc}: a provider, and the client that is registered there.
 *
 * @param clientSecret null for a client without a secret
 * @param clientKey null for a client without a key
 * @param redirectUris the redirect URIs, not empty
 * @param cookie null for a name that is derived from issuer and client
 * @param loginPath null if no path begins a login
 * @param logoutPath null if no path ends the session
 * @param afterLogout null if the setting is absent
 * @param frontChannelLogout null if front-channel logouts are not accepted
 * @param backChannelLogout null if back-channel logouts are not accepted
 */
record ProviderSettings(
        String issuer,
        String clientId,
        @Nullable String clientSecret,
        SecretMethod clientAuthentication,
        @Nullable String clientKey,
        List<RedirectUri> redirectUris,
        List<String> scopes,
        Map<String, String> parameters,
        List<String> algorithms,
        Duration clockSkew,
        @Nullable String cookie,
        Duration loginTimeout,
        Duration sessionLifetime,
        Duration renewBefore,
        boolean redirect,
        @Nullable String loginPath,
        @Nullable String logoutPath,
        @Nullable String afterLogout,
        @Nullable String frontChannelLogout,
        @Nullable String backChannelLogout) {
    static final String PATH = "(/[A-Za-z0-9._~-]+)+";

    /** The way in which a client sends its secret. */
    enum SecretMethod {
        /** The secret is in the header {@code Authorization}. */
        BASIC,
        /** The secret is in the body of the request. */
        POST
    }

    private static final Form<String> ALGORITHM = Form.words(
            List.of(
                    "RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA",
                    "Ed25519"),
            Function.identity());
    /**
     * The parameters of an authorization request that the settings must not contain. The gateway itself sets these
     * parameters, or it would not verify their effect.
     */
    private static final Set<String> RESERVED = Set.of(
            "response_type",
            "response_mode",
            "client_id",
            "redirect_uri",
            "scope",
            "state",
            "nonce",
            "code_challenge",
            "code_challenge_method",
            "request",
            "request_uri",
            "max_age");

    private static final Key<String> ISSUER = Key.text("issuer")
            .required("the issuer of the provider")
            .about("the issuer, exactly as in the discovery document and the ID tokens");
    private static final Key<String> CLIENT_ID = Key.text("client-id")
            .required("the id of the client")
            .about("the id under which the gateway is registered at the provider");
    private static final Key<String> CLIENT_SECRET = Key.typed("client-secret", Form.SECRET, null)
            .absent("none")
            .about("the secret of the client, as a [reference](secrets.md)");
    private static final Key<SecretMethod> CLIENT_AUTHENTICATION = Key.choice(
                    "client-authentication", SecretMethod.BASIC)
            .about("the method by which the secret is sent: `basic` = `client_secret_basic`, `post` = "
                    + "`client_secret_post`");
    private static final Key<String> CLIENT_KEY = Key.file("client-key")
            .absent("none")
            .about(
                    "the file with the private key of the client, an RSA or EC key as a JWK; the client then authenticates with"
                            + " `private_key_jwt`, without a secret");
    private static final Key<List<String>> REDIRECT_URIS = Key.typed(
                    "redirect-uri", Form.oneOrList(Form.TEXT), List.of("https://app.example.com/oidc/callback"))
            .required("a redirect URI that is registered at the provider")
            .about("the redirect URI, whose path must reach this authenticator; from a list, the URI with the host"
                    + " of the request is used, or else the first URI");
    private static final Key<List<String>> SCOPES = Key.typed("scopes", Form.oneOrList(Form.TEXT), List.of("openid"))
            .about("the requested scopes, which must include `openid`");
    private static final Key<Map<String, String>> PARAMETERS =
            Key.texts("parameters", "name").about("further parameters of the authorization request, such as `prompt`");
    private static final Key<List<String>> ALGORITHMS = Key.typed(
                    "algorithms", Form.oneOrList(ALGORITHM), List.of("RS256", "PS256", "ES256"))
            .called("algorithm or list of algorithms")
            .about("the accepted algorithms of signatures: `RS256`, `PS256` or `ES256`, each also with 384 or 512, and"
                    + " `EdDSA` or `Ed25519`, both with keys of the curve Ed25519");
    private static final Key<Duration> CLOCK_SKEW =
            Key.duration("clock-skew", "30s").atMost("5m").about("the tolerance for the times of tokens");
    private static final Key<String> COOKIE = Key.typed("cookie", Form.COOKIE_NAME, null)
            .absent("`oidc-` and 8 hexadecimal digits")
            .about(
                    "the name of the session cookie, without the prefix `__Host-`; the default depends on issuer and client, so"
                            + " that several providers do not share a cookie");
    private static final Key<Duration> LOGIN_TIMEOUT = Key.duration("login-timeout", "10m")
            .between("1s", "1h")
            .about("the maximum time from the start of a login to its completion");
    private static final Key<Duration> SESSION_LIFETIME = Key.duration("session-lifetime", "8h")
            .between("1s", "720h")
            .about("the time after the login at which a session ends, even if its tokens could be renewed");
    private static final Key<Duration> RENEW_BEFORE = Key.duration("renew-before", "1m")
            .atMost("1h")
            .about("the time before the tokens expire at which they are renewed");
    private static final Key<Boolean> REDIRECT = Key.flag("redirect", true)
            .about(
                    "whether a navigation without a session is redirected to the provider; with `false`, it is rejected with 401,"
                            + " and a login begins at `login-path`");
    private static final Key<String> LOGIN_PATH = path("login-path")
            .about(
                    "the path that begins a login; its parameter `return` is the path to which the browser then returns");
    private static final Key<String> LOGOUT_PATH =
            path("logout-path").about("the path that ends the session, at the gateway and at the provider");
    private static final Key<String> AFTER_LOGOUT = Key.text("after-logout")
            .matching("/|" + PATH, "a path, such as /goodbye")
            .absent("the provider's page, or `/`")
            .about(
                    "the path to which the browser returns after the logout; its URL must be registered at the provider");
    private static final Key<String> FRONT_CHANNEL_LOGOUT = path("front-channel-logout-path")
            .about("the path for [front-channel logout](#logout), which the provider loads in the browser");
    private static final Key<String> BACK_CHANNEL_LOGOUT = path("back-channel-logout-path")
            .about("the path for [back-channel logout](#logout), to which the provider posts logout tokens");

    private static Key<String> path(String name) {
        return Key.text(name).matching(PATH, "a path, such as /oidc/" + name).absent("none");
    }

    static final Keys<ProviderSettings> KEYS = Keys.reading(
            ProviderSettings::read,
            ISSUER,
            CLIENT_ID,
            CLIENT_SECRET,
            CLIENT_AUTHENTICATION,
            CLIENT_KEY,
            REDIRECT_URIS,
            SCOPES,
            PARAMETERS,
            ALGORITHMS,
            CLOCK_SKEW,
            COOKIE,
            LOGIN_TIMEOUT,
            SESSION_LIFETIME,
            RENEW_BEFORE,
            REDIRECT,
            LOGIN_PATH,
            LOGOUT_PATH,
            AFTER_LOGOUT,
            FRONT_CHANNEL_LOGOUT,
            BACK_CHANNEL_LOGOUT);

    private static ProviderSettings read(Key.Values values) {
        return new ProviderSettings(
                values.get(ISSUER),
                values.get(CLIENT_ID),
                values.get(CLIENT_SECRET),
                values.get(CLIENT_AUTHENTICATION),
                values.get(CLIENT_KEY),
                values.get(REDIRECT_URIS).stream().map(RedirectUri::of).toList(),
                values.get(SCOPES),
                values.get(PARAMETERS),
                values.get(ALGORITHMS),
                values.get(CLOCK_SKEW),
                values.get(COOKIE),
                values.get(LOGIN_TIMEOUT),
                values.get(SESSION_LIFETIME),
                values.get(RENEW_BEFORE),
                values.get(REDIRECT),
                values.get(LOGIN_PATH),
                values.get(LOGOUT_PATH),
                values.get(AFTER_LOGOUT),
                values.get(FRONT_CHANNEL_LOGOUT),
                values.get(BACK_CHANNEL_LOGOUT));
    }

    ProviderSettings {
        redirectUris = List.copyOf(redirectUris);
        scopes = List.copyOf(scopes);
        parameters = Collections.unmodifiableMap(new LinkedHashMap<>(parameters));
        algorithms = List.copyOf(algorithms);
        requireIssuer(issuer);
        require(clientSecret == null || clientKey == null, "client-key", "a key", "client-secret or client-key");
        require(!redirectUris.isEmpty(), "redirect-uri", "[]", "at least one redirect URI");
        require(
                redirectUris.stream().map(RedirectUri::path).distinct().count() == 1
                        && redirectUris.stream()
                                        .map(RedirectUri::isSecure)
                                        .distinct()
                                        .count()
                                == 1,
                "redirect-uri",
                redirectUris.stream().map(RedirectUri::text).toList(),
                "redirect URIs that differ only in their hosts");
        require(scopes.contains("openid"), "scopes", scopes, "openid among the scopes");
        require(!algorithms.isEmpty(), "algorithms", "[]", "at least one algorithm");
        parameters
                .keySet()
                .forEach(name -> require(
                        !RESERVED.contains(name),
                        "parameters",
                        name,
                        "a parameter that the gateway does not set itself"));
        require(redirect || loginPath != null, "redirect", "false", "login-path, or redirect: true");
        Set<String> used = new HashSet<>(Set.of(redirectUris.get(0).path()));
        Map<String, String> paths = new LinkedHashMap<>();
        put(paths, "login-path", loginPath);
        put(paths, "logout-path", logoutPath);
        put(paths, "front-channel-logout-path", frontChannelLogout);
        put(paths, "back-channel-logout-path", backChannelLogout);
        paths.forEach((key, path) ->
                require(used.add(path), key, path, "a path that neither redirect-uri nor another key has"));
    }

    private static void put(Map<String, String> paths, String key, @Nullable String path) {
        if (path != null) {
            paths.put(key, path);
        }
    }

    private static void require(boolean condition, String key, Object value, String expected) {
        if (!condition) {
            throw new ConfigException(key, value, expected);
        }
    }

    private static void requireIssuer(String issuer) {
        boolean safe = false;
        try {
            URI uri = new URI(issuer);
            boolean local = "http".equals(uri.getScheme())
                    && Stream.of("localhost", "127.0.0.1", "[::1]").anyMatch(host -> host.equals(uri.getHost()));
            safe = ("https".equals(uri.getScheme()) || local)
                    && uri.getHost() != null
                    && uri.getRawUserInfo() == null
                    && uri.getRawQuery() == null
                    && uri.getRawFragment() == null;
        } catch (URISyntaxException e) {
            // Refused below.
        }
        require(safe, "issuer", issuer, "an https URL without query, such as https://id.example.com");
    }

    /**
     * Returns the name of the provider together with the name of the client. Cookies and ended sessions are bound to
     * this name.
     */
    String party() {
        return issuer + "\n" + clientId;
    }

    /** Returns the name of the session cookie, without its prefix. */
    String cookieBase() {
        return cookie != null ? cookie : "oidc-" + HexFormat.of().formatHex(LoginState.sha256(party()), 0, 4);
    }

    boolean isSecure() {
        return redirectUris.get(0).isSecure();
    }

    String callbackPath() {
        return redirectUris.get(0).path();
    }

    /** Returns the redirect URI for the host of a request; the first redirect URI if no URI has this host. */
    RedirectUri redirectUri(String host) {
        return redirectUris.stream().filter(uri -> uri.isOf(host)).findFirst().orElse(redirectUris.get(0));
    }

    /** Omits the secret. */
    @Override
    public String toString() {
        return "ProviderSettings[issuer=" + issuer + ", clientId=" + clientId + "]";
    }
}
