package dev.lychgate.filters.groovy;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The class loaders of the generations in use. A new generation reuses the classes of a file if this file, all files
 * that it uses directly or indirectly, and the jars are unchanged. Thread-safe.
 */
final class LoadedClasses {
    private final Map<String, WeakReference<GroupClassLoader>> byKey = new ConcurrentHashMap<>();

    /**
     * Returns a loader for a bundle of a new generation. For each group of files in the bundle, the generation shares
     * the loader that is in use. If no loader for the group is in use, the generation gets a new loader.
     */
    FilterClassLoader loader(FilterBundle bundle, CompiledSources code, LibraryClasses libraries) {
        Map<String, GroupClassLoader> loaders = new HashMap<>();
        List<GroupClassLoader> all = new ArrayList<>();
        for (FileGroup group : FileGroup.of(bundle, code)) {
            GroupClassLoader loader = loader(
                    group,
                    libraries,
                    group.uses().stream()
                            .map(used -> Objects.requireNonNull(loaders.get(used.key())))
                            .toList());
            loaders.put(group.key(), loader);
            all.add(loader);
        }
        return new FilterClassLoader(bundle.prefix(), code, libraries, all);
    }

    private GroupClassLoader loader(FileGroup group, LibraryClasses libraries, List<GroupClassLoader> uses) {
        ThreadGroup building = Thread.currentThread().getThreadGroup();
        WeakReference<GroupClassLoader> reference = byKey.get(group.key());
        GroupClassLoader used = reference == null ? null : reference.get();
        if (used != null && used.isFor(libraries, uses) && used.join(building)) {
            return used;
        }
        GroupClassLoader fresh = new GroupClassLoader(group, libraries, uses);
        fresh.join(building);
        return fresh;
    }

    /** Makes the classes of a completely built generation available to later generations. */
    void add(List<FilterClassLoader> built) {
        byKey.values().removeIf(reference -> reference.get() == null);
        built.forEach(loader -> loader.groups().forEach(group -> byKey.put(group.key(), new WeakReference<>(group))));
    }

    /** Makes the next generation load all classes again, because the static state of loaded classes may be invalid. */
    void clear() {
        byKey.clear();
    }
}
