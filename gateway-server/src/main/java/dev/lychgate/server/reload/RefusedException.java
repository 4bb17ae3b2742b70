package dev.lychgate.server.reload;

import java.util.List;

/** Files that no generation can be built from. */
public final class RefusedException extends Exception {
    private static final long serialVersionUID = 1;

    private final List<String> faults;

    /** @param faults one line each: {@code file:line:column: message}, as far as the place is known */
    RefusedException(List<String> faults) {
        super(String.join("\n", faults));
        this.faults = List.copyOf(faults);
    }

    public List<String> faults() {
        return faults;
    }
}
