package dev.lychgate.server.reload;

import dev.lychgate.config.ConfigException;
import dev.lychgate.filters.groovy.FilterFault;
import dev.lychgate.server.yaml.Fault;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/** Reports files from which no generation can be built. */
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

    /** Creates an exception for failed tests of filters that could be used otherwise. */
    static RefusedException ofTests(List<Fault> faults) {
        return new RefusedException(faults, null, null, true);
    }

    /** Creates an exception for refused settings. @param faults with positions, beginning with {@code first} */
    static RefusedException of(ConfigException first, List<Fault> faults) {
        return new RefusedException(faults, null, first, false);
    }

    /** Creates an exception for files that are not there. @param problem names them */
    static RefusedException missing(String problem) {
        return new RefusedException(List.of(Fault.of(new FilterFault("", 0, 0, problem))));
    }

    /** Creates an exception for an unexpected failure of the gateway or of a filter while the files are processed. */
    static RefusedException unexpected(String source, Throwable failure) {
        String problem = ("unexpected failure: " + failure).replaceAll("\\s*[\\r\\n]+\\s*", " ");
        return new RefusedException(List.of(Fault.of(new FilterFault(source, 0, 0, problem))), failure, null, false);
    }

    /** Returns the faults, one line each: {@code file:line:column: message}, as far as the position is known. */
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

    /** Returns whether only tests failed, so that the files could be used. */
    boolean isOfTests() {
        return ofTests;
    }

    /** Logs every fault, with the stack trace of an unexpected failure. */
    void log(Logger log) {
        for (Fault fault : faults) {
            log.error("refused: {}", fault, getCause());
        }
    }
}
