package dev.lychgate.oidc;

import dev.lychgate.filter.Authentication;
import dev.lychgate.filter.FilterOutcome;
import dev.lychgate.filter.FilterRequest;
import dev.lychgate.http.QueryParameters;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends sessions. If a user logs out here, the browser is redirected to the logout of the provider. If a user logs out
 * elsewhere, the provider reports this to the gateway. Called on event loops.
 *
 * @see <a href="https://openid.net/specs/openid-connect-rpinitiated-1_0.html">OpenID Connect RP-Initiated Logout
 *     1.0</a>
 * @see <a href="https://openid.net/specs/openid-connect-frontchannel-1_0.html">OpenID Connect Front-Channel Logout
 *     1.0</a>
 * @see <a href="https://openid.net/specs/openid-connect-backchannel-1_0.html">OpenID Connect Back-Channel Logout
 *     1.0</a>
 */
final class Logouts {
    private static final Logger LOG = LoggerFactory.getLogger(Logouts.class);

    private static final String FORM = "application/x-www-form-urlencoded";

    private final ProviderSettings settings;
    private final Provider provider;
    private final Sessions sessions;
    private final SessionCookies cookies;
    private final Tasks tasks;
    private final Set<String> origins;

    Logouts(ProviderSettings settings, Provider provider, Sessions sessions, SessionCookies cookies, Tasks tasks) {
        this.settings = settings;
        this.provider = provider;
        this.sessions = sessions;
        this.cookies = cookies;
        this.tasks = tasks;
        this.origins =
                settings.redirectUris().stream().map(RedirectUri::origin).collect(Collectors.toUnmodifiableSet());
    }

    /**
     * Ends the session of the browser, and redirects the browser to the logout of the provider.
     *
     * @param session the session of the browser; null if the browser has no session
     */
    CompletionStage<Authentication> ofUser(Visit visit, @Nullable Session session) {
        if (!visit.isGet() && !visit.isPost()) {
            return Tasks.now(Authentication.respond(Responses.text(405, "a logout must be a GET or POST request")
                    .header("allow", "GET, POST")));
        }
        if (visit.isForeign(origins)) {
            return Tasks.now(Authentication.refused(403, null, "a logout must begin at this site"));
        }
        if (visit.isGet() && visit.isPartOfPage()) {
            // Without this check, an image in a text of another user could end the session of each reader.
            return Tasks.now(
                    Authentication.refused(403, null, "a logout must be a navigation or the submission of a form"));
        }
        if (session == null) {
            return Tasks.now(Authentication.respond(loggedOut(visit)));
        }
        return tasks.later(() -> {
            sessions.end(session);
            return provider.metadata().handle((metadata, failure) -> {
                URI endpoint = failure == null ? metadata.endSession() : null;
                return Authentication.respond(
                        endpoint == null ? loggedOut(visit) : atProvider(visit, session, endpoint));
            });
        });
    }

    private FilterOutcome.Respond loggedOut(Visit visit) {
        String after = settings.afterLogout();
        return Responses.setCookies(
                Responses.redirect(settings.redirectUri(visit.host()), after == null ? ReturnPath.HOME : after),
                cookies.remove(visit.cookieNames()));
    }

    private FilterOutcome.Respond atProvider(Visit visit, Session session, URI endpoint) {
        Map<String, String> parameters = new LinkedHashMap<>();
        parameters.put("id_token_hint", session.idToken());
        parameters.put("client_id", settings.clientId());
        if (settings.afterLogout() != null) {
            parameters.put(
                    "post_logout_redirect_uri",
                    settings.redirectUri(visit.host()).origin() + settings.afterLogout());
        }
        return Responses.setCookies(
                Responses.uncached(FilterOutcome.redirect(303, ProviderMetadata.with(endpoint, parameters))),
                cookies.remove(visit.cookieNames()));
    }

    /**
     * Ends the sessions that belong to a session at the provider. Only the provider knows the id of its session, so no
     * other site can end sessions in this way.
     *
     * @param stored the session of the browser; null if the browser sends none, because the request comes from a
     *     page of another site
     */
    CompletionStage<Authentication> frontChannel(Visit visit, @Nullable Session stored) {
        Map<String, List<String>> parameters = QueryParameters.all(visit.query());
        String sid = Logins.only(parameters, "sid");
        if (!visit.isGet()
                || sid == null
                || sid.isEmpty()
                || !settings.issuer().equals(Logins.only(parameters, "iss"))) {
            return Tasks.now(Authentication.refused(
                    400,
                    null,
                    "a front-channel logout must be a GET request with the parameters iss and sid of the provider"));
        }
        return tasks.laterUnauthenticated(() -> {
            sessions.endByFrontChannel(sid);
            FilterOutcome.Respond response = Responses.text(200, "logged out");
            if (stored != null && sid.equals(stored.text("sid"))) {
                Responses.setCookies(response, cookies.remove(visit.cookieNames()));
            }
            return CompletableFuture.completedFuture(Authentication.respond(response));
        });
    }

    /**
     * Ends the sessions that a logout token of the provider names. Any client can send a token. Therefore, the event
     * loop first refuses tokens that would not be acceptable even with a valid signature. Only a few of the remaining
     * tokens are verified at the same time.
     */
    CompletionStage<Authentication> backChannel(Visit visit, FilterRequest request) {
        boolean isForm = visit.isPost() && FORM.equals(request.getMediaType());
        List<String> tokens = isForm ? request.getForm().getOrDefault("logout_token", List.of()) : List.of();
        if (tokens.size() != 1) {
            return Tasks.now(refused("a back-channel logout must be a POST request with one logout_token"));
        }
        TokenRules.UnverifiedLogout read;
        try {
            read = provider.rules().readLogout(tokens.get(0));
        } catch (ProviderException e) {
            return Tasks.now(refused(e));
        }
        return tasks.laterUnauthenticated(() -> provider.verify(read).handle((logout, failure) -> {
            if (failure == null) {
                sessions.end(logout);
                return Authentication.respond(Responses.uncached(FilterOutcome.respond(200)));
            }
            ProviderException problem = ProviderException.of(failure);
            if (problem.kind() == ProviderException.Kind.UNAVAILABLE) {
                throw problem;
            }
            return refused(problem);
        }));
    }

    private Authentication refused(ProviderException problem) {
        LOG.debug(
                "oidc: a logout token for {} was refused: {}; no session ends",
                settings.issuer(),
                problem.getMessage());
        return refused(String.valueOf(problem.getMessage()));
    }

    private static Authentication refused(String reason) {
        return Authentication.respond(Responses.uncached(FilterOutcome.respond(400)
                .json("{\"error\":\"invalid_request\",\"error_description\":\"" + reason + "\"}\n")));
    }
}
