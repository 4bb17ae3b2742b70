package dev.lychgate.filters.groovy;

import dev.lychgate.filter.AsyncFilter;
import dev.lychgate.filter.BlockingFilter;
import dev.lychgate.filter.EndpointFilter;
import dev.lychgate.filter.ErrorFilter;
import dev.lychgate.filter.Filter;
import dev.lychgate.filter.FilterPhase;
import dev.lychgate.filter.InboundFilter;
import dev.lychgate.filter.OutboundFilter;
import dev.lychgate.filter.SyncFilter;
import dev.lychgate.filters.libraries.FilterClassPath;
import dev.lychgate.filters.libraries.JarClassLoader;
import dev.lychgate.filters.libraries.LibraryJar;
import groovy.lang.GroovyClassLoader;
import java.lang.ref.WeakReference;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The classes of the libraries of a bundle. Generations with the same jars share the classes, so that a change of a
 * script does not load the classes of libraries again.
 */
final class LibraryClasses {
    static final LibraryClasses NONE = new LibraryClasses(
            List.of(), FilterClassPath.INSTANCE, FilterClassPath.INSTANCE, GroovyFilterCompiler.LOADER);

    private final List<FilterLibrary> libraries;
    private final ClassLoader shared;
    private final ClassLoader loader;
    private final GroovyClassLoader compiling;

    /**
     * Creates the classes of the libraries of a bundle.
     *
     * @param shared the loader of the classes outside of the libraries
     */
    private LibraryClasses(
            List<FilterLibrary> libraries, ClassLoader shared, ClassLoader loader, GroovyClassLoader compiling) {
        this.libraries = libraries;
        this.shared = shared;
        this.loader = loader;
        this.compiling = compiling;
    }

    /** The libraries that the filters of one builder use. Thread-safe. */
    static final class Cache {
        private final Map<List<String>, WeakReference<LibraryClasses>> known = new ConcurrentHashMap<>();

        LibraryClasses of(FilterBundle bundle) {
            List<FilterLibrary> libraries = bundle.libraries();
            ClassLoader shared =
                    bundle.dialect() == null ? FilterClassPath.INSTANCE : DialectClassLoader.of(bundle.dialect());
            if (libraries.isEmpty() && bundle.dialect() == null) {
                return NONE;
            }
            known.values().removeIf(reference -> reference.get() == null);
            List<String> key = libraries.stream()
                    .map(library -> library.path() + " " + library.jar().digest())
                    .toList();
            WeakReference<LibraryClasses> reference = known.get(key);
            LibraryClasses used = reference == null ? null : reference.get();
            if (used == null || !used.shared.equals(shared)) {
                Map<String, LibraryJar> jars = new LinkedHashMap<>();
                libraries.forEach(library -> jars.put(library.path(), library.jar()));
                // A jar from another gateway may contain the base classes of that gateway's filters, which the dialect
                // replaces.
                List<String> ofDialect =
                        bundle.dialect() == null ? List.of() : bundle.dialect().packages();
                ClassLoader loader = jars.isEmpty() ? shared : new JarClassLoader("libraries", jars, shared, ofDialect);
                used = new LibraryClasses(libraries, shared, loader, GroovyFilterCompiler.loader(loader));
                known.put(key, new WeakReference<>(used));
            }
            return used;
        }
    }

    boolean isEmpty() {
        return libraries.isEmpty();
    }

    /** Returns the parent loader of the classes of filters. */
    ClassLoader loader() {
        return loader;
    }

    /** Returns the loader in which the compiler looks up classes. */
    GroovyClassLoader compiling() {
        return compiling;
    }

    /**
     * Returns the place of the class that hides {@code className} in filter code: the name of the jar, or the text "the
     * class path of the gateway". Returns null if no class hides {@code className}.
     */
    @Nullable
    String placeOf(String className) {
        String jar = loader instanceof JarClassLoader jars ? jars.nameOf(className) : null;
        boolean found = jar != null || loader.getResource(className.replace('.', '/') + ".class") != null;
        return found && jar == null ? "the class path of the gateway" : jar;
    }

