package dev.lychgate.oidc;

import dev.lychgate.filter.Authentication;
import dev.lychgate.filter.FilterOutcome;
import dev.lychgate.http.QueryParameters;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Begins and completes logins with the authorization code flow and PKCE. Runs on the thread that owns the state of the
 * extension; the returned futures fail with a {@link ProviderException}.
 *
 * @see <a href="https://openid.net/specs/openid-connect-core-1_0.html#CodeFlowAuth">OpenID Connect Core 1.0, 3.1</a>
 */
final class Logins {
    private static final Logger LOG = LoggerFactory.getLogger(Logins.class);

    private final ProviderSettings settings;
    private final OidcParts parts;
    private final Provider provider;
    private final Sessions sessions;
    private final SessionCookies cookies;

    Logins(ProviderSettings settings, OidcParts parts, Provider provider, Sessions sessions, SessionCookies cookies) {
        this.settings = settings;
        this.parts = parts;
        this.provider = provider;
        this.sessions = sessions;
        this.cookies = cookies;
    }

    /**
     * Returns a path to which a redirect is safe. Replaces paths of this authenticator with {@code /}, because they
     * would repeat a login or log the user out.
     */
    String returnPath(@Nullable String target) {
        String safe = ReturnPath.safe(target);
        String path = safe.split("[?#]", 2)[0];
        boolean own = Stream.of(settings.callbackPath(), settings.loginPath(), settings.logoutPath())
                .anyMatch(path::equals);
        return own ? ReturnPath.HOME : safe;
    }

    /**
     * Redirects the browser to the provider.
     *
     * @param returnPath a {@linkplain #returnPath safe path}
     */
    CompletableFuture<Authentication> begin(Visit visit, String returnPath) {
        return provider.metadata().thenApply(metadata -> {
            RedirectUri uri = settings.redirectUri(visit.host());
            LoginState login = new LoginState(
                    RandomText.of(parts.random()),
                    RandomText.of(parts.random()),
                    RandomText.of(parts.random()),
                    returnPath,
                    uri.text(),
                    parts.clock().millis() + settings.loginTimeout().toMillis());
            FilterOutcome.Respond response = Responses.uncached(
                    FilterOutcome.redirect(302, ProviderMetadata.with(metadata.authorization(), parameters(login))));
            Responses.setCookies(response, cookies.removeManyLogins(visit.cookieNames()));
            Responses.setCookies(response, cookies.remove(visit.cookieNames()));
            Responses.setCookies(
                    response,
                    List.of(cookies.store(login, settings.loginTimeout().toSeconds())));
            return Authentication.respond(response);
        });
    }

    private Map<String, String> parameters(LoginState login) {
        Map<String, String> parameters = new LinkedHashMap<>(settings.parameters());
        parameters.put("response_type", "code");
        parameters.put("client_id", settings.clientId());
        parameters.put("redirect_uri", login.redirectUri());
        parameters.put("scope", String.join(" ", settings.scopes()));
        parameters.put("state", login.state());
        parameters.put("nonce", login.nonce());
        parameters.put("code_challenge", login.challenge());
        parameters.put("code_challenge_method", "S256");
        return parameters;
    }

    /**
     * Processes the response of the provider.
     *
     * @param session the session that the browser already has; null if the browser has no session
     */
    CompletableFuture<Authentication> complete(Visit visit, @Nullable Session session) {
        Map<String, List<String>> parameters = QueryParameters.all(visit.query());
        String state = only(parameters, "state");
        if (state == null || Stream.of("code", "error", "iss").anyMatch(name -> isRepeated(parameters, name))) {
            return failed(400, "the response of the identity provider is malformed", null);
        }
        LoginState login = cookies.login(state, visit.cookies());
        if (login == null) {
            // The login is complete: the browser repeats its last redirect.
            return session != null
                    ? CompletableFuture.completedFuture(Authentication.respond(
                            Responses.redirect(settings.redirectUri(visit.host()), ReturnPath.HOME)))
                    : failed(400, "this browser has not begun this login, or the login has expired", null);
        }
        long now = parts.clock().millis();
        if (now >= login.until()) {
            return failed(400, "the login has expired", login);
        }
        if (!parts.state().complete(login, now)) {
            return failed(400, "the login was already completed", login);
        }
        return provider.metadata().thenCompose(metadata -> {
            // Without this check, a malicious provider could obtain the authorization code of another provider.
            String issuer = only(parameters, "iss");
            return (issuer == null ? metadata.statesIssuer() : !issuer.equals(settings.issuer()))
                    ? failed(400, "the response does not come from the identity provider of this login", login)
                    : redeem(visit, parameters, login);
        });
    }

    static @Nullable String only(Map<String, List<String>> parameters, String name) {
        List<String> values = parameters.getOrDefault(name, List.of());
        return values.size() == 1 ? values.get(0) : null;
    }

    private static boolean isRepeated(Map<String, List<String>> parameters, String name) {
        return parameters.getOrDefault(name, List.of()).size() > 1;
    }

    private CompletableFuture<Authentication> redeem(
            Visit visit, Map<String, List<String>> parameters, LoginState login) {
        String error = only(parameters, "error");
        if (error != null) {
            String code = Provider.errorCode(error);
            int status = code.equals("access_denied") ? 403 : 400;
            return failed(status, "the identity provider refused the login: " + code, login);
        }
        String code = only(parameters, "code");
        if (code == null || code.isEmpty()) {
            return failed(400, "the response of the identity provider has no code", login);
        }
        return provider.redeem(code, login).thenApply(tokens -> {
            FilterOutcome.Respond response =
                    Responses.redirect(RedirectUri.of(login.redirectUri()), login.returnPath());
            Responses.setCookies(response, cookies.store(sessions.begin(tokens), visit.cookieNames()));
            Responses.setCookies(response, List.of(cookies.removeLogin(login.state())));
            return Authentication.respond(response);
        });
    }

    /**
     * Returns a response for a login that failed.
     *
     * @param login the login whose cookie is removed; null if the login is unknown
     */
    private CompletableFuture<Authentication> failed(int status, String reason, @Nullable LoginState login) {
        FilterOutcome.Respond response = Responses.text(status, reason);
        // A line is logged only if the browser has begun a login, so that other clients cannot flood the log.
        if (login != null) {
            LOG.info("oidc: login at {} failed: {}; the browser gets status {}", settings.issuer(), reason, status);
            Responses.setCookies(response, List.of(cookies.removeLogin(login.state())));
        }
        return CompletableFuture.completedFuture(Authentication.respond(response));
    }
}
