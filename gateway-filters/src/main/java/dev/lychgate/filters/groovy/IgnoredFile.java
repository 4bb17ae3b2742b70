package dev.lychgate.filters.groovy;

import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A file in the filter directory that looks as if it were meant for the gateway, and is not used.
 *
 * @param file its path below the filter directory
 * @param reason why it is not used
 */
public record IgnoredFile(String file, String reason) {
    /** Code that Groovy's compiler is not given. */
    private static final Set<String> OTHER_CODE = Set.of("java", "kt", "kts", "scala", "class", "js", "py", "lua");

    private static final Set<String> LIBRARIES = Set.of("jar", "zip", "war");

    /** Documentation, and data that filters may read by themselves. */
    private static final Set<String> NO_CODE = Set.of(
            "md",
            "adoc",
            "rst",
            "txt",
            "json",
            "yml",
            "yaml",
            "xml",
            "csv",
            "properties",
            "toml",
            "html",
            "pem",
            "crt",
            "key");

    /** Documentation whose names have no ending. */
    private static final Set<String> DOCUMENTS =
            Set.of("readme", "license", "notice", "changelog", "codeowners", "owners");

    /** What editors, copies and people leave beside a filter. */
    private static final Set<String> LEFT_BEHIND =
            Set.of("bak", "orig", "rej", "old", "off", "disabled", "swp", "swo", "swx", "tmp", "part", "filepart");

    /**
     * Whether a file that is no filter, no test and not hidden is worth a word.
     *
     * @param path below the filter directory
     * @return null if it does not look like code
     */
    static @Nullable IgnoredFile of(String path) {
        String name = path.substring(path.lastIndexOf('/') + 1);
        String ending = name.substring(name.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT);
        boolean hasEnding = name.indexOf('.') >= 0;
        boolean atTop = path.equals(name);
        if (name.startsWith("#") || name.endsWith("~") || LEFT_BEHIND.contains(ending) || ending.equals("md")) {
            return null;
        }
        if (LIBRARIES.contains(ending)) {
            return new IgnoredFile(path, "the gateway loads no libraries from the filter directory");
        }
        if (OTHER_CODE.contains(ending)) {
            return new IgnoredFile(path, "filters are written in Groovy, and their files end in .groovy");
        }
        if (name.toLowerCase(Locale.ROOT).contains(".groovy")) {
            return new IgnoredFile(path, "its name does not end in .groovy");
        }
        if (atTop) {
            return new IgnoredFile(path, "it is in none of the directories " + PlaceInTree.names());
        }
        boolean mayBeCode = hasEnding ? !NO_CODE.contains(ending) : !DOCUMENTS.contains(ending) && !isNumber(name);
        return mayBeCode ? new IgnoredFile(path, "its name does not end in .groovy") : null;
    }

    /** Vim tries with such a name whether it may write into a directory. */
    private static boolean isNumber(String name) {
        return name.chars().allMatch(c -> c >= '0' && c <= '9');
    }

    /** {@code FILE is ignored: REASON}. */
    @Override
    public String toString() {
        return file + " is ignored: " + reason;
    }
}