    /**
     * Returns the filters that the jars declare as services for {@link java.util.ServiceLoader}.
     *
     * @throws FilterFaultsException if classes have errors; the exception lists all errors
     */
    List<FilterDeclarations.Declared> filters() throws FilterFaultsException {
        List<FilterDeclarations.Declared> found = new ArrayList<>();
        List<FilterFault> faults = new ArrayList<>();
        for (FilterLibrary library : libraries) {
            Set<String> packages = new TreeSet<>();
            for (String type : library.jar().providers(Filter.class.getName())) {
                try {
                    List<FilterDeclarations.Declared> declared =
                            declared(library.path(), Class.forName(type, false, loader), null);
                    found.addAll(declared);
                    packages.add(type.substring(0, Math.max(0, type.lastIndexOf('.'))));
                    if (declared.isEmpty()) {
                        faults.add(FilterFault.of(library.path(), "class " + type + " is not a filter"));
                    }
                } catch (ClassNotFoundException | LinkageError e) {
                    faults.add(FilterFault.of(library.path(), "class " + type + " can't be loaded: " + e));
                } catch (FilterFaultsException e) {
                    faults.addAll(e.faults());
                }
            }
            packages.forEach(each -> library.jar()
                    .classesIn(each)
                    .forEach((type, code) -> CompiledExitCalls.in(code)
                            .forEach(call -> faults.add(FilterFault.of(
                                    library.path(), "class " + type + call.place() + ": " + call.message())))));
        }
        if (!faults.isEmpty()) {
            throw new FilterFaultsException(faults);
        }
        return found;
    }

    /**
     * Returns the filter that a class declares; an empty list if the class declares no filter.
     *
     * @param expected the phase of the directory of the class; null if every phase is accepted
     * @throws FilterFaultsException if the class is not a filter with exactly one phase and one form
     */
    static List<FilterDeclarations.Declared> declared(String file, Class<?> type, @Nullable FilterPhase expected)
            throws FilterFaultsException {
        if (!Filter.class.isAssignableFrom(type) || Modifier.isAbstract(type.getModifiers())) {
            return List.of();
        }
        List<FilterPhase> phases = Stream.of(
                        phase(type, InboundFilter.class, FilterPhase.INBOUND),
                        phase(type, EndpointFilter.class, FilterPhase.ENDPOINT),
                        phase(type, OutboundFilter.class, FilterPhase.OUTBOUND),
                        phase(type, ErrorFilter.class, FilterPhase.ERROR))
                .flatMap(phase -> phase)
                .toList();
        boolean isOneForm = Stream.of(SyncFilter.class, AsyncFilter.class, BlockingFilter.class)
                        .filter(form -> form.isAssignableFrom(type))
                        .count()
                == 1;
        if (phases.size() != 1 || !isOneForm) {
            throw new FilterFaultsException(FilterFault.of(
                    file,
                    "class " + type.getName() + " must implement one of InboundFilter, EndpointFilter, OutboundFilter"
                            + " and ErrorFilter, and one of SyncFilter, AsyncFilter and BlockingFilter"));
        }
        FilterPhase phase = phases.get(0);
        if (expected != null && phase != expected) {
            throw new FilterFaultsException(FilterFault.of(
                    file,
                    "class " + type.getName() + " is a filter of the phase " + PlaceInTree.name(phase)
                            + ", but is in a directory of the phase " + PlaceInTree.name(expected)));
        }
        return List.of(new FilterDeclarations.Declared(type.getName(), file, type.getSimpleName(), phase, 0, Map.of()));
    }

    private static Stream<FilterPhase> phase(Class<?> type, Class<?> of, FilterPhase phase) {
        return of.isAssignableFrom(type) ? Stream.of(phase) : Stream.of();
    }
}
