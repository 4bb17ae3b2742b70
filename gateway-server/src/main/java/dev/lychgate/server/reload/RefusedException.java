package dev.lychgate.server.reload;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/** Files that no generation can be built from. */
public final class RefusedException extends Exception {
    private static final long serialVersionUID = 1;

    private final List<String> faults;

    /** @param faults one line each: {@code file:line:column: message}, as far as the place is known */
    RefusedException(List<String> faults) {
        this(faults, null);
    }

    private RefusedException(List<String> faults, @Nullable Throwable cause) {
        super(String.join("\n", faults), cause);
        this.faults = List.copyOf(faults);
    }

    /** Files that made something fail, of ours or of a filter, that should have said what is wrong with them. */
    static RefusedException unexpected(Path file, Throwable failure) {
        String line = (file + ": unexpected failure: " + failure).replaceAll("\\s*[\\r\\n]+\\s*", " ");
        return new RefusedException(List.of(line), failure);
    }

    public List<String> faults() {
        return faults;
    }

    /** Writes every fault down; one that nobody expected with its stack trace. */
    void log(Logger log) {
        for (String fault : faults) {
            log.error("refused: {}", fault, getCause());
        }
    }
}
