package dev.lychgate.oidc;

import java.util.concurrent.CompletionException;

/** A login, a renewal or a logout failed. The message contains no tokens, and is safe for logs and responses. */
final class ProviderException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** The cause of a failure. */
    enum Kind {
        /** The provider did not respond, or its response was unusable. A later attempt may succeed. */
        UNAVAILABLE,
        /** The provider refused the request, for example because a refresh token was revoked. */
        REFUSED,
        /** A token was not accepted. */
        INVALID,
        /** The current keys of the provider do not verify the token. Newer keys may verify it. */
        UNVERIFIED
    }

    private final Kind kind;

    ProviderException(Kind kind, String message) {
        super(message, null, false, false);
        this.kind = kind;
    }

    Kind kind() {
        return kind;
    }

    static ProviderException unavailable(String message) {
        return new ProviderException(Kind.UNAVAILABLE, message);
    }

    static ProviderException invalid(String message) {
        return new ProviderException(Kind.INVALID, message);
    }

    /** Returns whether a retry is useless, because it would fail for the same reason. */
    static boolean isFinal(Throwable failure) {
        return cause(failure) instanceof ProviderException expected && expected.kind() != Kind.UNAVAILABLE;
    }

    private static Throwable cause(Throwable failure) {
        return failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
    }

    /**
     * Returns the failure of a future.
     *
     * @throws RuntimeException if the cause is of another type, which is a defect
     */
    static ProviderException of(Throwable failure) {
        Throwable cause = cause(failure);
        if (cause instanceof ProviderException expected) {
            return expected;
        }
        throw new IllegalStateException("internal error of a login", cause);
    }
}
