package dev.lychgate.filters.groovy;

import java.util.ArrayList;
import java.util.List;
import org.codehaus.groovy.control.CompilationFailedException;
import org.codehaus.groovy.control.ErrorCollector;
import org.codehaus.groovy.control.messages.ExceptionMessage;
import org.codehaus.groovy.control.messages.Message;
import org.codehaus.groovy.control.messages.SimpleMessage;
import org.codehaus.groovy.control.messages.SyntaxErrorMessage;
import org.codehaus.groovy.syntax.SyntaxException;
import org.jspecify.annotations.Nullable;

/** Converts messages of Groovy's compiler to errors, with the file and the position if the compiler reports them. */
final class CompilerFaults {
    /** The text in place of the file name if the compiler reports no file. */
    static final String SOMEWHERE = "filters";

    /**
     * The message about expressions that are nested too deeply without brackets, such as a sum of ten thousand terms.
     * Nested brackets are counted before the compilation, so they do not cause this message.
     */
    static final String TOO_DEEP =
            "is nested too deeply for the compiler, for example by thousands of chained operators or calls";

    private CompilerFaults() {}

    /**
     * Converts the messages of one compilation to errors.
     *
     * @param inWork the file for messages for which the compiler reports no file
     */
    static List<FilterFault> of(CompilationFailedException thrown, ErrorCollector collected, String inWork) {
        List<FilterFault> faults = new ArrayList<>();
        List<? extends Message> errors = collected.getErrors();
        if (errors != null) {
            errors.forEach(error -> faults.add(of(error, inWork)));
        }
        if (faults.isEmpty()) {
            faults.add(FilterFault.of(inWork, reason(thrown)));
        }
        return faults;
    }

    /**
     * Returns the message of an exception, followed by the message of its cause, because the parser reports every
     * failure as "Parsing failed".
     */
    private static String reason(Throwable thrown) {
        Throwable cause = thrown.getCause();
        if (cause instanceof StackOverflowError) {
            return TOO_DEEP;
        }
        return thrown.getMessage() + (cause == null ? "" : ": " + cause.getMessage());
    }

    private static FilterFault of(Message error, String inWork) {
        if (error instanceof SyntaxErrorMessage syntax) {
            SyntaxException cause = syntax.getCause();
            return new FilterFault(
                    file(cause.getSourceLocator(), inWork),
                    cause.getStartLine(),
                    cause.getStartColumn(),
                    cause.getOriginalMessage());
        }
        if (error instanceof ExceptionMessage exception) {
            return FilterFault.of(inWork, String.valueOf(exception.getCause()));
        }
        return FilterFault.of(inWork, error instanceof SimpleMessage simple ? simple.getMessage() : error.toString());
    }

    private static String file(@Nullable String locator, String inWork) {
        return locator == null ? inWork : locator;
    }
}
