package dev.lychgate.filters.builtin;

import com.google.re2j.Pattern;
import dev.lychgate.config.ConfigException;
import dev.lychgate.config.RegularExpression;
import java.util.regex.MatchResult;

/** Makes another path of a path. */
sealed interface PathChange {
    /** @return the same path if there is nothing to change */
    String apply(String path);

    /** Always the same. */
    record Fixed(String path) implements PathChange {
        @Override
        public String apply(String old) {
            return path;
        }
    }

    /** Another prefix, of whole segments. */
    record Prefix(String prefix, String replacement) implements PathChange {
        @Override
        public String apply(String path) {
            boolean whole = path.startsWith(prefix)
                    && (path.length() == prefix.length()
                            || prefix.endsWith("/")
                            || path.charAt(prefix.length()) == '/');
            if (!whole) {
                return path;
            }
            String changed = replacement + path.substring(prefix.length());
            return changed.isEmpty() ? "/" : changed;
        }
    }

    /** Something else for everything that matches. */
    record Regex(Pattern pattern, String replacement) implements PathChange {
        @Override
        public String apply(String path) {
            return pattern.matcher(path).replaceAll(replacement);
        }
    }

    static PathChange fixed(Settings settings) {
        return new Fixed(path("path", settings.text("path")));
    }

    /** @throws ConfigException if not exactly one of {@code regex} and {@code prefix} is said, or one can't be used */
    static PathChange rewrite(Settings settings) {
        String regex = settings.textOrNull("regex");
        String prefix = settings.textOrNull("prefix");
        String replacement = settings.text("replacement");
        if (regex != null && prefix == null) {
            return regex(regex, replacement);
        }
        if (prefix == null || regex != null) {
            throw new ConfigException("prefix", prefix == null ? "missing" : prefix, "exactly one of regex and prefix");
        }
        return new Prefix(path("prefix", prefix), replacement.isEmpty() ? "" : path("replacement", replacement));
    }

    private static String path(String key, String path) {
        if (!path.startsWith("/") || !path.chars().allMatch(c -> c > ' ' && c < 0x7f && c != '?' && c != '#')) {
            throw new ConfigException(key, path, "a path that begins with /, in ASCII, without query");
        }
        return path;
    }

    private static PathChange regex(String regex, String replacement) {
        Pattern pattern;
        try {
            pattern = RegularExpression.compile(regex);
        } catch (IllegalArgumentException e) {
            throw new ConfigException("regex", regex, String.valueOf(e.getMessage()));
        }
        java.util.regex.Pattern reference = java.util.regex.Pattern.compile("\\$(?:(\\d)|\\{(\\w+)}|)|\\\\(.?)");
        for (MatchResult found : reference.matcher(replacement).results().toList()) {
            boolean group = found.group(1) != null && Integer.parseInt(found.group(1)) <= pattern.groupCount();
            boolean named = found.group(2) != null && pattern.namedGroups().containsKey(found.group(2));
            boolean literal = found.group(3) != null && !found.group(3).isEmpty();
            if (!group && !named && !literal) {
                throw new ConfigException(
                        "replacement", replacement, "no references but $0 to $9 and ${name}, to groups that regex has");
            }
        }
        return new Regex(pattern, replacement);
    }
}
