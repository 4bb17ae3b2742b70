package dev.lychgate.identity;

import dev.lychgate.filter.Authentication;

/**
 * The challenges of bearer tokens.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc6750#section-3">RFC 6750, 3 The WWW-Authenticate Response Header
 *     Field</a>
 */
final class Challenges {
    static final String BEARER = "Bearer";

    private Challenges() {}

    /** @param description the description, which contains neither parts of the token nor quotation marks */
    static Authentication invalid(String description) {
        return Authentication.refused(401, challenge("invalid_token", description), description);
    }

    /** @param description as in {@link #invalid} */
    static Authentication unknown(String description) {
        return Authentication.unknown(challenge("invalid_token", description), description);
    }

    static Authentication severalTokens() {
        String description = "the request has several tokens";
        return Authentication.refused(400, challenge("invalid_request", description), description);
    }

    private static String challenge(String error, String description) {
        return BEARER + " error=\"" + error + "\", error_description=\"" + description + "\"";
    }
}
