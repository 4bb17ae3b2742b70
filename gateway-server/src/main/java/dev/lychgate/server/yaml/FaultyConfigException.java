package dev.lychgate.server.yaml;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Reports that a configuration is refused, with all of its errors. */
public final class FaultyConfigException extends Exception {
    /** The maximum number of reported errors, because a file of some megabytes can contain very many errors. */
    static final int MOST = 100;

    private static final long serialVersionUID = 1L;

    private final transient List<Fault> faults;

    /** @param faults at least one error, in the order of the report; only the first {@value #MOST} are kept */
    public FaultyConfigException(List<Fault> faults) {
        super(text(faults), null, false, false);
        this.faults = first(faults);
    }

    private static String text(List<Fault> faults) {
        return first(faults).stream().map(Fault::toString).collect(Collectors.joining("\n"));
    }

    private static List<Fault> first(List<Fault> faults) {
        if (faults.size() <= MOST) {
            return List.copyOf(faults);
        }
        List<Fault> first = new ArrayList<>(faults.subList(0, MOST));
        first.add(new Fault(
                faults.get(0).file(),
                0,
                0,
                "",
                "the configuration has further faults; this list ends after " + MOST,
                ""));
        return List.copyOf(first);
    }

    /** Returns the errors in the order of the file. If errors were omitted, the last error reports the omission. */
    public List<Fault> faults() {
        return faults;
    }
}
