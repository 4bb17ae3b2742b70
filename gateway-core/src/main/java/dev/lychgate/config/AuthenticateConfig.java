package dev.lychgate.config;

import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * The authentication of requests: the kinds of credentials that are accepted. A request must have credentials of one of
 * these kinds unless {@code optional} is true.
 *
 * @param optional whether a request without credentials is accepted; such a request has no identity
 * @param anyOf the authenticators, in the order in which they search for credentials; empty = none, see {@link #OFF}
 * @param claimsToHeaders maps the name of each claim to the name of the request header field that contains the claim
 */
public record AuthenticateConfig(boolean optional, List<FilterConfig> anyOf, Map<String, String> claimsToHeaders) {
    private static final Key<Boolean> OPTIONAL = Key.flag("optional", false)
            .about("accepts requests without credentials, which then have no identity; requests with invalid "
                    + "credentials are still rejected");
    private static final Key<List<FilterConfig>> ANY_OF = Key.list("any-of", Form.AUTHENTICATOR)
            .absent("the authenticator that the section names")
            .about(
                    "the [authenticators](identity.md#authenticators), each with its settings, in the order in which they search"
                            + " for credentials. A section with one authenticator may name it directly: `authenticate: { jwt: { ... } }`");
    private static final Key<Map<String, String>> CLAIMS_TO_HEADERS = Key.texts("claims-to-headers", "claim")
            .about(
                    "the request header fields that contain [claims](identity.md#claims-in-header-fields), by the names of the"
                            + " claims. The gateway removes fields with these names from all requests of clients");

    /**
     * The fields from which authenticators read credentials. No claim may be written to these fields: before the
     * gateway authenticates a request, it removes all fields that are to contain claims, and would thus remove the
     * credentials.
     */
    private static final Set<String> OF_CREDENTIALS = Set.of("authorization", "cookie");

    /** No authentication. On a listener, this value overrides the section of the top level. */
    public static final AuthenticateConfig OFF = new AuthenticateConfig(true, List.of(), Map.of());

    public AuthenticateConfig {
        anyOf = Expect.copy(anyOf);
        claimsToHeaders = Expect.copy(claimsToHeaders);
        Set<String> fields = new HashSet<>();
        for (Map.Entry<String, String> mapping : claimsToHeaders.entrySet()) {
            String key = "claims-to-headers." + mapping.getKey();
            String field = mapping.getValue();
            Form.FIELD_NAME.check(key, field);
            // Origins may read special characters as hyphens, so names that differ only in such characters denote one
            // field.
            String folded = field.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]", "-");
            Expect.that(
                    !OwnFields.isReserved(field) && !OwnFields.isTold(field),
                    key,
                    field,
                    "the name of a header field that the gateway itself does not write");
            Expect.that(
                    !OF_CREDENTIALS.contains(folded),
                    key,
                    field,
                    "the name of a header field that does not contain credentials");
            Expect.that(fields.add(folded), key, field, "the name of a header field that contains no other claim");
        }
    }

    static AuthenticateConfig read(Key.Values values) {
        boolean optional = values.get(OPTIONAL);
        List<FilterConfig> anyOf = values.get(ANY_OF);
        Map<String, String> claims = values.get(CLAIMS_TO_HEADERS);
        FilterConfig only = values.named(Form.AUTHENTICATOR, ANY_OF.name());
        if (only != null) {
            anyOf = List.of(only);
        }
        if (anyOf.isEmpty() && values.isRead()) {
            throw new ConfigException(
                    ANY_OF.name(), "no authenticator", "at least one authenticator, such as jwt: { ... }");
        }
        return new AuthenticateConfig(optional, anyOf, claims);
    }

    /** Returns whether requests need no authentication. */
    public boolean isOff() {
        return anyOf.isEmpty();
    }
}
