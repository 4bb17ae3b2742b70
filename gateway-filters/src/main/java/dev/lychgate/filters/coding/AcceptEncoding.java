package dev.lychgate.filters.coding;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The codings that a client accepts, with their weights. Malformed elements of the list are ignored.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9110#section-12.5.3">RFC 9110, 12.5.3 Accept-Encoding</a>
 */
public final class AcceptEncoding {
    /** The maximum weight. Weights are in thousandths, which is the finest resolution that RFC 9110 allows. */
    private static final int FULL = 1000;

    private final Map<String, Integer> weights = new HashMap<>();

    private AcceptEncoding() {}

    /**
     * Parses the headers. By RFC 9110, a client that sends no {@code Accept-Encoding} accepts any coding. In practice,
     * such a client often supports no coding, so its responses are not encoded.
     *
     * @param fields the values of all fields {@code Accept-Encoding}
     */
    public static AcceptEncoding of(List<String> fields) {
        AcceptEncoding accept = new AcceptEncoding();
        for (String field : fields) {
            weights(field)
                    .forEach((token, weight) -> accept.weights.put(token.equals("x-gzip") ? "gzip" : token, weight));
        }
        return accept;
    }

    /**
     * Parses a list with weights, such as {@code Accept}.
     *
     * @return the weight of each element, in thousandths. Elements are in lower case and without other parameters. If
     *     an element is repeated, its highest weight is used. Elements with malformed weights are omitted
     * @see <a href="https://www.rfc-editor.org/rfc/rfc9110#section-12.4.2">RFC 9110, 12.4.2 Quality Values</a>
     */
    public static Map<String, Integer> weights(String field) {
        Map<String, Integer> weights = new HashMap<>();
        for (String member : field.toLowerCase(Locale.ROOT).split(",", -1)) {
            String[] parts = member.split(";", -1);
            int weight = FULL;
            for (int i = 1; i < parts.length; i++) {
                String parameter = parts[i].trim();
                if (parameter.startsWith("q=")) {
                    weight = weight(parameter.substring(2));
                }
            }
            String token = parts[0].trim();
            if (!token.isEmpty() && weight >= 0) {
                weights.merge(token, weight, Math::max);
            }
        }
        return weights;
    }

    /**
     * Parses a weight, such as {@code 0.5}.
     *
     * @return the weight in thousandths; -1 if it is malformed
     */
    private static int weight(String text) {
        if (!text.matches("0(\\.[0-9]{0,3})?|1(\\.0{0,3})?")) {
            return -1;
        }
        return (int) Math.round(Double.parseDouble(text) * FULL);
    }

    /**
     * Returns the coding in {@code offered} with the highest weight. If several have this weight, returns the first of
     * them. Returns null if the client accepts no coding in {@code offered}, or prefers the unencoded body.
     */
    public @Nullable ContentCoding choose(List<ContentCoding> offered) {
        int any = weights.getOrDefault("*", 0);
        int best = 0;
        ContentCoding chosen = null;
        for (ContentCoding coding : offered) {
            int weight = weights.getOrDefault(coding.token(), any);
            if (weight > best) {
                best = weight;
                chosen = coding;
            }
        }
        return weights.getOrDefault("identity", 0) > best ? null : chosen;
    }
}
