package dev.lychgate.filters.state;

import groovy.lang.GroovySystem;
import groovy.lang.MetaClass;
import io.netty.util.concurrent.FastThreadLocalThread;
import java.lang.reflect.Field;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Finds the roots that keep the classes of given loaders in memory. Roots are static fields, thread locals, system
 * properties and Groovy's meta classes. The search follows references from each root to at most {@value #MOST_OBJECTS}
 * objects. It follows arrays, collections of the JDK, and fields of classes outside of the JDK.
 *
 * <p>Reads fields by reflection. Static fields and thread locals are readable only if the packages {@code java.lang}
 * and {@code jdk.internal.misc} are open. The gateway's jar opens them. Blocks for up to some seconds, and must not run
 * on an event loop.
 */
public final class ReferenceSearch {
    private static final int MOST_OBJECTS = 50_000;

    private final Predicate<@Nullable ClassLoader> wanted;
    private final List<String> found = new ArrayList<>();
    private final Initialization initialization = Initialization.ofJdk();

    private ReferenceSearch(Predicate<@Nullable ClassLoader> wanted) {
        this.wanted = wanted;
    }

    /**
     * Returns the names of the roots that refer to a class or an object of a wanted loader.
     *
     * @param wanted accepts the wanted loaders
     * @param classes the classes whose static fields are searched; classes that are not initialized yet are skipped
     */
    public static List<String> roots(Predicate<@Nullable ClassLoader> wanted, Collection<Class<?>> classes) {
        ReferenceSearch search = new ReferenceSearch(wanted);
        classes.forEach(search::staticFields);
        Thread.getAllStackTraces().keySet().forEach(search::threadLocals);
        search.metaClasses();
        System.getProperties().forEach((name, value) -> search.add("system property '" + name + "'", value));
        return search.found;
    }

    /** Returns whether thread locals and static fields can be read. */
    public static boolean isComplete() {
        return Initialization.ofJdk() != Initialization.UNKNOWN && ThreadLocals.AVAILABLE;
    }

    private void staticFields(Class<?> type) {
        if (wanted.test(type.getClassLoader()) || !initialization.isComplete(type)) {
            return;
        }
        for (Field field : fields(type)) {
            if (Modifier.isStatic(field.getModifiers())) {
                add("static field " + type.getName() + "." + field.getName(), value(field, null));
            }
        }
    }

    private void threadLocals(Thread thread) {
        for (Object value : ThreadLocals.of(thread)) {
            add("a thread local of thread '" + thread.getName() + "'", value);
        }
    }

    private void metaClasses() {
        for (Iterator<?> i = GroovySystem.getMetaClassRegistry().iterator(); i.hasNext(); ) {
            if (i.next() instanceof MetaClass meta
                    && !wanted.test(meta.getTheClass().getClassLoader())) {
                add("the meta class of " + meta.getTheClass().getName(), meta);
            }
        }
    }

    private void add(String root, @Nullable Object value) {
        if (!found.contains(root) && reaches(value)) {
            found.add(root);
        }
    }

    private boolean reaches(@Nullable Object root) {
        Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        Deque<Object> next = new ArrayDeque<>();
        enqueue(root, seen, next);
        while (!next.isEmpty()) {
            Object object = next.remove();
            if (isWanted(object)) {
                return true;
            }
            references(object, reference -> enqueue(reference, seen, next));
        }
        return false;
    }

    private static void enqueue(@Nullable Object object, Set<Object> seen, Deque<Object> next) {
        if (object != null && seen.size() < MOST_OBJECTS && seen.add(object)) {
            next.add(object);
        }
    }

    private boolean isWanted(Object object) {
        if (object instanceof ClassLoader loader) {
            return wanted.test(loader);
        }
        return wanted.test((object instanceof Class<?> type ? type : object.getClass()).getClassLoader());
    }

    private static void references(Object object, Consumer<@Nullable Object> to) {
        if (object instanceof Object[] array) {
            for (Object element : array) {
                to.accept(element);
            }
        } else if (object.getClass().getClassLoader() == null) {
            ofJdk(object, to);
        } else if (!(object instanceof ClassLoader)) {
            for (Class<?> type = object.getClass();
                    type != null && type.getClassLoader() != null;
                    type = type.getSuperclass()) {
                for (Field field : fields(type)) {
                    if (!Modifier.isStatic(field.getModifiers())) {
                        to.accept(value(field, object));
                    }
                }
            }
        }
    }

