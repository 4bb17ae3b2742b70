package dev.lychgate.identity;

import dev.lychgate.extension.ContributedAuthenticator;
import dev.lychgate.filter.Authentication;
import dev.lychgate.filter.Authenticator;
import dev.lychgate.filter.FilterExchange;
import dev.lychgate.filter.Headers;
import dev.lychgate.filter.Identity;
import java.time.Clock;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/**
 * Accepts requests with a user name and a password. On the event loop, this authenticator only decodes the credentials
 * and looks up their stored verdict. Separate threads compute hashes of passwords.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc7617">RFC 7617 The 'Basic' HTTP Authentication Scheme</a>
 */
final class BasicAuthenticator implements Authenticator, AutoCloseable {
    private static final String FIELD = "authorization";
    private static final String SCHEME = "basic";
    private static final String REFUSAL = "the credentials are not accepted";

    private final boolean forward;
    private final String challenge;
    private final Passwords passwords;
    private final Executor threads;
    private final VerifiedPasswords verified;
    private final KeyDigest.Secret secret = new KeyDigest.Secret();
    private final Clock clock;

    /**
     * Creates an authenticator.
     *
     * @param threads throws {@link RejectedExecutionException} if too many verifications wait
     */
    BasicAuthenticator(BasicSettings settings, Passwords passwords, Executor threads, Clock clock) {
        this.forward = settings.forward();
        this.challenge = "Basic realm=\"" + settings.realm() + "\", charset=\"UTF-8\"";
        this.passwords = passwords;
        this.threads = threads;
        this.verified = new VerifiedPasswords(settings.remember());
        this.clock = clock;
    }

    /**
     * Creates an authenticator with separate threads, and reads the file of users.
     *
     * @throws dev.lychgate.config.ConfigException if the file of users cannot be used
     */
    static BasicAuthenticator of(BasicSettings settings, Clock clock) {
        long memory = Runtime.getRuntime().maxMemory() / 4 / settings.threads();
        Passwords passwords = Passwords.read(settings.file(), memory);
        return new BasicAuthenticator(
                settings, passwords, new PasswordThreads(settings.threads(), settings.queue()), clock);
    }

    /** Returns the declaration of this authenticator for the configuration. */
    static ContributedAuthenticator<VerifierThreads, ?> contributed() {
        return new ContributedAuthenticator<>(
                "basic",
                "accepts user names and passwords in `Authorization: Basic` by their hashes in a file",
                BasicSettings.KEYS,
                (threads, settings, name) -> BasicAuthenticator.of(settings, Clock.systemUTC()));
    }

    @Override
    public String challenge() {
        return challenge;
    }

    @Override
    public CompletionStage<Authentication> authenticate(FilterExchange exchange) {
        Headers headers = exchange.getRequest().getHeaders();
        List<String> fields = headers.getAll(FIELD);
        if (fields.stream().noneMatch(BasicAuthenticator::isBasic)) {
            return now(Authentication.absent());
        }
        if (fields.size() > 1) {
            return now(Authentication.refused(400, challenge, "the request has several Authorization fields"));
        }
        BasicCredentials.Parsed parsed = BasicCredentials.parse(token(fields.get(0)), secret);
        BasicCredentials credentials = parsed.credentials();
        if (credentials == null) {
            return now(Authentication.refused(parsed.status(), challenge, parsed.refusal()));
        }
        if (!forward) {
            headers.remove(FIELD);
        }
        Identity known = verified.find(credentials.digest(), clock.millis());
        return known == null ? later(credentials) : now(Authentication.accepted(known));
    }

    /** Returns whether the scheme of a field is Basic, regardless of upper and lower case. */
    private static boolean isBasic(String field) {
        return field.regionMatches(true, 0, SCHEME, 0, SCHEME.length())
                && (field.length() == SCHEME.length() || field.charAt(SCHEME.length()) == ' ');
    }

    /** Returns the text after the scheme and the blanks. */
    private static String token(String field) {
        int begin = SCHEME.length();
        while (begin < field.length() && field.charAt(begin) == ' ') {
            begin++;
        }
        return field.substring(begin);
    }

    private CompletionStage<Authentication> later(BasicCredentials credentials) {
        CompletableFuture<Authentication> result = new CompletableFuture<>();
        try {
            threads.execute(() -> {
                // The result is already done if the client has disconnected.
                if (!result.isDone()) {
                    try {
                        result.complete(verify(credentials));
                    } catch (Throwable e) {
                        result.completeExceptionally(e);
                    }
                }
            });
        } catch (RejectedExecutionException e) {
            return now(Authentication.refused(503, null, "too many passwords wait for verification"));
        }
        return result;
    }

    private Authentication verify(BasicCredentials credentials) {
        // A browser sends many requests at once. While this request waited, another request with the same credentials
        // may have been verified.
        Identity known = verified.find(credentials.digest(), clock.millis());
        if (known != null) {
            return Authentication.accepted(known);
        }
        Identity identity = passwords.verify(credentials.name(), credentials.password());
        if (identity == null) {
            return Authentication.refused(401, challenge, REFUSAL);
        }
        verified.add(credentials.digest(), identity, clock.millis());
        return Authentication.accepted(identity);
    }

    /** Ends the threads, if this authenticator owns them. */
    @Override
    public void close() {
        if (threads instanceof PasswordThreads own) {
            own.close();
        }
    }

    private static CompletionStage<Authentication> now(Authentication result) {
        return CompletableFuture.completedFuture(result);
    }
}
