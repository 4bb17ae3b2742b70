package dev.lychgate.filters.groovy;

import dev.lychgate.chain.BudgetMeter;
import dev.lychgate.config.ConfigException;
import dev.lychgate.config.Key;
import dev.lychgate.config.RegexBudget;
import dev.lychgate.extension.FilterDialect;
import dev.lychgate.filter.BlockingFilter;
import dev.lychgate.filter.Filter;
import dev.lychgate.filter.FilterPhase;
import dev.lychgate.filters.settings.DeclaredSettings;
import dev.lychgate.filters.settings.NamedFilter;
import dev.lychgate.filters.settings.SettingValues;
import dev.lychgate.filters.state.GenerationObjects;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Creates the filters of a generation, one after the other. Constructors of filters and scripts run during this step.
 */
final class FilterMaking {
    private final AtomicReference<String> inWork;
    private final Map<String, List<Map<String, Object>>> uses;
    private final boolean everywhere;
    private final GenerationObjects objects;
    private final FilterDialect.@Nullable Generation dialect;
    private final Runnable broken;
    private final List<FilterFault> faults = new ArrayList<>();
    private final Set<String> failed = new HashSet<>();
    /** The files of the filters, by the names of the filters. */
    private final Map<String, String> files = new HashMap<>();

    private final List<GroovyFilter> made = new ArrayList<>();
    private final RegexBudget expressions = new RegexBudget("all filters");

    /**
     * Begins to create the filters of a generation.
     *
     * @param uses the settings of filters in the lists of the configuration, by the name of the filter; null without a
     *     configuration
     * @param dialect receives the classes that are written in a dialect; null without a dialect
     * @param broken runs after a failure that may have left a class unusable, such as a failure of a static block
     */
    FilterMaking(
            AtomicReference<String> inWork,
            @Nullable Map<String, List<Map<String, Object>>> uses,
            GenerationObjects objects,
            FilterDialect.@Nullable Generation dialect,
            Runnable broken) {
        this.dialect = dialect;
        this.objects = objects;
        this.broken = broken;
        this.uses = uses == null ? Map.of() : uses;
        this.everywhere = uses != null;
        this.inWork = inWork;
    }

    void make(FilterClassLoader loader) {
        for (FilterDeclarations.Declared declared : loader.code().filters()) {
            inWork.set(declared.file());
            try {
                Class<?> type = Class.forName(declared.className(), true, loader);
                boolean isNative = Filter.class.isAssignableFrom(type) || FilterScript.class.isAssignableFrom(type);
                if (dialect != null && !isNative) {
                    makeInDialect(dialect, declared, type, loader.code());
                    continue;
                }
                NamedFilter named = named(declared, type);
                makeUsed(declared, named, loader.code());
                objects.made(declared.file());
                add(declared, declared.phase(), named);
            } catch (Throwable e) {
                faults.addAll(faults(declared, e, loader.code()));
                failed.add(declared.baseName());
                failed.add(declared.className());
            }
        }
    }

    private void add(FilterDeclarations.Declared declared, FilterPhase phase, NamedFilter named)
            throws FilterFaultsException {
        String name = PlaceInTree.name(phase) + " filter " + named.name();
        String other = files.putIfAbsent(name, declared.file());
        if (other != null) {
            throw new FilterFaultsException(declared.fault("duplicate " + name + ", also in " + other));
        }
        made.add(new GroovyFilter(named.name(), phase, declared.file(), named));
    }

    private void makeInDialect(
            FilterDialect.Generation generation,
            FilterDeclarations.Declared declared,
            Class<?> type,
            CompiledSources code)
            throws Exception {
        try {
            for (Filter filter : generation.add(new FilterDialect.Code(type, declared.file(), code.byteCode()::get))) {
                add(declared, filter.phase(), NamedFilter.of(filter, declared.file()));
            }
        } catch (FilterDialect.Refusal e) {
            throw new FilterFaultsException(
                    new FilterFault(declared.file(), e.line(), 0, String.valueOf(e.getMessage())));
        }
    }

