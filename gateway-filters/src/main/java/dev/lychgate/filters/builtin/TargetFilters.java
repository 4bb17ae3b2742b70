package dev.lychgate.filters.builtin;

import com.google.re2j.Pattern;
import dev.lychgate.config.ConfigException;
import dev.lychgate.config.RegularExpression;
import dev.lychgate.error.ErrorKind;
import dev.lychgate.filter.Filter;
import dev.lychgate.filter.FilterPhase;
import dev.lychgate.filter.FilterRequest;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.regex.MatchResult;

/** Filters that change the path or the query of every request. */
final class TargetFilters {
    private static final java.util.regex.Pattern REFERENCE =
            java.util.regex.Pattern.compile("\\$(?:(\\d)|\\{(\\w+)}|)|\\\\(.?)");

    private TargetFilters() {}

    static List<Filter> setPath(Settings settings) {
        String path = path("path", settings.text("path"));
        return paths(settings, old -> path);
    }

    /**
     * Creates a filter that replaces a prefix of the path, or the matches of a pattern in the path.
     *
     * @throws ConfigException if neither {@code regex} nor {@code prefix} is set, if both are set, or if a value is
     *     malformed
     */
    static List<Filter> rewritePath(Settings settings) {
        String regex = settings.textOrNull("regex");
        String prefix = settings.textOrNull("prefix");
        String replacement = settings.text("replacement");
        if (regex != null && prefix == null) {
            Pattern pattern = pattern(regex, replacement);
            return paths(settings, path -> pattern.matcher(path).replaceAll(replacement));
        }
        if (prefix == null || regex != null) {
            throw new ConfigException("prefix", prefix == null ? "missing" : prefix, "exactly one of regex and prefix");
        }
        String from = path("prefix", prefix);
        String to = replacement.isEmpty() ? "" : path("replacement", replacement);
        return paths(settings, path -> replacePrefix(path, from, to));
    }

    private static String replacePrefix(String path, String prefix, String replacement) {
        boolean whole = path.startsWith(prefix)
                && (path.length() == prefix.length() || prefix.endsWith("/") || path.charAt(prefix.length()) == '/');
        if (!whole) {
            return path;
        }
        String changed = replacement + path.substring(prefix.length());
        return changed.isEmpty() ? "/" : changed;
    }

    private static String path(String key, String path) {
        if (!path.startsWith("/") || !path.chars().allMatch(c -> c > ' ' && c < 0x7f && c != '?' && c != '#')) {
            throw new ConfigException(key, path, "a path that begins with /, in ASCII, without query");
        }
        return path;
    }

    private static Pattern pattern(String regex, String replacement) {
        Pattern pattern;
        try {
            pattern = RegularExpression.compile(regex);
        } catch (IllegalArgumentException e) {
            throw new ConfigException("regex", regex, String.valueOf(e.getMessage()));
        }
        for (MatchResult found : REFERENCE.matcher(replacement).results().toList()) {
            boolean group = found.group(1) != null && Integer.parseInt(found.group(1)) <= pattern.groupCount();
            boolean named = found.group(2) != null && pattern.namedGroups().containsKey(found.group(2));
            boolean literal = found.group(3) != null && !found.group(3).isEmpty();
            if (!group && !named && !literal) {
                throw new ConfigException(
                        "replacement", replacement, "no references except $0 to $9 and ${name}, to groups of regex");
            }
        }
        return pattern;
    }

    /**
     * Creates a filter that changes the path of every request. {@code OPTIONS *} is excluded, because it has no path.
     */
    private static List<Filter> paths(Settings settings, UnaryOperator<String> change) {
        return Builtin.inbound(settings, exchange -> {
            FilterRequest request = exchange.getRequest();
            String path = request.getPath();
            String changed = path.startsWith("/") ? change.apply(path) : path;
            if (!changed.equals(path)) {
                try {
                    request.setPath(changed);
                } catch (IllegalArgumentException e) {
                    // The replacement of a pattern may yield a text that is not a path.
                    return exchange.fail(ErrorKind.BAD_PATH, "the rewritten path is malformed");
                }
            }
            return exchange.proceed();
        });
    }

    static List<Filter> setParameter(Settings settings) {
        return queries(settings, List.of(settings.text("value")));
    }

    static List<Filter> removeParameter(Settings settings) {
        return queries(settings, List.of());
    }

    private static List<Filter> queries(Settings settings, List<String> values) {
        String name = parameter(settings);
        return List.of(Builtin.changing(
                FilterPhase.INBOUND,
                settings,
                name,
                exchange -> exchange.getRequest().setQueryParameters(name, values)));
    }

    private static String parameter(Settings settings) {
        String name = settings.text("name");
        if (name.isEmpty()) {
            throw new ConfigException("name", name, "the name of a parameter");
        }
        return name;
    }
}
