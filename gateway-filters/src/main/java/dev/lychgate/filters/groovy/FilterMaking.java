package dev.lychgate.filters.groovy;

import dev.lychgate.filter.Filter;
import dev.lychgate.filter.FilterPhase;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Makes the filters of a generation, one after the other: constructors and scripts run here. */
final class FilterMaking {
    private final CompiledSources compiled;
    private final FilterClassLoader loader;
    private final FileInWork inWork;
    private final List<FilterFault> faults = new ArrayList<>();

    FilterMaking(CompiledSources compiled, FilterClassLoader loader, FileInWork inWork) {
        this.compiled = compiled;
        this.loader = loader;
        this.inWork = inWork;
    }

    /** @throws FilterFaultsException with the faults of all of them */
    List<GroovyFilter> make() throws FilterFaultsException {
        Map<String, FilterDeclaration> names = new HashMap<>();
        List<GroovyFilter> made = new ArrayList<>();
        for (FilterDeclaration declaration : compiled.filters()) {
            inWork.begin(declaration.file());
            GroovyFilter filter = make(declaration);
            if (filter == null) {
                continue;
            }
            FilterDeclaration other =
                    names.putIfAbsent(PlaceInTree.name(filter.phase()) + " filter " + filter.name(), declaration);
            if (other != null) {
                faults.add(declaration.fault("there is an " + PlaceInTree.name(filter.phase()) + " filter "
                        + filter.name() + " already, in " + other.file()));
            }
            made.add(filter);
        }
        if (!faults.isEmpty()) {
            throw new FilterFaultsException(faults);
        }
        return made;
    }

    private @Nullable GroovyFilter make(FilterDeclaration declaration) {
        try {
            Class<?> type = Class.forName(declaration.className(), true, loader);
            Constructor<?> constructor = constructor(type);
            if (constructor == null) {
                faults.add(declaration.fault(
                        "class " + declaration.className() + " has no public constructor without parameters"));
                return null;
            }
            Object object = constructor.newInstance();
            Filter filter = object instanceof FilterScript script ? script.declared(declaration) : (Filter) object;
            if (filter == null) {
                faults.add(
                        declaration.fault("the script declares no filter: by filter { }, async { } or blocking { }"));
                return null;
            }
            return checked(declaration, filter);
        } catch (InvocationTargetException | ExceptionInInitializerError e) {
            failed(declaration, e.getCause() == null ? e : e.getCause());
        } catch (Throwable e) {
            // Whatever it is: code of the file has thrown it, and nobody but this knows which file that was.
            failed(declaration, e);
        }
        return null;
    }

    /** Not from within the code of the file, which may throw a NoSuchMethodException of its own. */
    private static @Nullable Constructor<?> constructor(Class<?> type) {
        try {
            return type.getConstructor();
        } catch (NoSuchMethodException e) {
            return null;
        }
    }

    /** Asks for everything that the generation will ask for, so that a fault is told with its file. */
    private @Nullable GroovyFilter checked(FilterDeclaration declaration, Filter filter) {
        if (filter.phase() != declaration.phase()) {
            faults.add(declaration.fault("is a filter of the phase " + PlaceInTree.name(filter.phase())
                    + ", in a directory of the phase " + PlaceInTree.name(declaration.phase())));
            return null;
        }
        if (filter.name().isBlank()) {
            faults.add(declaration.fault("a filter without a name"));
            return null;
        }
        if (filter.timeout().isZero() || filter.timeout().isNegative()) {
            faults.add(declaration.fault("a timeout of " + filter.timeout() + " (expected: > 0)"));
            return null;
        }
        if (filter.phase() == FilterPhase.ERROR && filter.body().limit() > 0) {
            faults.add(declaration.fault("asks for a body, and where something failed there is none to wait for"));
            return null;
        }
        filter.order();
        filter.onFailure();
        filter.body();
        return new GroovyFilter(filter.name(), declaration.phase(), declaration.file(), filter);
    }

    private void failed(FilterDeclaration declaration, Throwable thrown) {
        faults.add(compiled.fault(thrown, declaration.fault(String.valueOf(thrown))));
    }
}
