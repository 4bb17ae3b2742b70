package dev.lychgate.server.gate;

import dev.lychgate.filters.groovy.FilterFault;
import dev.lychgate.filters.testing.TestReport;
import dev.lychgate.server.yaml.Fault;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Describes failed tests. All texts are bounded in length, because an assertion may produce megabytes of text. */
final class FailedTests {
    private static final int MOST_FAULTS = 20;
    private static final int LONGEST_NAME = 120;
    private static final int LONGEST_CONDITION = 400;
    private static final int MOST_LINES = 30;
    private static final int LONGEST_LINE = 300;

    /** The first line of each error message from Groovy's compiler. */
    private static final String OF_COMPILER = "startup failed:";

    private FailedTests() {}

    /**
     * Returns an error message for each failed test. If more than {@value #MOST_FAULTS} tests failed, the last message
     * states the number of omitted messages.
     */
    static List<Fault> faults(TestReport report) {
        List<Fault> faults = new ArrayList<>();
        for (TestReport.TestedFile file : report.files()) {
            for (TestReport.Outcome outcome : file.outcomes()) {
                if (!outcome.isPassed() && faults.size() < MOST_FAULTS) {
                    faults.add(fault(file.path(), outcome));
                }
            }
        }
        int more = report.failures() - faults.size();
        if (more > 0) {
            faults.add(Fault.of(new FilterFault("filters", 0, 0, more + " more tests failed")));
        }
        return faults;
    }

    private static Fault fault(String file, TestReport.Outcome outcome) {
        String condition = FilterFault.printable(
                start(outcome)
                        .lines()
                        .filter(line -> !line.equals(OF_COMPILER))
                        .findFirst()
                        .orElse("")
                        .strip(),
                LONGEST_CONDITION);
        String text = outcome.test().isEmpty() ? condition : name(outcome) + " failed: " + condition;
        return Fault.of(new FilterFault(file, outcome.line(), 0, text));
    }

    /**
     * Returns the text of a failure for the log, truncated to a maximum length. The text includes details such as the
     * values in an assertion.
     */
    static String details(TestReport.TestedFile file, TestReport.Outcome outcome) {
        String head = file.path()
                + (outcome.line() > 0 ? ":" + outcome.line() : "")
                + (outcome.test().isEmpty() ? "" : ": " + name(outcome));
        return start(outcome)
                .lines()
                .limit(MOST_LINES)
                .map(line -> FilterFault.printable(line, LONGEST_LINE))
                .collect(Collectors.joining("\n    ", head + "\n    ", ""));
    }

    /** Returns the beginning of the text of a failure, up to a maximum length. */
    private static String start(TestReport.Outcome outcome) {
        String failure = String.valueOf(outcome.failure());
        return failure.substring(0, Math.min(failure.length(), MOST_LINES * LONGEST_LINE))
                .strip();
    }

    private static String name(TestReport.Outcome outcome) {
        return "test '" + FilterFault.printable(outcome.test(), LONGEST_NAME) + "'";
    }
}
