package dev.lychgate.filter;

import dev.lychgate.error.GatewayError;
import java.util.Objects;

/**
 * Thrown by a {@link BodyTransform} that won't let a body pass: the exchange fails as the error says. Has no stack trace,
 * as it is no fault of the code's.
 */
public final class BodyRefusal extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient GatewayError error;

    /** @throws IllegalArgumentException if the error is one that is only logged */
    public BodyRefusal(GatewayError error) {
        super(Objects.requireNonNull(error, "a refusal without an error").detail(), error.cause(), false, false);
        this.error = FilterOutcome.Fail.requireAnswered(error);
    }

    public GatewayError error() {
        return error;
    }
}
