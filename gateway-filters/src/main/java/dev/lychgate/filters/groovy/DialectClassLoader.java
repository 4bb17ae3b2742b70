package dev.lychgate.filters.groovy;

import dev.lychgate.extension.FilterDialect;
import dev.lychgate.filters.libraries.FilterClassPath;
import dev.lychgate.filters.libraries.JarClassLoader;
import java.net.URL;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Adds the classes of a {@link FilterDialect} to the class path of filters. Defines no classes itself. Two loaders are
 * equal if they find the same classes.
 */
final class DialectClassLoader extends ClassLoader {
    private final ClassLoader classes;
    private final List<String> packages;

    static {
        registerAsParallelCapable();
    }

    private DialectClassLoader(ClassLoader classes, List<String> packages) {
        super("filter-dialect", FilterClassPath.INSTANCE);
        this.classes = classes;
        this.packages = packages;
    }

    static DialectClassLoader of(FilterDialect dialect) {
        return new DialectClassLoader(dialect.getClass().getClassLoader(), List.copyOf(dialect.packages()));
    }

    /**
     * Returns the byte code of the dialect's classes in a package, by the names of the classes. Empty if the loader of
     * the dialect does not list its classes.
     */
    Map<String, byte[]> classesIn(String packageName) {
        return isInDialect(packageName + ".") && classes instanceof JarClassLoader jars
                ? jars.classesIn(packageName)
                : Map.of();
    }

    private boolean isInDialect(String className) {
        return packages.stream().anyMatch(className::startsWith);
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        return isInDialect(name) ? classes.loadClass(name) : super.loadClass(name, resolve);
    }

    @Override
    public @Nullable URL getResource(String name) {
        return name.endsWith(".class") && isInDialect(name.replace('/', '.'))
                ? classes.getResource(name)
                : super.getResource(name);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof DialectClassLoader same
                && classes.equals(same.classes)
                && packages.equals(same.packages);
    }

    @Override
    public int hashCode() {
        return packages.hashCode();
    }
}
