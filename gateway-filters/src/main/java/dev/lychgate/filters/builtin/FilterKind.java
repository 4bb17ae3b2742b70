package dev.lychgate.filters.builtin;

import dev.lychgate.config.ConfigException;
import dev.lychgate.config.FilterConfig;
import dev.lychgate.filter.Filter;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** A kind of filter that comes with the gateway: what it is called, what it takes, and how one is made. Immutable. */
public final class FilterKind {
    private static final Setting ORDER =
            Setting.number("order", "lower runs first, then the earlier one in the list", 0);

    private final String name;
    private final String about;
    private final List<Setting> settings;
    private final Function<Settings, List<Filter>> maker;

    /** @param maker makes what runs, one filter for each phase; throws ConfigException with a setting's name as its key */
    FilterKind(String name, String about, Function<Settings, List<Filter>> maker, Setting... settings) {
        this.name = name;
        this.about = about;
        this.maker = maker;
        List<Setting> all = new ArrayList<>(List.of(settings));
        all.add(ORDER);
        this.settings = List.copyOf(all);
    }

    /** As it is written in the file: {@code set-request-header}. */
    public String name() {
        return name;
    }

    /** What it does, in one sentence. */
    public String about() {
        return about;
    }

    /** What may be said for it, in the order in which the documentation has it. */
    public List<Setting> settings() {
        return settings;
    }

    /** Whether there is nothing that must be said for it. */
    public boolean needsNothing() {
        return settings.stream().noneMatch(Setting::required);
    }

    /**
     * Makes a filter.
     *
     * @param config its settings; the name in it is not looked at
     * @param suffix is added to its name, to tell it from others in the same place; may be empty
     * @return what is to run, each in its phase; at least one
     * @throws ConfigException if the settings can't be used; its key is the setting's name
     */
    public List<Filter> make(FilterConfig config, String suffix) {
        return List.copyOf(maker.apply(new Settings(this, config, suffix)));
    }
}
