package dev.lychgate.filters.groovy;

import dev.lychgate.filters.libraries.FilterClassPath;
import java.lang.ref.WeakReference;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Finds the classes of a bundle in one generation. The classes are defined by the loaders of file groups, which several
 * generations share.
 */
final class FilterClassLoader extends ClassLoader {
    private final String bundle;
    private final CompiledSources code;
    private final LibraryClasses libraries;
    private final List<GroupClassLoader> groups;
    private final Map<String, GroupClassLoader> byFile = new HashMap<>();
    private final AtomicBoolean released = new AtomicBoolean();

    /**
     * Creates a loader that finds the classes of one bundle.
     *
     * @param bundle the prefix of the paths of the bundle's files
     * @param groups the loaders of the file groups; the generation has been added to the users of each loader
     */
    FilterClassLoader(String bundle, CompiledSources code, LibraryClasses libraries, List<GroupClassLoader> groups) {
        super("generation", libraries.loader());
        this.bundle = bundle;
        this.code = code;
        this.libraries = libraries;
        this.groups = groups;
        groups.forEach(group -> group.files().forEach(file -> byFile.put(file, group)));
    }

    String bundle() {
        return bundle;
    }

    LibraryClasses libraries() {
        return libraries;
    }

    CompiledSources code() {
        return code;
    }

    List<GroupClassLoader> groups() {
        return groups;
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
        String file = code.fileOf(name);
        GroupClassLoader group = file == null ? null : byFile.get(file);
        if (group == null) {
            throw FilterClassPath.notFound(name);
        }
        return group.loadClass(name);
    }

    /** Leaves the loaders of the groups, and so releases the classes that no other generation uses. Idempotent. */
    void release() {
        if (released.compareAndSet(false, true)) {
            WeakReference<ClassLoader> since = GroupClassLoader.witness();
            groups.forEach(group -> group.leave(since));
        }
    }

    boolean isReleased() {
        return released.get();
    }
}
