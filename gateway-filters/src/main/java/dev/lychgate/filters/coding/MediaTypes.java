package dev.lychgate.filters.coding;

import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * A list of media types to compress, such as {@code application/json}, and of patterns such as {@code text/*}, {@code
 * application/*+json} or {@code *}{@code /*}. Patterns match neither compressed formats nor event streams nor gRPC;
 * these types match only by name. Event streams and gRPC are excluded from patterns, because their receivers wait for
 * each message.
 */
public final class MediaTypes {
    private static final List<String> COMPRESSED = List.of("image/", "audio/", "video/", "font/woff");
    private static final Set<String> NOT_BY_PATTERN = Set.of(
            "text/event-stream",
            "application/grpc",
            "application/gzip",
            "application/zip",
            "application/zstd",
            "application/x-gzip",
            "application/x-bzip2",
            "application/x-xz",
            "application/x-7z-compressed",
            "application/x-rar-compressed",
            "application/vnd.rar",
            "application/java-archive",
            "application/pdf",
            "application/octet-stream");

    private final Set<String> names = new HashSet<>();
    private final Set<String> patterns = new HashSet<>();

    private MediaTypes() {}

    /**
     * Parses a list of media types and patterns.
     *
     * @throws IllegalArgumentException if an element is neither a type nor a pattern; the message of the exception is
     *     this element
     */
    public static MediaTypes of(List<String> types) {
        MediaTypes all = new MediaTypes();
        for (String type : types) {
            String name = type.trim().toLowerCase(Locale.ROOT);
            if (name.matches("\\*/\\*|[a-z0-9.+-]+/\\*(\\+[a-z0-9.-]+)?")) {
                all.patterns.add(name);
            } else if (name.matches("[a-z0-9.+-]+/[a-z0-9.+_-]+")) {
                all.names.add(name);
            } else {
                throw new IllegalArgumentException(type);
            }
        }
        return all;
    }

    /** Returns whether these types contain the type in a {@code Content-Type}, whose parameters are ignored. */
    public boolean contain(String contentType) {
        int end = contentType.indexOf(';');
        String type =
                (end < 0 ? contentType : contentType.substring(0, end)).trim().toLowerCase(Locale.ROOT);
        return names.contains(type) || (isOpenToPatterns(type) && matchesPattern(type));
    }

    private static boolean isOpenToPatterns(String type) {
        return !NOT_BY_PATTERN.contains(type)
                && !type.startsWith("application/grpc")
                && (type.endsWith("+xml") || COMPRESSED.stream().noneMatch(type::startsWith));
    }

    private boolean matchesPattern(String type) {
        int slash = type.indexOf('/');
        int plus = type.lastIndexOf('+');
        return slash > 0
                && (patterns.contains("*/*")
                        || patterns.contains(type.substring(0, slash) + "/*")
                        || (plus > slash && patterns.contains(type.substring(0, slash) + "/*" + type.substring(plus))));
    }
}
