package dev.lychgate.server.reload;

import dev.lychgate.config.ConfigException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/** Reports files from which no generation can be built. */
public final class RefusedException extends Exception {
    private static final long serialVersionUID = 1;

    private final List<String> faults;
    private final @Nullable ConfigException setting;

    /** @param faults one line each: {@code file:line:column: message}, as far as the position is known */
    RefusedException(List<String> faults) {
        this(faults, null, null);
    }

    private RefusedException(List<String> faults, @Nullable Throwable cause, @Nullable ConfigException setting) {
        super(String.join("\n", faults), cause);
        this.faults = List.copyOf(faults);
        this.setting = setting;
    }

    /** Creates an exception for refused settings. @param lines the faults with positions, beginning with {@code first} */
    static RefusedException of(ConfigException first, String... lines) {
        return new RefusedException(List.of(lines), null, first);
    }

    /** Creates an exception for an unexpected failure of the gateway or of a filter while the files are processed. */
    static RefusedException unexpected(String source, Throwable failure) {
        String line = (source + ": unexpected failure: " + failure).replaceAll("\\s*[\\r\\n]+\\s*", " ");
        return new RefusedException(List.of(line), failure, null);
    }

    public List<String> faults() {
        return faults;
    }

    /** Returns the first refused setting; null if a file was refused instead. */
    @Nullable
    ConfigException setting() {
        return setting;
    }

    /** Logs every fault, with the stack trace of an unexpected failure. */
    void log(Logger log) {
        for (String fault : faults) {
            log.error("refused: {}", fault, getCause());
        }
    }
}
