package dev.lychgate.server.mirror;

import dev.lychgate.config.CompareConfig;
import dev.lychgate.config.Quantity;
import dev.lychgate.exchange.call.ComparedResponse;
import dev.lychgate.exchange.call.MirrorPair;
import dev.lychgate.filters.libraries.Sha256;
import dev.lychgate.server.metrics.MirrorTally.Kind;
import dev.lychgate.server.metrics.MirrorTally.Result;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The comparison of two responses by status, then header fields, then bodies. If the statuses differ, fields and bodies
 * are not compared, because they would differ for the same reason.
 */
record Comparison(Result result, List<Difference> differences) {
    private static final int DIGEST = 8;
    private static final String ABSENT = "absent";

    static Comparison of(MirrorPair pair, IgnoredPaths ignored) {
        ComparedResponse primary = pair.primary();
        ComparedResponse shadow = pair.shadow();
        CompareConfig config = pair.config();
        if (config.status() && primary.status() != shadow.status()) {
            String subject = primary.status() + " -> " + shadow.status();
            String first = Integer.toString(primary.status());
            return different(List.of(new Difference(Kind.STATUS, subject, first, Integer.toString(shadow.status()))));
        }
        List<Difference> differences = new ArrayList<>();
        for (String name : config.headers()) {
            compareField(name, pair, differences);
        }
        boolean whole = config.body().bytes() == 0 || compareBodies(pair, ignored, differences);
        if (!differences.isEmpty()) {
            return different(differences);
        }
        return new Comparison(whole ? Result.EQUAL : Result.PARTIAL, List.of());
    }

    private static Comparison different(List<Difference> differences) {
        return new Comparison(Result.DIFFERENT, List.copyOf(differences));
    }

    private static void compareField(String name, MirrorPair pair, List<Difference> to) {
        String lower = name.toLowerCase(Locale.ROOT);
        String primary = pair.primary().headers().get(lower);
        String shadow = pair.shadow().headers().get(lower);
        if (!Objects.equals(primary, shadow)) {
            to.add(new Difference(Kind.HEADER, lower, value(lower, primary, pair), value(lower, shadow, pair)));
        }
    }

    private static String value(String name, @Nullable String value, MirrorPair pair) {
        return value == null ? ABSENT : Excerpt.of(pair.redaction().field(name, value));
    }

    /** @return whether the bodies were compared */
    private static boolean compareBodies(MirrorPair pair, IgnoredPaths ignored, List<Difference> to) {
        byte[] primary = pair.primary().body();
        byte[] shadow = pair.shadow().body();
        if (primary == null || shadow == null) {
            return false;
        }
        boolean sameCoding =
                pair.primary().contentCoding().equalsIgnoreCase(pair.shadow().contentCoding());
        if (sameCoding && Arrays.equals(primary, shadow)) {
            return true;
        }
        byte[] first = ContentDecoding.decode(primary, pair.primary().contentCoding());
        byte[] second = ContentDecoding.decode(shadow, pair.shadow().contentCoding());
        if (first == null || second == null) {
            // The bodies are not compared, because different bytes in an unknown coding may encode the same content.
            return false;
        }
        compareContent(pair, first, second, ignored, to);
        return true;
    }

    private static void compareContent(
            MirrorPair pair, byte[] primary, byte[] shadow, IgnoredPaths ignored, List<Difference> to) {
        if (Arrays.equals(primary, shadow)) {
            return;
        }
        boolean json =
                isJson(pair.primary().contentType()) && isJson(pair.shadow().contentType());
        Object first = json ? JsonDocument.parse(primary) : null;
        Object second = json ? JsonDocument.parse(shadow) : null;
        if (first != null && second != null) {
            to.addAll(JsonDifferences.between(first, second, ignored, pair.redaction()));
        } else {
            to.add(new Difference(Kind.BODY, "body", digest(primary), digest(shadow)));
        }
    }

    /** Returns whether a media type is JSON: {@code application/json}, {@code text/json}, or any {@code *+json}. */
    private static boolean isJson(String contentType) {
        int end = contentType.indexOf(';');
        String type =
                (end < 0 ? contentType : contentType.substring(0, end)).trim().toLowerCase(Locale.ROOT);
        return type.equals("application/json") || type.equals("text/json") || type.endsWith("+json");
    }

    private static String digest(byte[] body) {
        byte[] digest = Sha256.start().digest(body);
        return Quantity.of(body.length, "byte") + ", SHA-256 " + HexFormat.of().formatHex(digest, 0, DIGEST);
    }
}
