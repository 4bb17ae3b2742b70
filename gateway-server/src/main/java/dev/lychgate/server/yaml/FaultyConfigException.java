package dev.lychgate.server.yaml;

import java.util.List;
import java.util.stream.Collectors;

/** A configuration that was refused, with everything that is wrong with it. */
public final class FaultyConfigException extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient List<Fault> faults;

    /** @param faults at least one, in the order in which they are to be read */
    public FaultyConfigException(List<Fault> faults) {
        super(faults.stream().map(Fault::toString).collect(Collectors.joining("\n")), null, false, false);
        this.faults = List.copyOf(faults);
    }

    /** What is wrong, in the order of the file. */
    public List<Fault> faults() {
        return faults;
    }
}
