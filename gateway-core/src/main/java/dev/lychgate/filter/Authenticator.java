package dev.lychgate.filter;

import java.time.Duration;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Verifies one kind of credentials, for a section {@code authenticate} of the configuration. The gateway tries the
 * authenticators of a section in order until one of them finds credentials of its kind.
 *
 * <p>One object serves all event loops concurrently. If an authenticator is an {@link AutoCloseable}, the gateway
 * closes it after the last exchange of its generation, or when the generation is refused.
 */
public interface Authenticator {
    /**
     * Returns the challenge for a request without credentials: a scheme with optional parameters, such as {@code
     * Bearer}. The gateway sends the challenge in a field {@code WWW-Authenticate} of the 401 response. Called on the
     * event loop.
     *
     * @return null if the authenticator has no scheme, for example because its credentials are a cookie
     */
    @Nullable
    String challenge();

    /**
     * Returns whether a request is addressed to this authenticator itself, such as the last redirect of a login. If the
     * result is true, the gateway tries this authenticator first, even if another authenticator precedes it in the
     * section and would find credentials. Called on the event loop, and must not block. Default: false.
     */
    default boolean isAddressedBy(FilterExchange exchange) {
        return false;
    }

    /**
     * Verifies the credentials of a request. Called on the event loop, and must not block.
     *
     * <p>The authenticator may change the request, for example to remove the credentials, and may send call-outs. It
     * may use the exchange until the returned stage completes.
     *
     * @return a stage that may be completed on any thread; never null. A stage that fails is a failure of the filter
     *     {@code authenticate}: the request is rejected with 500, or with 502 to 504 after a {@link CallException}
     */
    CompletionStage<Authentication> authenticate(FilterExchange exchange);

    /**
     * Returns the timeout of one authentication, which must be longer than zero. Default: 5 s. The longest timeout of
     * the authenticators of a section applies to the whole section. When it expires, the gateway cancels the current
     * stage and rejects the request with 503. Called once, when the generation is built.
     */
    default Duration timeout() {
        return Filter.DEFAULT_TIMEOUT;
    }

    /**
     * Returns the part of the request body that must be in memory before {@link #authenticate}, if {@link #needsBody}
     * returns true. Called once, when the generation is built. Default: none.
     */
    default BodyNeed body() {
        return BodyNeed.NONE;
    }

    /**
     * Returns whether this authenticator needs the complete body of this request. Called on the event loop if {@link
     * #body} declares a need, and must not block. Default: true.
     */
    default boolean needsBody(FilterExchange exchange) {
        return true;
    }
}
