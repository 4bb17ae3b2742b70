package dev.lychgate.upstream;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * The marks that identify endpoints in cookies. A mark consists of the first 128 bits of an HMAC-SHA256, which is
 * computed from the upstream's name and the endpoint's address. Therefore, a mark is both a name and a signature.
 * Without the secret, marks can be neither decoded nor forged. All gateways with the same secret compute the same
 * marks, even after a restart. All marks are computed in advance, so a request needs no more than a lookup.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc2104#section-5">RFC 2104, 5 Truncated output</a>
 */
final class EndpointMarks {
    private static final String ALGORITHM = "HmacSHA256";
    private static final int BYTES = 16;

    private final Map<String, Endpoint> endpoints = new HashMap<>();
    private final IdentityHashMap<Endpoint, String> marks = new IdentityHashMap<>();

    private EndpointMarks() {}

    static EndpointMarks of(String secret, String upstream, List<Endpoint> endpoints) {
        EndpointMarks made = new EndpointMarks();
        for (Endpoint endpoint : endpoints) {
            // The label separates marks from other uses of the same secret.
            String mark = mac(secret, "lychgate persistence\n" + upstream + "\n" + endpoint.authority());
            made.endpoints.put(mark, endpoint);
            made.marks.put(endpoint, mark);
        }
        return made;
    }

    private static String mac(String secret, String text) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), ALGORITHM));
            byte[] whole = mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
            return Base64.getUrlEncoder().withoutPadding().encodeToString(Arrays.copyOf(whole, BYTES));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("the JDK lacks " + ALGORITHM, e);
        }
    }

    /**
     * Returns the mark of an endpoint; null if the endpoint belongs to another upstream, such as the upstream of a
     * fallback.
     */
    @Nullable
    String of(Endpoint endpoint) {
        return marks.get(endpoint);
    }

    /**
     * Returns the endpoint of the first valid mark in {@code values}. Returns null if each mark is forged, is
     * malformed, or belongs to a removed endpoint.
     */
    @Nullable
    Endpoint first(List<String> values) {
        for (String value : values) {
            Endpoint endpoint = endpoints.get(value);
            if (endpoint != null) {
                return endpoint;
            }
        }
        return null;
    }
}
