package dev.lychgate.server.admin;

import io.netty.handler.codec.http.HttpResponseStatus;
import org.jspecify.annotations.Nullable;

/**
 * Thrown to reject a request with a problem document. The problem repeats no text of the client, except the plain name
 * of a parameter.
 */
final class Rejection extends Exception {
    private static final long serialVersionUID = 1;

    private final transient AdminResponse answer;

    Rejection(AdminResponse answer) {
        super(null, null, false, false);
        this.answer = answer;
    }

    static Rejection malformed(String detail) {
        return new Rejection(AdminResponse.malformed(detail));
    }

    static Rejection notFound(String detail) {
        return new Rejection(AdminResponse.notFound(detail));
    }

    static Rejection conflict(String detail) {
        return new Rejection(AdminResponse.problem(HttpResponseStatus.CONFLICT, "conflict", detail));
    }

    /** Returns {@code value}, or rejects with 503 if it is null. */
    static <T> T ifAbsent(@Nullable T value, String reason) throws Rejection {
        if (value == null) {
            throw new Rejection(AdminResponse.unavailable(reason));
        }
        return value;
    }

    AdminResponse answer() {
        return answer;
    }
}
