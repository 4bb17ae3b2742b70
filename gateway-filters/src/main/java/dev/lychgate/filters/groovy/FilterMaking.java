package dev.lychgate.filters.groovy;

import dev.lychgate.filter.Filter;
import dev.lychgate.filter.FilterPhase;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;

/** Makes the filters of a generation, one after the other: constructors and scripts run here. */
final class FilterMaking {
    private final CompiledSources compiled;
    private final FilterClassLoader loader;
    private final AtomicReference<String> inWork;
    private final List<FilterFault> faults = new ArrayList<>();

    FilterMaking(CompiledSources compiled, FilterClassLoader loader, AtomicReference<String> inWork) {
        this.compiled = compiled;
        this.loader = loader;
        this.inWork = inWork;
    }

    /** @throws FilterFaultsException with the faults of all of them */
    List<GroovyFilter> make() throws FilterFaultsException {
        Map<String, String> files = new HashMap<>();
        List<GroovyFilter> made = new ArrayList<>();
        for (FilterDeclarations.Declared declared : compiled.filters()) {
            inWork.set(declared.file());
            try {
                GroovyFilter filter = checked(declared, instance(declared));
                made.add(filter);
                String name = PlaceInTree.name(filter.phase()) + " filter " + filter.name();
                String other = files.putIfAbsent(name, declared.file());
                if (other != null) {
                    faults.add(declared.fault("there is an " + name + " already, in " + other));
                }
            } catch (FilterFaultsException e) {
                faults.addAll(e.faults());
            } catch (InvocationTargetException | ExceptionInInitializerError e) {
                failed(declared, e.getCause() == null ? e : e.getCause());
            } catch (Throwable e) {
                // Code of the file has thrown it, and only here the file is known.
                failed(declared, e);
            }
        }
        if (!faults.isEmpty()) {
            throw new FilterFaultsException(faults);
        }
        return made;
    }

    private Filter instance(FilterDeclarations.Declared declared)
            throws FilterFaultsException, ReflectiveOperationException {
        Class<?> type = Class.forName(declared.className(), true, loader);
        // Code of the file may throw a NoSuchMethodException of its own, so that the constructor is not looked up by
        // name.
        Constructor<?> constructor = Stream.of(type.getConstructors())
                .filter(one -> one.getParameterCount() == 0)
                .findFirst()
                .orElse(null);
        require(
                constructor != null,
                declared,
                "class " + declared.className() + " has no public constructor without parameters");
        Object object = Objects.requireNonNull(constructor).newInstance();
        Filter filter = object instanceof FilterScript script ? script.declared(declared) : (Filter) object;
        require(filter != null, declared, "the script declares no filter: by filter { }, async { } or blocking { }");
        return Objects.requireNonNull(filter);
    }

    /** Reads every setting that the generation will read, so that a fault is reported with its file. */
    private static GroovyFilter checked(FilterDeclarations.Declared declared, Filter filter)
            throws FilterFaultsException {
        FilterPhase phase = declared.phase();
        require(
                filter.phase() == phase,
                declared,
                "is a filter of the phase " + PlaceInTree.name(filter.phase()) + ", in a directory of the phase "
                        + PlaceInTree.name(phase));
        require(!filter.name().isBlank(), declared, "a filter without a name");
        boolean positive = !filter.timeout().isZero() && !filter.timeout().isNegative();
        require(positive, declared, "a timeout of " + filter.timeout() + " (expected: > 0)");
        require(
                phase != FilterPhase.ERROR || filter.body().limit() == 0,
                declared,
                "asks for a body, and where something failed there is none to wait for");
        filter.order();
        filter.onFailure();
        filter.body();
        return new GroovyFilter(filter.name(), phase, declared.file(), filter);
    }

    private static void require(boolean holds, FilterDeclarations.Declared declared, String fault)
            throws FilterFaultsException {
        if (!holds) {
            throw new FilterFaultsException(declared.fault(fault));
        }
    }

    private void failed(FilterDeclarations.Declared declared, Throwable thrown) {
        faults.add(compiled.fault(thrown, declared.fault(String.valueOf(thrown))));
    }
}
