package dev.lychgate.oidc;

import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** Begins, renews and ends the sessions at one provider. Only {@link #isEnded} may be called on an event loop. */
final class Sessions {
    private final ProviderSettings settings;
    private final OidcParts parts;
    private final OidcState state;
    private final Provider provider;

    Sessions(ProviderSettings settings, OidcParts parts, Provider provider) {
        this.settings = settings;
        this.parts = parts;
        this.state = parts.state();
        this.provider = provider;
    }

    private long now() {
        return parts.clock().millis();
    }

    /** Returns the session of a completed login, with a new id. */
    Session begin(Provider.Tokens tokens) {
        return session(
                RandomText.of(parts.random()),
                0,
                TokenRules.seconds(tokens.claims(), "iat"),
                now() + settings.sessionLifetime().toMillis(),
                String.valueOf(tokens.idToken()),
                tokens.claims(),
                tokens);
    }

    /**
     * Returns the session with renewed tokens. Concurrent calls for a session share one request to the provider. The
     * future fails with a {@link ProviderException}.
     */
    CompletableFuture<Session> renew(Session session) {
        return state.renewals()
                .of(session, now(), () -> provider.renew(session).thenApply(tokens -> renewed(session, tokens)));
    }

    private Session renewed(Session session, Provider.Tokens tokens) {
        Provider.Tokens complete = tokens.refreshToken() != null
                ? tokens
                : new Provider.Tokens(tokens.idToken(), tokens.claims(), session.refreshToken(), tokens.lifetime());
        String idToken = tokens.idToken();
        return session(
                session.id(),
                session.renewals() + 1,
                session.begun(),
                session.ends(),
                idToken == null ? session.idToken() : idToken,
                idToken == null ? session.claims() : tokens.claims(),
                complete);
    }

    private Session session(
            String id,
            long renewals,
            long begun,
            long ends,
            String idToken,
            Map<String, Object> claims,
            Provider.Tokens tokens) {
        long lifetime = tokens.lifetime() * 1_000;
        long expires = Math.min(ends, now() + lifetime);
        // The time before the expiry is at most half of the lifetime. Otherwise, each request would renew a session
        // with short-lived tokens.
        long renewAt = expires - Math.min(settings.renewBefore().toMillis(), lifetime / 2);
        return new Session(id, renewals, begun, renewAt, expires, ends, idToken, tokens.refreshToken(), claims);
    }

    /** Returns whether a logout has ended a session. Does not block. */
    boolean isEnded(Session session) {
        EndedSessions ended = state.ended();
        EndedSessions front = state.frontChannel();
        if (ended.isEmpty() && front.isEmpty()) {
            return false;
        }
        String party = settings.party();
        long begun = session.begun();
        String sid = session.text("sid");
        String atProvider = sid == null ? null : EndedSessions.ofProviderSession(party, sid);
        String subject = session.text("sub");
        return ended.contains(EndedSessions.ofSession(session.id()), begun)
                || ended.contains(atProvider, begun)
                || front.contains(atProvider, begun)
                || (subject != null && ended.contains(EndedSessions.ofSubject(party, subject), begun));
    }

    /** Ends one session. */
    void end(Session session) {
        state.ended().add(EndedSessions.ofSession(session.id()), Long.MAX_VALUE, session.ends(), now());
    }

    /** Ends the sessions that a logout token names. */
    void end(TokenRules.Logout logout) {
        long now = now();
        String ended = logout.session() != null
                ? EndedSessions.ofProviderSession(settings.party(), logout.session())
                : EndedSessions.ofSubject(settings.party(), String.valueOf(logout.subject()));
        state.ended()
                .add(ended, logout.issued(), now + settings.sessionLifetime().toMillis(), now);
    }

    /**
     * Ends the sessions that have begun in a session at the provider.
     *
     * @param sid the id of the provider's session
     */
    void endByFrontChannel(String sid) {
        long now = now();
        long begunUntil = now / 1_000 + settings.clockSkew().toSeconds();
        long until = now + settings.sessionLifetime().toMillis();
        state.frontChannel().add(EndedSessions.ofProviderSession(settings.party(), sid), begunUntil, until, now);
    }
}
