package dev.lychgate.oidc;

import dev.lychgate.filter.AttributeKey;
import dev.lychgate.filter.Authentication;
import dev.lychgate.filter.Authenticator;
import dev.lychgate.filter.BodyNeed;
import dev.lychgate.filter.FilterExchange;
import dev.lychgate.filter.FilterRequest;
import dev.lychgate.http.QueryParameters;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Accepts requests with a session, and performs logins and logouts at one provider. On the event loop, this
 * authenticator only decrypts the session, which takes microseconds. All other work runs on the thread that owns the
 * state of the extension.
 *
 * @see <a href="https://openid.net/specs/openid-connect-core-1_0.html">OpenID Connect Core 1.0</a>
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9700">RFC 9700, Best Current Practice for OAuth 2.0 Security</a>
 */
final class OidcAuthenticator implements Authenticator {
    private static final Logger LOG = LoggerFactory.getLogger(OidcAuthenticator.class);
    /**
     * The maximum number of calls to the provider for one request: the discovery document, the tokens, the keys, and
     * newer keys.
     */
    private static final int MOST_CALLS = 4;
    /**
     * The part of the timeout that is not for requests to the provider, but for work on the thread that owns the state
     * of the extension.
     */
    private static final Duration SLACK = Duration.ofSeconds(2);

    private static final BodyNeed LOGOUT_TOKEN = BodyNeed.whole(TokenRules.LONGEST_LOGOUT + 1_024);

    private final ProviderSettings settings;
    private final Clock clock;
    private final SessionCookies cookies;
    private final Sessions sessions;
    private final Tasks tasks;
    private final Duration timeout;
    /** The paths to which this authenticator responds. */
    private final Set<String> paths;

    private final Logins logins;
    private final Logouts logouts;
    /**
     * The session that another authenticator of this provider has accepted earlier in the exchange. That authenticator
     * has already removed the cookies of the session.
     */
    private final AttributeKey<Session> accepted;

    /** @throws dev.lychgate.config.ConfigException if a setting is refused */
    OidcAuthenticator(ProviderSettings settings, OidcParts parts) {
        Provider provider = parts.provider(settings);
        this.settings = settings;
        this.clock = parts.clock();
        this.cookies =
                new SessionCookies(settings, parts.keys(), parts.settings().sessionCookies());
        this.sessions = new Sessions(settings, parts, provider);
        this.tasks = new Tasks(parts.state(), parts.settings().waiting(), settings.issuer());
        this.paths = Stream.of(
                        settings.callbackPath(),
                        settings.loginPath(),
                        settings.logoutPath(),
                        settings.frontChannelLogout(),
                        settings.backChannelLogout())
                .filter(Objects::nonNull)
                .collect(Collectors.toUnmodifiableSet());
        this.timeout = parts.settings().timeout().multipliedBy(MOST_CALLS).plus(SLACK);
        this.logins = new Logins(settings, parts, provider, sessions, cookies);
        this.logouts = new Logouts(settings, provider, sessions, cookies, tasks);
        this.accepted = AttributeKey.of("oidc session at " + settings.party(), Session.class);
    }

    @Override
    public @Nullable String challenge() {
        return null;
    }

    /**
     * Returns the sum of the timeouts of all calls to the provider, plus {@link #SLACK}. Therefore, if the provider is
     * slow, the timeout of a call expires before the returned timeout.
     */
    @Override
    public Duration timeout() {
        return timeout;
    }

    /**
     * Returns true for the paths of this authenticator, so that no other authenticator of the section handles them.
     * Another authenticator could accept its own session or redirect to its provider, and a login or logout at this
     * provider would not complete.
     */
    @Override
    public boolean isAddressedBy(FilterExchange exchange) {
        return paths.contains(exchange.getRequest().getPath());
    }

    @Override
    public BodyNeed body() {
        return settings.backChannelLogout() == null ? BodyNeed.NONE : LOGOUT_TOKEN;
    }

    @Override
    public boolean needsBody(FilterExchange exchange) {
        FilterRequest request = exchange.getRequest();
        return request.getMethod().equals("POST") && request.getPath().equals(settings.backChannelLogout());
    }

