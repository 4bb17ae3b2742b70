package dev.lychgate.filters.groovy;

import dev.lychgate.filters.libraries.FilterClassPath;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.codehaus.groovy.runtime.InvokerHelper;
import org.jspecify.annotations.Nullable;

/**
 * Defines the classes of a {@link FileGroup}, for all generations that have the same files in the group and in the
 * groups that it uses. Unlike the loaders of Groovy, it has no caches and compiles nothing, and it can be
 * garbage-collected once its classes are unused.
 */
final class GroupClassLoader extends ClassLoader {
    private final FileGroup group;
    /**
     * The libraries. The reference keeps them in memory, so that the next generation with the same jars reuses them.
     */
    private final LibraryClasses libraries;

    private final List<GroupClassLoader> uses;
    /** The loaders of the groups that this group uses, directly or indirectly. */
    private final Map<String, GroupClassLoader> others = new HashMap<>();

    private final Queue<Class<?>> defined = new ConcurrentLinkedQueue<>();
    /** The groups of threads that the filters start while they are built. */
    private final Set<ThreadGroup> threads =
            Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

    /** The generations with this loader that have not been released; guarded by this object's lock. */
    private int generations;

    private volatile boolean released;
    private volatile @Nullable WeakReference<ClassLoader> witness;

    /** @param uses the loaders of the groups that the group uses */
    GroupClassLoader(FileGroup group, LibraryClasses libraries, List<GroupClassLoader> uses) {
        super("filters", libraries.loader());
        this.group = group;
        this.libraries = libraries;
        this.uses = uses;
        for (GroupClassLoader used : uses) {
            others.putAll(used.others);
            used.files().forEach(file -> others.put(file, used));
        }
    }

    String key() {
        return group.key();
    }

    Set<String> files() {
        return group.files();
    }

    CompiledSources code() {
        return group.code();
    }

    /** Returns the names of the top-level classes with their files, for messages. */
    List<String> classes() {
        List<String> classes = new ArrayList<>();
        code().fileOf().forEach((name, file) -> {
            if (files().contains(file) && name.indexOf('$') < 0) {
                classes.add(name + " (" + file + ")");
            }
        });
        return classes;
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
        byte[] bytes = code().byteCode().get(name);
        if (bytes == null) {
            String file = code().fileOf(name);
            GroupClassLoader other = file == null ? null : others.get(file);
            if (other == null) {
                throw FilterClassPath.notFound(name);
            }
            return other.loadClass(name);
        }
        // Uses the gateway's protection domain, because a thread retains the domains of the code that started it. With
        // a domain of this loader, every thread pool that grows during a call of a filter would retain the loader.
        Class<?> type = defineClass(name, bytes, 0, bytes.length, GroupClassLoader.class.getProtectionDomain());
        defined.add(type);
        return type;
    }

    /** Returns whether this loader finds classes in exactly these loaders. */
    boolean isFor(LibraryClasses jars, List<GroupClassLoader> loaders) {
        // Loaders have no equals().
        return libraries == jars && uses.equals(loaders);
    }

    /**
     * Adds a generation.
     *
     * @return false if all generations of this loader have been released; the loader must then not be used again
     */
    synchronized boolean join(ThreadGroup building) {
        if (released) {
            return false;
        }
        generations++;
        threads.add(building);
        return true;
    }

    /**
     * Removes a generation. If no generation is left, releases the data about the classes.
     *
     * @param since see {@link #isRetained}
     */
    synchronized void leave(WeakReference<ClassLoader> since) {
        generations--;
        if (generations == 0) {
            released = true;
            witness = since;
            release();
        }
    }

    /**
     * Releases the data that Groovy's runtime and the JDK's bean introspection keep about the classes. Both use soft
     * references, which would retain the classes for hours if memory is plentiful. Code that still runs may restore the
     * data; the next call releases it again.
     */
    void release() {
        defined.forEach(InvokerHelper::removeClass);
    }

    boolean isReleased() {
        return released;
    }

    /** Returns whether classes have been unloaded since the release, but not the classes of this loader. */
    boolean isRetained() {
        WeakReference<ClassLoader> since = witness;
        return since != null && since.get() == null;
    }

    /** Returns whether a thread keeps the classes in memory, or was started while the classes were built. */
    boolean isOf(Thread thread, StackTraceElement[] stack) {
        if (thread.getClass().getClassLoader() == this || thread.getContextClassLoader() == this) {
            return true;
        }
        // The thread of a build that is complete ends soon. One that still runs has the classes on its stack.
        ThreadGroup its = BuildThread.isBuild(thread) ? null : thread.getThreadGroup();
        if (its != null && its.getName().equals(BuildThread.GROUP) && threads.contains(its)) {
            return true;
        }
        for (StackTraceElement frame : stack) {
            if (code().byteCode().containsKey(frame.getClassName())) {
                return true;
            }
        }
        return false;
    }

    /**
     * Returns a loader to which nothing else refers, so that it is garbage-collected as soon as classes are unloaded.
     */
    static WeakReference<ClassLoader> witness() {
        return new WeakReference<>(new Witness());
    }

    private static final class Witness extends ClassLoader {
        /**
         * The only class of the witness loader. The loader needs a class, because a loader without classes may be
         * collected before any classes are unloaded.
         */
        private interface Loaded {}

        Witness() {
            super("witness", null);
            try (InputStream code = Witness.class.getResourceAsStream("GroupClassLoader$Witness$Loaded.class")) {
                byte[] bytes = Objects.requireNonNull(code).readAllBytes();
                defineClass(Loaded.class.getName(), bytes, 0, bytes.length);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
