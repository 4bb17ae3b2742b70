package dev.lychgate.server.reload;

import dev.lychgate.config.ConfigException;
import dev.lychgate.filters.groovy.FilterFault;
import dev.lychgate.server.yaml.Fault;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/** Reports that files are refused, because no generation can be built from them or their tests failed. */
public final class RefusedException extends Exception {
    private static final long serialVersionUID = 1;

    private final transient List<Fault> faults;
    private final @Nullable ConfigException setting;
    private final boolean ofTests;

    RefusedException(List<Fault> faults) {
        this(faults, null, null, false);
    }

    private RefusedException(
            List<Fault> faults, @Nullable Throwable cause, @Nullable ConfigException setting, boolean ofTests) {
        super(faults.stream().map(Fault::toString).collect(Collectors.joining("\n")), cause);
        this.faults = List.copyOf(faults);
        this.setting = setting;
        this.ofTests = ofTests;
    }

    /** Creates an exception for filters that were refused only because their tests failed. */
    static RefusedException ofTests(List<Fault> faults) {
        return new RefusedException(faults, null, null, true);
    }

    /**
     * Creates an exception for refused settings.
     *
     * @param faults all errors with their positions, beginning with {@code first}
     */
    static RefusedException of(ConfigException first, List<Fault> faults) {
        return new RefusedException(faults, null, first, false);
    }

    /**
     * Creates an exception for missing files.
     *
     * @param problem names the files
     */
    static RefusedException missing(String problem) {
        return new RefusedException(List.of(Fault.of(new FilterFault("", 0, 0, problem))));
    }

    /** Creates an exception for an unexpected failure of the gateway or of a filter while the files are processed. */
    static RefusedException unexpected(String source, Throwable failure) {
        String problem = ("unexpected failure: " + failure).replaceAll("\\s*[\\r\\n]+\\s*", " ");
        return new RefusedException(List.of(Fault.of(new FilterFault(source, 0, 0, problem))), failure, null, false);
    }

    /**
     * Returns the errors, one line each, in the form {@code file:line:column: message}. Unknown parts of the position
     * are omitted.
     */
    public List<String> faults() {
        return faults.stream().map(Fault::toString).toList();
    }

    public List<Fault> details() {
        return faults;
    }

    /** Returns the first refused setting; null if a file was refused instead. */
    @Nullable
    ConfigException setting() {
        return setting;
    }

    /** Returns whether failed tests are the only errors, so that the files are usable apart from the tests. */
    boolean isOfTests() {
        return ofTests;
    }

    /** Logs every error, and the stack trace if an unexpected failure is the cause. */
    void log(Logger log) {
        for (Fault fault : faults) {
            log.error("refused: {}", fault, getCause());
        }
    }
}
