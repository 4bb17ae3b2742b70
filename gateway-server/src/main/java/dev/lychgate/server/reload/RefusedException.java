package dev.lychgate.server.reload;

import dev.lychgate.config.ConfigException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/** Files that no generation can be built from. */
public final class RefusedException extends Exception {
    private static final long serialVersionUID = 1;

    private final List<String> faults;
    private final @Nullable ConfigException setting;

    /** @param faults one line each: {@code file:line:column: message}, as far as the place is known */
    RefusedException(List<String> faults) {
        this(faults, null, null);
    }

    private RefusedException(List<String> faults, @Nullable Throwable cause, @Nullable ConfigException setting) {
        super(String.join("\n", faults), cause);
        this.faults = List.copyOf(faults);
        this.setting = setting;
    }

    /** Settings that can't be used. @param lines the faults with their places, the first of them that of {@code first} */
    static RefusedException of(ConfigException first, String... lines) {
        return new RefusedException(List.of(lines), null, first);
    }

    /** Files that made something fail, of ours or of a filter, that should have said what is wrong with them. */
    static RefusedException unexpected(String source, Throwable failure) {
        String line = (source + ": unexpected failure: " + failure).replaceAll("\\s*[\\r\\n]+\\s*", " ");
        return new RefusedException(List.of(line), failure, null);
    }

    public List<String> faults() {
        return faults;
    }

    /** The setting that was refused first; null if it was none, but a file. */
    @Nullable
    ConfigException setting() {
        return setting;
    }

    /** Writes every fault down; one that nobody expected with its stack trace. */
    void log(Logger log) {
        for (String fault : faults) {
            log.error("refused: {}", fault, getCause());
        }
    }
}
