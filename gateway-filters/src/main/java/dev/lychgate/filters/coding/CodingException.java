package dev.lychgate.filters.coding;

/**
 * Reports a body that does not have the format of its coding. Has no stack trace, because the sender is the cause of
 * the error.
 */
public final class CodingException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    CodingException(String message) {
        super(message, null, false, false);
    }
}
