package com.netflix.zuul.exception;

import org.jspecify.annotations.Nullable;

/** A failure of a filter, with the status that an error filter may send. */
public class ZuulException extends Exception {
    private static final long serialVersionUID = 1L;

    /** The status of the failure. */
    @SuppressWarnings("checkstyle:VisibilityModifier")
    public int nStatusCode;

    /** The cause of the failure, such as {@code pre:Authenticate}. */
    public @Nullable String errorCause;

    public ZuulException(Throwable cause, String message, int nStatusCode, @Nullable String errorCause) {
        super(message, cause);
        this.nStatusCode = nStatusCode;
        this.errorCause = errorCause;
    }

    public ZuulException(String message, int nStatusCode, @Nullable String errorCause) {
        super(message);
        this.nStatusCode = nStatusCode;
        this.errorCause = errorCause;
    }

    public ZuulException(Throwable cause, int nStatusCode, @Nullable String errorCause) {
        super(cause == null ? null : cause.getMessage(), cause);
        this.nStatusCode = nStatusCode;
        this.errorCause = errorCause;
    }

    /** Creates an exception of Zuul 2, with the status 500. */
    public ZuulException(String message, @Nullable String errorCause) {
        this(message, 500, errorCause);
    }

    /** Creates an exception of Zuul 2, with the status 500. */
    public ZuulException(Throwable cause, @Nullable String errorCause) {
        this(cause, 500, errorCause);
    }

    /** Creates an exception of Zuul 2, with the status 500. */
    public ZuulException(Throwable cause, String message, @Nullable String errorCause) {
        this(cause, message, 500, errorCause);
    }

    public int getStatusCode() {
        return nStatusCode;
    }

    public void setStatusCode(int status) {
        nStatusCode = status;
    }

    public @Nullable String getErrorCause() {
        return errorCause;
    }
}
