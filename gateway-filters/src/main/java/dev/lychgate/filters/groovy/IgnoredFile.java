package dev.lychgate.filters.groovy;

import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A file in the filter directory that looks like filter code but is not used.
 *
 * @param file the path of the file below the filter directory
 * @param reason the reason why the file is not used
 */
public record IgnoredFile(String file, String reason) {
    /** The file name extensions of code in other languages. */
    private static final Pattern OTHER_CODE = Pattern.compile("scala|class|js|py|lua");

    private static final Pattern LIBRARIES = Pattern.compile("jar|zip|war");

    /** The file name extensions of documentation, and of data files that filters may read. */
    private static final Pattern NO_CODE =
            Pattern.compile("md|adoc|rst|txt|json|ya?ml|xml|csv|properties|toml|html|pem|crt|key");

    /** Documentation without an extension, and the files that Vim creates to test write access. */
    private static final Pattern DOCUMENTS =
            Pattern.compile("readme|license|notice|changelog|codeowners|owners|[0-9]+");

    /** The file name extensions of files that editors, copy programs and users leave in the directory of a filter. */
    private static final Pattern LEFT_BEHIND =
            Pattern.compile("bak|orig|rej|old|off|disabled|sw[pox]|tmp|part|filepart|md");

    /**
     * Checks whether a file must be reported. Called for files that are not filters, not tests and not hidden.
     *
     * @param path the path of the file below the filter directory
     * @return the file to report; null if the file does not look like code
     */
    static @Nullable IgnoredFile of(String path) {
        String name = path.substring(path.lastIndexOf('/') + 1);
        String ending = name.substring(name.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT);
        boolean hasEnding = name.indexOf('.') >= 0;
        boolean atTop = path.equals(name);
        if (name.startsWith("#")
                || name.endsWith("~")
                || LEFT_BEHIND.matcher(ending).matches()) {
            return null;
        }
        if (LIBRARIES.matcher(ending).matches()) {
            return new IgnoredFile(path, "libraries must be jars at the top of the filter directory or in lib/");
        }
        if (ending.startsWith("kt")) {
            return new IgnoredFile(
                    path, "filters in Kotlin must be in jars, as config/templates/kotlin-filters builds them");
        }
        if (ending.equals("java")) {
            return new IgnoredFile(
                    path,
                    "filters in Java must be in the directories of the phases, and their tests in a separate project,"
                            + " such as config/templates/java-filters");
        }
        if (OTHER_CODE.matcher(ending).matches()) {
            return new IgnoredFile(
                    path, "filters are written in Groovy or Java, and their files end in .groovy or .java");
        }
        if (name.toLowerCase(Locale.ROOT).contains(".groovy")) {
            return new IgnoredFile(path, "its name does not end in .groovy");
        }
        if (atTop) {
            return new IgnoredFile(path, "it is in none of the directories " + PlaceInTree.names());
        }
        boolean mayBeCode = !(hasEnding ? NO_CODE : DOCUMENTS).matcher(ending).matches();
        return mayBeCode ? new IgnoredFile(path, "its name does not end in .groovy") : null;
    }

    @Override
    public String toString() {
        return file + " is ignored: " + reason;
    }
}
