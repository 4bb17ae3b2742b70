package dev.lychgate.zuul;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The result of loading one file of a corpus.
 *
 * @param file the path below the directory of the corpus
 * @param messages the lines that state why the file is refused or left out; empty if its filter is loaded
 */
record CorpusResult(String file, Outcome outcome, List<String> messages) {
    private static final Pattern MISSING =
            Pattern.compile("unable to resolve class ([\\w.$]+)|package ([\\w.]+) does not exist"
                    + "|cannot find symbol +symbol: +class (\\w+)");
    /** The text between the name of a missing class and its remedy. */
    private static final Pattern ADVISED = Pattern.compile(
            "(unable to resolve class [\\w.$]+|does not exist|location: (package|class|interface) [\\w.<>,]+).*: \\w.*");
    /** The packages of the API, of the JDK, and of the libraries that the gateway and Zuul have in common. */
    private static final List<String> PROVIDED = List.of(
            "java.", "javax.servlet.", "com.netflix.zuul.", "com.netflix.config.", "com.netflix.util.", "org.slf4j.");

    /**
     * The parts of Zuul that are not its API for filters: its internals, its sample applications, and packages that
     * were moved before the release of Zuul 2.
     */
    private static final List<String> INTERNALS = Stream.of(
                    "Config",
                    "bytebuf.",
                    "context.H",
                    "context.Zuul",
                    "dependency.",
                    "filters.FilterRegistry",
                    "groovy.",
                    "http.ZuulServlet",
                    "integration.",
                    "monitoring.",
                    "netty.",
                    "niws.",
                    "origins.",
                    "passport.",
                    "sample.",
                    "stats.AmazonInfoHolder",
                    "stats.StatsManager")
            .map(name -> "com.netflix.zuul." + name)
            .toList();

    private static final Pattern INJECTED = Pattern.compile("does not inject objects");

    /** What became of a file. */
    enum Outcome {
        LOADED,
        /** The gateway replaces the filter. */
        LEFT_OUT,
        REFUSED,
        /** The file caused an exception that is no refusal. */
        FAILED
    }

    /** Returns the names of the classes and packages that the file needs and that do not exist. */
    List<String> missing() {
        return messages.stream()
                .map(MISSING::matcher)
                .filter(Matcher::find)
                .map(each -> each.group(1) != null
                        ? each.group(1)
                        : each.group(2) != null ? each.group(2) + "." : each.group(3))
                .distinct()
                .toList();
    }

    /** Returns whether the file needs only the API of Zuul, the JDK and the libraries of the corpus. */
    boolean needsOnlyTheApi() {
        if (outcome != Outcome.REFUSED) {
            return true;
        }
        if (messages.stream().anyMatch(each -> INJECTED.matcher(each).find())) {
            return false;
        }
        return missing().stream()
                .allMatch(name -> PROVIDED.stream().anyMatch(name::startsWith)
                        && INTERNALS.stream().noneMatch(name::startsWith));
    }

    /** Returns whether a refusal names the class and a remedy. Files that are not refused have none. */
    boolean hasRemedy() {
        return outcome != Outcome.REFUSED
                || messages.stream()
                        .allMatch(each -> !MISSING.matcher(each).find()
                                || ADVISED.matcher(each).find());
    }

    @Override
    public String toString() {
        return outcome + " " + file
                + messages.stream().map(each -> "\n    " + each).collect(Collectors.joining());
    }
}
