package dev.lychgate.server.cli;

import dev.lychgate.config.Form;
import dev.lychgate.config.GatewayConfig;
import dev.lychgate.config.Key;
import dev.lychgate.filters.builtin.BuiltinFilters;
import dev.lychgate.filters.builtin.FilterKind;
import dev.lychgate.filters.groovy.BuiltFilters;
import dev.lychgate.filters.groovy.FilterDirectory;
import dev.lychgate.filters.groovy.FilterFaultsException;
import dev.lychgate.filters.groovy.GroovyFilter;
import dev.lychgate.filters.groovy.GroovyFilters;
import dev.lychgate.filters.groovy.NearMiss;
import dev.lychgate.filters.state.OwnProperty;
import dev.lychgate.server.engine.StartException;
import dev.lychgate.server.extensions.Dialects;
import dev.lychgate.server.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code filters}: describes a built-in filter, or a filter of the filter directory. */
@Command(
        name = "filters",
        description = "Describes a built-in filter or a filter of the filter directory, with its settings.",
        footer = {"  lychgate filters describe cors", "  lychgate filters describe --json RateLimit"})
final class FiltersCommand extends SubCommand {
    /** The requested action. */
    @SuppressWarnings("unused") // picocli compares it
    enum Action {
        describe
    }

    @Mixin
    private final ConfigOption config = new ConfigOption();

    @Mixin
    private final JsonOption json = new JsonOption();

    @Parameters(index = "0", paramLabel = "describe", description = "Lists the settings.")
    @SuppressWarnings("unused")
    private Action action = Action.describe;

    @Parameters(index = "1", paramLabel = "NAME", description = "The name of the filter, as in a list of filters.")
    private String name = "";

    private record Described(
            String phase,
            String source,
            String about,
            List<? extends Key<?>> settings,
            List<OwnProperty<?>> properties) {}

    @Override
    public Integer call() throws Exception {
        try {
            List<Described> found = found();
            if (json.isGiven()) {
                print(new JsonObject()
                        .with("name", name)
                        .with(
                                "filters",
                                found.stream().map(FiltersCommand::json).toList()));
            } else {
                found.forEach(this::print);
            }
            return ExitCode.OK;
        } catch (FilterFaultsException e) {
            e.faults().forEach(fault -> surroundings().err().println(fault));
            return ExitCode.CONFIGURATION;
        }
    }

    /**
     * Returns the built-in filter with the requested name. If no built-in filter has this name, returns all filters of
     * this name in the filter directory, at most one per phase.
     */
    private List<Described> found() throws Exception {
        FilterKind kind = BuiltinFilters.find(name);
        if (kind != null) {
            return List.of(new Described("", "built-in", kind.about(), kind.settings(), List.of()));
        }
        List<Described> found = new ArrayList<>();
        List<String> known = new ArrayList<>(BuiltinFilters.names());
        GatewayConfig settings = config.or(outer()).load(surroundings()).config();
        FilterDirectory directory = FilterDirectory.of(settings.filters());
        if (directory != null) {
            try (BuiltFilters built = new GroovyFilters().build(directory.read(), Dialects.of(settings.extensions()))) {
                for (GroovyFilter filter : built.filters()) {
                    known.add(filter.name());
                    if (filter.name().equals(name)) {
                        String phase = filter.phase().name().toLowerCase(Locale.ROOT);
                        List<OwnProperty<?>> properties = built.properties().all().stream()
                                .filter(property -> property.file().equals(filter.file()))
                                .toList();
                        found.add(new Described(
                                phase, filter.file(), "", filter.named().settings(), properties));
                    }
                }
                built.end().join();
            }
        }
        if (found.isEmpty()) {
            @Nullable String near = NearMiss.of(name, known);
            throw new StartException(
                    "filters: unknown filter " + name + (near == null ? "" : "; did you mean '" + near + "'?"));
        }
        return found;
    }

    private void print(Described filter) {
        print(name + " (" + (filter.phase.isEmpty() ? "" : filter.phase + ", ") + filter.source + ")"
                + (filter.about.isEmpty() ? "" : ": " + filter.about));
        int widest = filter.settings.stream()
                .mapToInt(key -> key.name().length())
                .max()
                .orElse(0);
        for (Key<?> key : filter.settings) {
            print("  " + key.name() + " ".repeat(widest - key.name().length()) + "  " + type(key)
                    + (key.about().isEmpty() ? "" : ": " + key.about()));
        }
        if (filter.settings.isEmpty()) {
            print("  no settings");
        }
        for (OwnProperty<?> property : filter.properties) {
            print("  property " + property.getName() + "  " + property.type() + ", default " + property.otherwise());
        }
    }

    private static String type(Key<?> key) {
        String range = key.form().expected();
        String otherwise = otherwise(key);
        return words(key.form())
                + (range == null || range.startsWith(">= 0 ") ? "" : ", " + range)
                + (key.requires() != null ? ", required" : otherwise == null ? ", optional" : ", default " + otherwise);
    }

    private static String words(Form<?> form) {
        return form.words().replace("`", "");
    }

    private static <T> @Nullable String otherwise(Key<T> key) {
        return key.requires() != null || key.otherwise() == null
                ? null
                : key.form().print().apply(key.otherwise());
    }

    private static JsonObject json(Described filter) {
        return new JsonObject()
                .with("phase", filter.phase.isEmpty() ? null : filter.phase)
                .with("source", filter.source)
                .with(
                        "settings",
                        filter.settings.stream()
                                .map(key -> new JsonObject()
                                        .with("name", key.name())
                                        .with("type", words(key.form()))
                                        .with("required", key.requires() != null)
                                        .with("default", otherwise(key))
                                        .with("accepted", key.form().expected())
                                        .with("about", key.about().isEmpty() ? null : key.about()))
                                .toList())
                .with(
                        "properties",
                        filter.properties.stream()
                                .map(property -> new JsonObject()
                                        .with("name", property.getName())
                                        .with("type", property.type())
                                        .with("default", String.valueOf(property.otherwise())))
                                .toList());
    }
}
