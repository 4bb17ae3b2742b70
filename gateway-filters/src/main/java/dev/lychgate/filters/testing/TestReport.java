package dev.lychgate.filters.testing;

import dev.lychgate.config.Quantity;
import dev.lychgate.filters.groovy.FilterDirectory;
import java.io.PrintWriter;
import java.util.List;
import org.codehaus.groovy.control.CompilationFailedException;
import org.codehaus.groovy.control.MultipleCompilationErrorsException;
import org.codehaus.groovy.control.messages.SyntaxErrorMessage;
import org.jspecify.annotations.Nullable;

/**
 * The results of the tests of a directory.
 *
 * @param files the test files with their results, in the order of their paths
 */
public record TestReport(List<TestedFile> files) {
    private static final String OWN_LINE = "\n    ";

    public TestReport {
        files = List.copyOf(files);
    }

    /**
     * The results of one test file.
     *
     * @param path the path of the file below the directory
     * @param outcomes the results of the tests of the file, in their order; followed by a result of the script itself
     *     if the script failed outside of its tests
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
     * The result of one test.
     *
     * @param test the name of the test; empty for the script itself
     * @param failure the text of the failure; null if the test passed
     * @param line the line of the test file at which the test failed; 0 if it is unknown
     */
    public record Outcome(String test, @Nullable String failure, int line) {
        static Outcome passed(String test) {
            return new Outcome(test, null, 0);
        }

        static Outcome failed(String test, String failure) {
            return new Outcome(test, failure, 0);
        }

        static Outcome uncompiled(CompilationFailedException refused) {
            int line = refused instanceof MultipleCompilationErrorsException all
                            && all.getErrorCollector().getError(0) instanceof SyntaxErrorMessage first
                    ? first.getCause().getStartLine()
                    : 0;
            return new Outcome("", String.valueOf(refused.getMessage()), line);
        }

        static Outcome failed(String test, Throwable thrown) {
            String text = thrown instanceof AssertionError && thrown.getMessage() != null
                    ? thrown.getMessage()
                    : thrown.toString();
            StackTraceElement[] stack = thrown.getStackTrace();
            return new Outcome(test, text + line(stack, FilterDirectory.TEST), number(stack));
        }

        /**
         * Returns the result of a test that exceeded its time limit.
         *
         * @param stack the stack trace at the time limit; its innermost line may be in a filter that the test called
         */
        static Outcome hung(String test, String failure, StackTraceElement[] stack) {
            String at = line(stack, ".groovy");
            String ofTest = line(stack, FilterDirectory.TEST);
            return new Outcome(test, failure + at + (at.equals(ofTest) ? "" : ofTest), number(stack));
        }

        private static int number(StackTraceElement[] stack) {
            StackTraceElement frame = innermost(stack, FilterDirectory.TEST);
            return frame == null ? 0 : Math.max(0, frame.getLineNumber());
        }

        private static String line(StackTraceElement[] stack, String ending) {
            StackTraceElement frame = innermost(stack, ending);
            return frame == null ? "" : "\nat " + frame.getFileName() + ":" + frame.getLineNumber();
        }

        /** Returns the innermost frame in a file whose name ends with {@code ending}; null if there is none. */
        private static @Nullable StackTraceElement innermost(StackTraceElement[] stack, String ending) {
            for (StackTraceElement frame : stack) {
                String file = frame.getFileName();
                if (file != null && file.endsWith(ending)) {
                    return frame;
                }
            }
            return null;
        }

        public boolean isPassed() {
            return failure == null;
        }
    }

    /** Returns whether no test failed. */
    public boolean isPassed() {
        return files.stream().allMatch(TestedFile::isPassed);
    }

    /** Returns the number of tests that ran. */
    public int tests() {
        return files.stream().mapToInt(file -> file.outcomes().size()).sum();
    }

    /** Returns the number of failed tests. */
    public int failures() {
        return (int) files.stream()
                .flatMap(file -> file.outcomes().stream())
                .filter(outcome -> !outcome.isPassed())
                .count();
    }

    /** Writes one line per file, the text of each failure, and the totals. */
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
        out.println(Quantity.of(files.size(), "file") + ", " + Quantity.of(tests(), "test") + ", " + failures()
                + " failed");
        out.flush();
    }
}
