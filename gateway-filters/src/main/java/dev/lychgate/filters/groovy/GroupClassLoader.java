package dev.lychgate.filters.groovy;

import dev.lychgate.filters.libraries.FilterClassPath;
import dev.lychgate.filters.libraries.JarClassLoader;
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
import java.util.stream.Stream;
import org.codehaus.groovy.runtime.InvokerHelper;
import org.jspecify.annotations.Nullable;

/**
 * Defines the classes of a {@link FileGroup}. Generations share the loader while the files of the group, and of the
 * groups that it uses, are unchanged. In contrast to Groovy's loaders, this loader has no caches and compiles nothing.
 * It can be garbage-collected as soon as its classes are unused.
 */
final class GroupClassLoader extends ClassLoader {
    private final FileGroup group;
    /**
     * The classes of the libraries. This reference keeps the classes in memory, so that the next generation with the
     * same jars reuses them.
     */
    private final LibraryClasses libraries;

    private final List<GroupClassLoader> uses;
    /** The loaders of the groups that this group uses, directly or indirectly. */
    private final Map<String, GroupClassLoader> others = new HashMap<>();

    private final Queue<Class<?>> defined = new ConcurrentLinkedQueue<>();
    /**
     * The thread groups of the builds. The threads that filters start during a build belong to the thread group of the
     * build.
     */
    private final Set<ThreadGroup> threads =
            Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

    /**
     * The number of generations that use this loader and have not been released; guarded by the lock of this object.
     */
    private int generations;

    private volatile boolean released;
    private volatile @Nullable WeakReference<ClassLoader> witness;

    /**
     * Creates a loader that has defined no classes yet.
     *
     * @param uses the loaders of the groups that {@code group} uses
     */
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

    /** Returns the names of the top-level classes, each with its file, for messages. */
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
        // Uses the protection domain of the gateway, because a thread keeps the domains of the code that started it.
        // With a domain of this loader, a thread that a pool starts during a call of a filter would keep the loader in
        // memory.
        Class<?> type = defineClass(name, bytes, 0, bytes.length, GroupClassLoader.class.getProtectionDomain());
        defined.add(type);
        LazyMetaClass.setFor(type, bytes);
        return type;
    }

    /** Returns whether this loader finds classes in exactly these libraries and loaders. */
    boolean isFor(LibraryClasses jars, List<GroupClassLoader> loaders) {
        // Class loaders do not override equals(), so they are compared by identity.
        return libraries == jars && uses.equals(loaders);
    }

    /**
     * Adds a generation to the users of this loader.
     *
     * @return false if all generations that used this loader have been released, in which case the loader must not be
     *     used again
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
     * Removes a generation from the users of this loader. If no generation is left, releases the data about the
     * classes.
     *
     * @param since a new {@link #witness()}, from which {@link #isRetained} detects that the JVM has unloaded classes
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
     * Releases the data that Groovy's runtime and the JDK's bean introspection keep about the classes. These caches
     * have soft references, which could keep the classes in memory for hours. Code that still runs may restore the
     * data; the next call of this method releases the data again.
     */
    void release() {
        defined.forEach(InvokerHelper::removeClass);
    }

    /**
     * Returns the classes whose static fields outlive a generation: the classes of this loader, and the classes of the
     * libraries.
     */
    Stream<Class<?>> withStaticFields() {
        Stream<Class<?>> ofJars =
                libraries.loader() instanceof JarClassLoader jars ? jars.defined().stream() : Stream.of();
        return Stream.concat(defined.stream(), ofJars);
    }

    boolean isReleased() {
        return released;
    }

    /**
     * Returns whether this loader is still in memory although the JVM has unloaded other classes since the release of
     * this loader.
     */
    boolean isRetained() {
        WeakReference<ClassLoader> since = witness;
        return since != null && since.get() == null;
    }

    /**
     * Returns whether a thread keeps the classes in memory, or was started by a filter while the filters were built.
     */
    boolean isOf(Thread thread, StackTraceElement[] stack) {
        if (thread.getClass().getClassLoader() == this || thread.getContextClassLoader() == this) {
            return true;
        }
        // The group of the thread of a build is not examined. If the build is complete, its thread ends soon. If the
        // build still runs, the classes are on the stack of its thread.
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
     * Returns a weak reference to a class loader to which no other reference exists. The JVM clears the reference as
     * soon as it unloads classes.
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
