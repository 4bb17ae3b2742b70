package dev.lychgate.oidc;

import dev.lychgate.filter.FilterRequest;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The cookies of one provider: its sessions, and its unfinished logins. Immutable and thread-safe. */
final class SessionCookies {
    /** The maximum number of unfinished logins of one browser, for example in several tabs. */
    private static final int MOST_LOGINS = 5;

    private static final String LOGIN = ".login.";

    private final SplitCookie cookie;
    private final SealingKeys keys;
    private final String purpose;

    SessionCookies(ProviderSettings settings, SealingKeys keys, int most) {
        this.cookie = SplitCookie.of(settings.cookieBase(), settings.isSecure(), most);
        this.keys = keys;
        this.purpose = "\n" + cookie.name() + "\n" + settings.party();
    }

    /** Removes these cookies from a request, so that origins do not receive them. */
    void strip(FilterRequest request, Set<String> names) {
        for (String name : names) {
            if (cookie.owns(name)) {
                request.removeCookie(name);
            }
        }
    }

    /** Returns the session in the cookies of a request; null if there is none, or it was altered. */
    @Nullable
    Session session(Map<String, String> cookies) {
        String sealed = cookie.read(cookies);
        byte[] content = sealed == null ? null : keys.open("session" + purpose, sealed);
        return content == null ? null : Session.decode(content);
    }

    /**
     * Returns the {@code Set-Cookie} fields of a session. Must not be called on an event loop.
     *
     * @param present the names of the cookies of the request
     * @throws ProviderException if the session is too large
     */
    List<String> store(Session session, Set<String> present) {
        String sealed = keys.seal("session" + purpose, session.encode());
        if (!cookie.fits(sealed)) {
            throw ProviderException.invalid("the session has " + sealed.length() + " characters, more than "
                    + cookie.most() + " cookies can store (key session-cookies)");
        }
        return cookie.write(sealed, present);
    }

    /** Returns the {@code Set-Cookie} fields that remove the session of a request. */
    List<String> remove(Set<String> present) {
        return cookie.remove(present);
    }

    /** Returns the login that the browser began with this state; null if no cookie contains such a login, or if the
     * cookie was altered. */
    @Nullable
    LoginState login(String state, Map<String, String> cookies) {
        String sealed = cookies.get(cookie.name() + LoginState.suffix(state));
        byte[] content = sealed == null ? null : keys.open("login" + purpose, sealed);
        LoginState login = content == null ? null : LoginState.decode(content);
        return login != null && login.state().equals(state) ? login : null;
    }

    /**
     * Returns a {@code Set-Cookie} field of a login. Must not be called on an event loop.
     *
     * @param seconds the time until it expires
     */
    String store(LoginState login, long seconds) {
        return cookie.single(LoginState.suffix(login.state()), keys.seal("login" + purpose, login.encode()), seconds);
    }

    /** Returns the {@code Set-Cookie} field that removes a login. */
    String removeLogin(String state) {
        return cookie.removal(cookie.name() + LoginState.suffix(state));
    }

    /**
     * Returns the {@code Set-Cookie} fields that remove the unfinished logins of a browser if there are too many,
     * because their cookies make requests longer.
     */
    List<String> removeManyLogins(Set<String> present) {
        List<String> logins = present.stream()
                .filter(name -> name.startsWith(cookie.name() + LOGIN))
                .toList();
        return logins.size() < MOST_LOGINS
                ? List.of()
                : logins.stream().map(cookie::removal).toList();
    }
}
