package dev.lychgate.filters.testing;

import dev.lychgate.filters.groovy.FilterDirectory;
import java.io.PrintWriter;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How the tests of a directory went.
 *
 * @param files in the order of their paths
 */
public record TestReport(List<TestedFile> files) {
    private static final String OWN_LINE = "\n    ";

    public TestReport {
        files = List.copyOf(files);
    }

    /**
     * One file of tests.
     *
     * @param path below the directory
     * @param outcomes of its tests, in order; the script itself is one if it failed outside of them
     */
    public record TestedFile(String path, List<Outcome> outcomes) {
        public TestedFile {
            outcomes = List.copyOf(outcomes);
        }

        public boolean isPassed() {
            return outcomes.stream().allMatch(Outcome::isPassed);
        }
    }

    /**
     * How one test went.
     *
     * @param test its name; empty for the script itself
     * @param failure what is to be told of it; null if it passed
     */
    public record Outcome(String test, @Nullable String failure) {
        static Outcome passed(String test) {
            return new Outcome(test, null);
        }

        static Outcome failed(String test, String failure) {
            return new Outcome(test, failure);
        }

        static Outcome failed(String test, Throwable thrown) {
            String text = thrown instanceof AssertionError && thrown.getMessage() != null
                    ? thrown.getMessage()
                    : thrown.toString();
            return failed(test, text + place(thrown));
        }

        /** @param stack where it was when its time was over: the line may be one of a filter, which the test has called */
        static Outcome hung(String test, String failure, StackTraceElement[] stack) {
            String at = line(stack, ".groovy");
            String ofTest = line(stack, FilterDirectory.TEST);
            return failed(test, failure + at + (at.equals(ofTest) ? "" : ofTest));
        }

        private static String place(Throwable thrown) {
            return line(thrown.getStackTrace(), FilterDirectory.TEST);
        }

        /** The innermost line that is in a file of that ending. */
        private static String line(StackTraceElement[] stack, String ending) {
            for (StackTraceElement frame : stack) {
                String file = frame.getFileName();
                if (file != null && file.endsWith(ending)) {
                    return "\nat " + file + ":" + frame.getLineNumber();
                }
            }
            return "";
        }

        public boolean isPassed() {
            return failure == null;
        }
    }

    /** Whether no test failed. */
    public boolean isPassed() {
        return files.stream().allMatch(TestedFile::isPassed);
    }

    /** How many tests ran. */
    public int tests() {
        return files.stream().mapToInt(file -> file.outcomes().size()).sum();
    }

    /** How many of them failed. */
    public int failures() {
        return (int) files.stream()
                .flatMap(file -> file.outcomes().stream())
                .filter(outcome -> !outcome.isPassed())
                .count();
    }

    /** Writes one line per file, the text of each failure, and a sum. */
    public void print(PrintWriter out) {
        for (TestedFile file : files) {
            out.println((file.isPassed() ? "passed  " : "FAILED  ") + file.path() + " ("
                    + file.outcomes().size() + ")");
            for (Outcome outcome : file.outcomes()) {
                if (outcome.failure() != null) {
                    out.println("  " + (outcome.test().isEmpty() ? "outside of the tests" : outcome.test()));
                    out.println("    " + outcome.failure().strip().replace("\n", OWN_LINE));
                }
            }
        }
        out.println(files.size() + " files, " + tests() + " tests, " + failures() + " failed");
        out.flush();
    }
}