    @Override
    public CompletionStage<Authentication> authenticate(FilterExchange exchange) {
        Session earlier = exchange.get(accepted);
        if (earlier != null) {
            return Tasks.now(Authentication.accepted(earlier.identity()));
        }
        FilterRequest request = exchange.getRequest();
        Visit visit = Visit.of(request);
        cookies.strip(request, visit.cookieNames());
        Session stored = cookies.session(visit.cookies());
        Session session = stored == null || sessions.isEnded(stored) ? null : stored;
        String path = visit.path();
        if (path.equals(settings.callbackPath())) {
            return visit.isGet()
                    ? tasks.later(() -> logins.complete(visit, session))
                    : Tasks.now(Authentication.refused(400, null, "the callback of a login must be a GET request"));
        }
        if (path.equals(settings.loginPath())) {
            return login(visit, session);
        }
        if (path.equals(settings.logoutPath())) {
            return logouts.ofUser(visit, session);
        }
        if (path.equals(settings.frontChannelLogout())) {
            return logouts.frontChannel(visit, stored);
        }
        if (path.equals(settings.backChannelLogout())) {
            return logouts.backChannel(visit, request);
        }
        return page(exchange, visit, session);
    }

    private CompletionStage<Authentication> login(Visit visit, @Nullable Session session) {
        if (!visit.isNavigation()) {
            return Tasks.now(Authentication.refused(400, null, "a login must be a navigation of a browser"));
        }
        List<String> wanted = QueryParameters.of(visit.query(), "return");
        String path = logins.returnPath(wanted.size() == 1 ? wanted.get(0) : null);
        return session != null && !session.isExpired(clock.millis())
                ? Tasks.now(Authentication.respond(Responses.redirect(settings.redirectUri(visit.host()), path)))
                : tasks.later(() -> logins.begin(visit, path));
    }

    private CompletionStage<Authentication> page(FilterExchange exchange, Visit visit, @Nullable Session session) {
        long now = clock.millis();
        if (session != null && session.isDue(now)) {
            return tasks.later(() -> renew(exchange, visit, session));
        }
        if (session != null && !session.isExpired(now)) {
            return Tasks.now(accepted(exchange, session));
        }
        return beginsLogin(visit)
                ? tasks.later(() -> logins.begin(visit, logins.returnPath(visit.target())))
                : Tasks.now(Authentication.absent());
    }

    private boolean beginsLogin(Visit visit) {
        return settings.redirect() && visit.isNavigation();
    }

    private Authentication accepted(FilterExchange exchange, Session session) {
        exchange.set(accepted, session);
        return Authentication.accepted(session.identity());
    }

    private CompletableFuture<Authentication> renew(FilterExchange exchange, Visit visit, Session session) {
        return sessions.renew(session)
                .handle((renewed, failure) -> failure == null
                        ? renewed(exchange, visit, renewed)
                        : notRenewed(exchange, visit, session, ProviderException.of(failure)))
                .thenCompose(result -> result);
    }

    private CompletableFuture<Authentication> renewed(FilterExchange exchange, Visit visit, Session renewed) {
        if (sessions.isEnded(renewed)) {
            return unauthenticated(visit);
        }
        for (String field : cookies.store(renewed, visit.cookieNames())) {
            exchange.addResponseHeader("set-cookie", field);
        }
        // A shared cache must not store the cookie, even if the response of the origin may be stored.
        exchange.addResponseHeader("cache-control", "no-store");
        return CompletableFuture.completedFuture(accepted(exchange, renewed));
    }

    private CompletableFuture<Authentication> notRenewed(
            FilterExchange exchange, Visit visit, Session session, ProviderException failure) {
        if (failure.kind() == ProviderException.Kind.UNAVAILABLE) {
            return session.isExpired(clock.millis())
                    ? CompletableFuture.failedFuture(failure)
                    : CompletableFuture.completedFuture(accepted(exchange, session));
        }
        LOG.info(
                "oidc: a session could not be renewed at {}: {}; the session ends",
                settings.issuer(),
                failure.getMessage());
        sessions.end(session);
        return unauthenticated(visit);
    }

    private CompletableFuture<Authentication> unauthenticated(Visit visit) {
        return beginsLogin(visit)
                ? logins.begin(visit, logins.returnPath(visit.target()))
                : CompletableFuture.completedFuture(Authentication.absent());
    }
}
