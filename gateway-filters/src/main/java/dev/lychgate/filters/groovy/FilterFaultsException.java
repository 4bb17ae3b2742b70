package dev.lychgate.filters.groovy;

import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;

/** Reports that filter code was refused as a whole. Contains all known errors. */
public final class FilterFaultsException extends Exception {
    /** The maximum number of reported errors. */
    private static final int MOST = 100;

    private static final long serialVersionUID = 1L;

    private final transient List<FilterFault> faults;

    /**
     * Creates an exception with these errors.
     *
     * @param faults the errors, at least one. If there are more than a hundred, the first hundred by file and line are
     *     kept
     */
    public FilterFaultsException(Collection<FilterFault> faults) {
        this(faults.stream()
                .distinct()
                .sorted(FilterFault.BY_POSITION)
                .limit(MOST)
                .toList());
    }

    FilterFaultsException(FilterFault fault) {
        this(List.of(fault));
    }

    private FilterFaultsException(List<FilterFault> faults) {
        super(faults.stream().map(FilterFault::toString).collect(Collectors.joining("\n")), null, false, false);
        this.faults = faults;
    }

    /** Returns the errors, in the order of file, line and column. */
    public List<FilterFault> faults() {
        return faults;
    }
}
