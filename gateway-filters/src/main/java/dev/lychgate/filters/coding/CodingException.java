package dev.lychgate.filters.coding;

/** Reports a body that is malformed for its coding. Has no stack trace, because the sender caused the error. */
public final class CodingException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    CodingException(String message) {
        super(message, null, false, false);
    }
}