    /**
     * Creates the additional filters that a dialect needs to run its filters. Called after the filters of all bundles
     * have been created.
     *
     * @param source the name of the dialect, which errors name in place of a file
     */
    void complete(String source) {
        if (dialect != null) {
            for (Filter filter : dialect.complete()) {
                made.add(new GroovyFilter(filter.name(), filter.phase(), source, NamedFilter.of(filter, source)));
            }
        }
    }

    /**
     * Returns all filters, if there are no errors.
     *
     * @throws FilterFaultsException if a filter has errors; the exception lists the errors of all filters
     */
    List<GroovyFilter> all() throws FilterFaultsException {
        if (!faults.isEmpty()) {
            throw new FilterFaultsException(faults);
        }
        return made;
    }

    /** Returns the filters without errors. */
    List<GroovyFilter> made() {
        return made;
    }

    /** Returns the errors of the filters that could not be created, in the order of file and line. */
    List<FilterFault> faults() {
        return faults.isEmpty() ? faults : new FilterFaultsException(faults).faults();
    }

    /** Returns the names of the filters that could not be created. */
    Set<String> failed() {
        return failed;
    }

    private NamedFilter named(FilterDeclarations.Declared declared, Class<?> type) throws Exception {
        // A lookup that throws NoSuchMethodException is not used, because code of the file may throw the same
        // exception.
        List<Constructor<?>> constructors = Stream.of(type.getConstructors())
                .filter(one -> one.getParameterCount() == 0 || takesSettings(one))
                .toList();
        require(
                constructors.size() == 1,
                declared,
                "class " + declared.className()
                        + " must have one public constructor, either without parameters or with a record of its"
                        + " settings");
        Constructor<?> constructor = constructors.get(0);
        return constructor.getParameterCount() == 0
                ? NamedFilter.of(filter(declared, constructor), declared.file())
                : withSettings(declared, type, constructor);
    }

    private static boolean takesSettings(Constructor<?> constructor) {
        Class<?>[] types = constructor.getParameterTypes();
        return types.length == 1
                && (types[0].isRecord()
                        || (types[0] == Object[].class
                                && FilterScript.class.isAssignableFrom(constructor.getDeclaringClass())));
    }

    private NamedFilter withSettings(FilterDeclarations.Declared declared, Class<?> type, Constructor<?> constructor)
            throws Exception {
        boolean script = FilterScript.class.isAssignableFrom(type);
        Class<?> record = constructor.getParameterTypes()[0];
        String name = script ? declared.baseName() : type.getSimpleName();
        Map<String, String> places = new HashMap<>();
        declared.settings()
                .forEach((field, line) -> places.put(DeclaredSettings.name(field), declared.file() + ":" + line));
        List<Key<?>> keys;
        try {
            keys = script ? DeclaredSettings.of(fields(declared, type)) : DeclaredSettings.of(record);
        } catch (DeclaredSettings.DeclarationException e) {
            throw new FilterFaultsException(declared.fault(e.setting(), String.valueOf(e.getMessage())));
        }
        return new NamedFilter(name, declared.file(), declared.phase(), keys, places, values -> {
            Object given = script ? values.all().values().toArray() : DeclaredSettings.record(record, values);
            Filter filter = filter(declared, constructor, given);
            require(
                    filter.name().equals(name),
                    declared,
                    "has settings, so the name of the filter must be the name of its " + (script ? "file" : "class")
                            + ", not " + filter.name());
            return filter;
        });
    }

    private static List<Field> fields(FilterDeclarations.Declared declared, Class<?> script)
            throws NoSuchFieldException {
        List<Field> fields = new ArrayList<>();
        for (String name : declared.settings().keySet()) {
            fields.add(script.getDeclaredField(name));
        }
        return fields;
    }

