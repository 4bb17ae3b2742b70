package dev.lychgate.filter;

import dev.lychgate.error.GatewayError;
import java.util.Objects;

/**
 * Thrown by a {@link BodyTransform} or a filter that rejects a body. The exchange fails with {@link #error}, regardless
 * of the {@link FailurePolicy} of the filter. The exception has no stack trace, because it does not report a defect of
 * the code.
 */
public final class BodyRefusal extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient GatewayError error;

    /**
     * Creates a refusal with which the exchange fails with {@code error}.
     *
     * @throws IllegalArgumentException if errors of this kind have no response: {@code CLIENT_GONE}, {@code
     *     CLIENT_STALLED}
     */
    public BodyRefusal(GatewayError error) {
        super(Objects.requireNonNull(error, "the error of the refusal is null").detail(), error.cause(), false, false);
        this.error = FilterOutcome.Fail.requireAnswered(error);
    }

    /** Returns the error with which the exchange fails. */
    public GatewayError error() {
        return error;
    }
}
