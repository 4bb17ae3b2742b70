package dev.lychgate.server.secrets;

/**
 * Reports a secret that cannot be read. The message describes the accepted form, and contains no part of the secret.
 */
public final class SecretException extends Exception {
    private static final long serialVersionUID = 1L;

    public SecretException(String expected) {
        super(expected, null, false, false);
    }

    /** Returns the accepted form, for the message about the value that contains the reference. */
    public String expected() {
        return String.valueOf(getMessage());
    }
}
