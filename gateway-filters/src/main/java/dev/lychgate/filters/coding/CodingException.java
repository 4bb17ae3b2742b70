package dev.lychgate.filters.coding;

/** A body is not what its coding says. Has no stack trace: it is the sender's fault. */
public final class CodingException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    CodingException(String message) {
        super(message, null, false, false);
    }
}
