package dev.lychgate.oidc;

import dev.lychgate.http.Json;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The discovery document of a provider.
 *
 * @param endSession null if the provider supports no logout by the client
 * @param statesIssuer whether authorization responses contain the parameter {@code iss}
 * @see <a href="https://openid.net/specs/openid-connect-discovery-1_0.html">OpenID Connect Discovery 1.0</a>
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9207">RFC 9207, Authorization Server Issuer Identification</a>
 */
record ProviderMetadata(
        URI authorization, URI token, URI keys, @Nullable URI endSession, boolean statesIssuer) {
    /** The maximum length of the document, in bytes. */
    static final int LONGEST = 256 << 10;

    /** Returns the address of the document of an issuer. */
    static URI address(String issuer) {
        String base = issuer.endsWith("/") ? issuer.substring(0, issuer.length() - 1) : issuer;
        return URI.create(base + "/.well-known/openid-configuration");
    }

    /**
     * Parses a document.
     *
     * @throws ProviderException if it is malformed, belongs to another issuer, or contains an unusable URL
     */
    static ProviderMetadata parse(String issuer, byte[] document) {
        Map<?, ?> members = object(document);
        if (!issuer.equals(members.get("issuer"))) {
            throw ProviderException.unavailable("the discovery document does not belong to the issuer " + issuer);
        }
        boolean plain = issuer.startsWith("http://");
        return new ProviderMetadata(
                required(members, "authorization_endpoint", plain),
                required(members, "token_endpoint", plain),
                required(members, "jwks_uri", plain),
                members.get("end_session_endpoint") == null ? null : required(members, "end_session_endpoint", plain),
                Boolean.TRUE.equals(members.get("authorization_response_iss_parameter_supported")));
    }

    /**
     * Returns the members of a JSON object.
     *
     * @throws ProviderException if the document is not a JSON object
     */
    static Map<?, ?> object(byte[] document) {
        try {
            if (Json.read(document) instanceof Map<?, ?> members) {
                return members;
            }
        } catch (IllegalArgumentException e) {
            // Reported below.
        }
        throw ProviderException.unavailable("the response of the provider is not a JSON object");
    }

    private static URI required(Map<?, ?> members, String name, boolean plain) {
        if (members.get(name) instanceof String text) {
            try {
                URI uri = new URI(text);
                boolean safe = "https".equalsIgnoreCase(uri.getScheme())
                        || (plain && "http".equalsIgnoreCase(uri.getScheme()));
                if (safe && uri.getHost() != null && uri.getRawUserInfo() == null && uri.getRawFragment() == null) {
                    return uri;
                }
            } catch (URISyntaxException e) {
                // Reported below.
            }
        }
        throw ProviderException.unavailable(
                "the discovery document has no usable " + name + " (expected: an absolute https URL)");
    }

    /** Returns the URL of an endpoint with added parameters. The browser is redirected to this URL. */
    static String with(URI endpoint, Map<String, String> parameters) {
        return endpoint + (endpoint.getRawQuery() == null ? "?" : "&") + Calls.encoded(parameters);
    }
}
