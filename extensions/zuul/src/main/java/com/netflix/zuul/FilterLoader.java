package com.netflix.zuul;

import dev.lychgate.zuul.bound.BoundGeneration;
import java.util.List;

/** Finds the filters of the current generation. The gateway itself loads the files. */
public class FilterLoader {
    private static final FilterLoader INSTANCE = new FilterLoader();

    public static FilterLoader getInstance() {
        return INSTANCE;
    }

    /** Returns the filters of a type, in their order. */
    public List<ZuulFilter> getFiltersByType(String filterType) {
        BoundGeneration generation = BoundGeneration.current();
        return generation == null
                ? List.of()
                : generation.filters(filterType).stream()
                        .map(ZuulFilter.class::cast)
                        .toList();
    }
}