    /**
     * Creates a filter for each set of settings in the configuration. Filters are created during the build, so that the
     * time limit of the build covers their creation.
     */
    private void makeUsed(FilterDeclarations.Declared declared, NamedFilter named, CompiledSources compiled)
            throws FilterFaultsException {
        List<Map<String, Object>> used = uses.getOrDefault(named.name(), List.of());
        for (Map<String, Object> settings : used.isEmpty() ? List.of(Map.<String, Object>of()) : used) {
            if (!fits(named, settings)) {
                return;
            }
            SettingValues values = named.read(settings);
            // If the configuration names the filter, errors of settings are reported later, with their position in the
            // configuration. If the configuration does not name the filter, the errors have no such position, and are
            // reported here.
            if (values.faults().isEmpty()) {
                try {
                    named.make(values);
                } catch (ConfigException e) {
                    if (used.isEmpty() || e.getCause() instanceof FilterFaultsException) {
                        throw e;
                    }
                    // The refusal is reported later, with its position in the configuration.
                    List<FilterFault> refused = faults(declared, e, compiled);
                    named.refuse(values, "refused by " + refused.get(0));
                }
            } else if (used.isEmpty() && everywhere) {
                throw new FilterFaultsException(values.faults().stream()
                        .map(fault -> declared.fault(
                                fault.key(),
                                "setting " + fault.key()
                                        + " is required: name the filter in a list of the configuration"))
                        .toList());
            }
        }
    }

    /**
     * Returns whether the regular expressions in the settings are within the budget. If they are not, the error is
     * reported later, with its position in the configuration.
     */
    private boolean fits(NamedFilter named, Map<String, Object> settings) {
        try {
            named.settings()
                    .forEach(key -> NamedFilter.expressions(key, settings).forEach(expressions::charge));
            return true;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private Filter filter(FilterDeclarations.Declared declared, Constructor<?> constructor, Object... settings)
            throws Exception {
        Object object = constructor.newInstance(settings);
        Filter filter = object instanceof FilterScript script ? script.declared(declared, objects) : (Filter) object;
        require(filter != null, declared, "the script declares no filter: use filter { }, async { } or blocking { }");
        if (!(object instanceof FilterScript)) {
            objects.load(declared.file(), Objects.requireNonNull(filter));
        }
        return checked(declared, Objects.requireNonNull(filter));
    }

    /**
     * Reads every property of a filter that the generation will read later, so that an error is reported with the file
     * of the filter.
     */
    private static Filter checked(FilterDeclarations.Declared declared, Filter filter) throws FilterFaultsException {
        FilterPhase phase = declared.phase();
        require(
                filter.phase() == phase,
                declared,
                "is a filter of the phase " + PlaceInTree.name(filter.phase()) + ", but is in a directory of the phase "
                        + PlaceInTree.name(phase));
        require(!filter.name().isBlank(), declared, "the name of the filter is blank");
        boolean positive = !filter.timeout().isZero() && !filter.timeout().isNegative();
        require(positive, declared, "timeout: " + filter.timeout() + " (expected: > 0)");
        require(
                phase != FilterPhase.ERROR || filter.body().limit() == 0,
                declared,
                "declares a body, but an error filter does not wait for a body");
        require(
                !(filter instanceof BlockingFilter) || !filter.budget().isMeasured(),
                declared,
                BudgetMeter.NOT_MEASURED);
        filter.order();
        filter.onFailure();
        filter.body();
        filter.offload();
        filter.needsOriginalRequest();
        return filter;
    }

    private static void require(boolean holds, FilterDeclarations.Declared declared, String fault)
            throws FilterFaultsException {
        if (!holds) {
            throw new FilterFaultsException(declared.fault(fault));
        }
    }

    /** Converts an exception of filter code to errors with the file of the filter. */
    private List<FilterFault> faults(FilterDeclarations.Declared declared, Throwable thrown, CompiledSources compiled) {
        if (thrown instanceof FilterFaultsException refused) {
            return refused.faults();
        }
        if (thrown instanceof LinkageError) {
            broken.run();
        }
        boolean wrapped = thrown instanceof InvocationTargetException
                || thrown instanceof ExceptionInInitializerError
                || thrown instanceof ConfigException;
        return wrapped && thrown.getCause() != null
                ? faults(declared, thrown.getCause(), compiled)
                : List.of(compiled.fault(thrown, declared.fault(String.valueOf(thrown))));
    }
}
