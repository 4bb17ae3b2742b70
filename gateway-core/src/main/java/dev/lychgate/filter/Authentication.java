package dev.lychgate.filter;

import dev.lychgate.http.FieldSyntax;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The result of an {@link Authenticator} for one request. Immutable. */
public sealed interface Authentication {
    /**
     * Returns the result for a request without credentials of the authenticator's kind. After this result, the gateway
     * tries the next authenticator of the section {@code authenticate}. If no authenticator is left, the gateway
     * rejects the request with 401, unless the section is optional.
     */
    static Authentication absent() {
        return Absent.ABSENT;
    }

    /**
     * Returns the result for credentials that this authenticator cannot assess, such as a token of another issuer.
     * After this result, the gateway tries the next authenticator of the section {@code authenticate}. If no later
     * authenticator accepts the request, the gateway rejects it with 401, even if the section is optional.
     *
     * @param challenge the field {@code WWW-Authenticate} of the 401 response; null for the challenge of
     *     {@link Authenticator#challenge}
     * @param detail the reason, which appears in the error response and in logs; must not contain credentials
     * @throws IllegalArgumentException if the challenge is not a valid header field value
     */
    static Authentication unknown(@Nullable String challenge, String detail) {
        return new Unknown(challenge, detail);
    }

    /**
     * Returns the result for valid credentials. The exchange gets the identity, and the gateway tries no other
     * authenticator.
     */
    static Authentication accepted(Identity identity) {
        return new Accepted(identity);
    }

    /**
     * Returns the result for credentials that are invalid or cannot be verified. The gateway tries no other
     * authenticator and rejects the request, even if the section {@code authenticate} is optional.
     *
     * @param status 400 for malformed credentials, 401 for invalid ones, 403 for a valid sender that has no access, 503
     *     if the credentials cannot be verified at present
     * @param challenge the field {@code WWW-Authenticate} of the response, such as
     *     {@code Bearer error="invalid_token"}; null for a response without this field
     * @param detail the reason, which appears in the error response and in logs; must not contain credentials
     * @throws IllegalArgumentException if the status is not 400, 401, 403 or 503, or the challenge is not a valid
     *     header field value
     */
    static Authentication refused(int status, @Nullable String challenge, String detail) {
        return new Refused(status, challenge, detail);
    }

    /**
     * Returns the result that ends the exchange with a response, such as a redirect to a login page.
     *
     * @throws IllegalArgumentException if the outcome is {@link FilterOutcome#proceed()}
     */
    static Authentication respond(FilterOutcome outcome) {
        return new Responded(outcome);
    }

    /**
     * The request has no credentials of the authenticator's kind. {@link Authentication#absent()} returns this result.
     */
    enum Absent implements Authentication {
        /** The only value. */
        ABSENT
    }

    /**
     * The authenticator cannot assess the credentials, because they are of another kind or issuer; see {@link
     * Authentication#unknown}.
     *
     * @param challenge the field {@code WWW-Authenticate}; null for the challenge of {@link Authenticator#challenge}
     * @param detail the reason
     */
    record Unknown(@Nullable String challenge, String detail) implements Authentication {
        public Unknown {
            Refused.requireField(challenge);
            Objects.requireNonNull(detail, "the detail of the refusal is null");
        }
    }

    /** The credentials are valid, and the sender has {@code identity}. */
    record Accepted(Identity identity) implements Authentication {
        public Accepted {
            Objects.requireNonNull(identity, "the accepted identity is null");
        }
    }

    /**
     * The credentials are refused; see {@link Authentication#refused}.
     *
     * @param status 400, 401, 403 or 503
     * @param challenge the field {@code WWW-Authenticate}; null for a response without this field
     * @param detail the reason
     */
    record Refused(int status, @Nullable String challenge, String detail) implements Authentication {
        public Refused {
            if (status != 400 && status != 401 && status != 403 && status != 503) {
                throw new IllegalArgumentException(
                        "the status of a refused authentication is " + status + " (expected: 400, 401, 403 or 503)");
            }
            requireField(challenge);
            Objects.requireNonNull(detail, "the detail of the refusal is null");
        }

        static void requireField(@Nullable String challenge) {
            if (challenge != null && !FieldSyntax.isValue(challenge)) {
                throw new IllegalArgumentException("the challenge is not a valid header field value");
            }
        }
    }

    /** The authenticator ends the exchange with {@code outcome}, which is a response or a failure. */
    record Responded(FilterOutcome outcome) implements Authentication {
        public Responded {
            if (outcome == null || outcome instanceof FilterOutcome.Proceed) {
                throw new IllegalArgumentException(
                        "the response of an authenticator is " + outcome + " (expected: respond, redirect or fail)");
            }
        }
    }
}