    /**
     * Follows collections, maps, atomic references and {@code Optional}; the fields of other classes of the JDK are not
     * accessible.
     */
    private static void ofJdk(Object object, Consumer<@Nullable Object> to) {
        try {
            if (object instanceof Map<?, ?> map) {
                map.forEach((key, value) -> {
                    to.accept(key);
                    to.accept(value);
                });
            } else if (object instanceof Collection<?> all) {
                all.forEach(to);
            } else if (object instanceof AtomicReference<?> reference) {
                to.accept(reference.get());
            } else if (object instanceof AtomicReferenceArray<?> array) {
                for (int i = 0; i < array.length(); i++) {
                    to.accept(array.get(i));
                }
            } else if (object instanceof Optional<?> optional) {
                to.accept(optional.orElse(null));
            }
        } catch (RuntimeException e) {
            // Another thread has changed the collection; the elements so far are followed.
        }
    }

    private static Field[] fields(Class<?> type) {
        try {
            return type.getDeclaredFields();
        } catch (LinkageError | SecurityException e) {
            return new Field[0];
        }
    }

    private static @Nullable Object value(Field field, @Nullable Object of) {
        try {
            if (field.getType().isPrimitive()) {
                return null;
            }
            field.setAccessible(true);
            return field.get(of);
        } catch (IllegalAccessException | InaccessibleObjectException | LinkageError e) {
            return null;
        }
    }

    /**
     * Determines whether a class is initialized. Reading a static field of an uninitialized class would initialize it.
     */
    private interface Initialization {
        Initialization UNKNOWN = type -> false;

        boolean isComplete(Class<?> type);

        /** Returns a test that calls an internal method of the JDK; {@link #UNKNOWN} if its package is not open. */
        static Initialization ofJdk() {
            try {
                Class<?> internal = Class.forName("jdk.internal.misc.Unsafe");
                Method unsafe = internal.getMethod("getUnsafe");
                Method missing = internal.getMethod("shouldBeInitialized", Class.class);
                unsafe.setAccessible(true);
                missing.setAccessible(true);
                Object instance = unsafe.invoke(null);
                return type -> {
                    try {
                        return Boolean.FALSE.equals(missing.invoke(instance, type));
                    } catch (ReflectiveOperationException e) {
                        return false;
                    }
                };
            } catch (ReflectiveOperationException | RuntimeException e) {
                return UNKNOWN;
            }
        }
    }

    /** The values of the thread locals of a thread. */
    private static final class ThreadLocals {
        private static final List<Field> MAPS = maps();
        static final boolean AVAILABLE = !MAPS.isEmpty();

        private static List<Field> maps() {
            try {
                List<Field> maps = List.of(
                        Thread.class.getDeclaredField("threadLocals"),
                        Thread.class.getDeclaredField("inheritableThreadLocals"));
                maps.forEach(field -> field.setAccessible(true));
                return maps;
            } catch (NoSuchFieldException | InaccessibleObjectException e) {
                return List.of();
            }
        }

        static List<Object> of(Thread thread) {
            List<Object> values = new ArrayList<>();
            for (Field field : MAPS) {
                addEntries(value(field, thread), values);
            }
            if (thread instanceof FastThreadLocalThread fast && fast.threadLocalMap() != null) {
                values.add(fast.threadLocalMap());
            }
            return values;
        }

        private static void addEntries(@Nullable Object map, List<Object> values) {
            if (map == null || !(field(map, "table") instanceof Object[] table)) {
                return;
            }
            for (Object entry : table) {
                Object value = entry == null ? null : field(entry, "value");
                if (value != null) {
                    values.add(value);
                }
            }
        }

        private static @Nullable Object field(Object object, String name) {
            try {
                return value(object.getClass().getDeclaredField(name), object);
            } catch (NoSuchFieldException e) {
                return null;
            }
        }
    }
}
