package dev.lychgate.filters.coding;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which codings a client takes, and how much it likes each. What can't be read of it is as if it were not there.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9110#section-12.5.3">RFC 9110, 12.5.3 Accept-Encoding</a>
 */
public final class AcceptEncoding {
    /** Weights are in thousandths: that is as fine as they may be. */
    private static final int FULL = 1000;

    private final Map<String, Integer> weights = new HashMap<>();

    private AcceptEncoding() {}

    /**
     * A client that says nothing takes anything, by the standard; in practice it is one that has never heard of codings, and
     * gets none.
     *
     * @param fields the values of all fields of that name
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
     * Reads a list whose members may have weights, as those of {@code Accept} and its kin.
     *
     * @return thousandths by member, in small letters and without other parameters; the highest of a member that is there more
     *     than once; without members whose weight is malformed
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

    /** @return -1 if it is none */
    private static int weight(String text) {
        if (!text.matches("0(\\.[0-9]{0,3})?|1(\\.0{0,3})?")) {
            return -1;
        }
        return (int) Math.round(Double.parseDouble(text) * FULL);
    }

    /**
     * The one of {@code offered} that the client likes best; of those it likes alike, the first. Null if it takes none of
     * them, or would rather have the body as it is.
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
