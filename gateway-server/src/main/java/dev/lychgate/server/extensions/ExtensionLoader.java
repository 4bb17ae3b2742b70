package dev.lychgate.server.extensions;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLConnection;
import java.net.URLStreamHandler;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Holds the classes of one extension. A class of the extension's own jar wins over the same class of the gateway, except for
 * the packages that both share. The whole jar is in memory: a jar that is overwritten does not affect classes that are
 * loaded later, and nothing has to be closed. The loader is collected with the last object of one of its classes.
 */
final class ExtensionLoader extends ClassLoader {
    /** Packages of the JDK, of the gateway, and of the libraries in its API. */
    private static final List<String> SHARED = List.of(
            "java.",
            "javax.",
            "jdk.",
            "sun.",
            "com.sun.",
            "dev.lychgate.",
            "io.netty.",
            "org.slf4j.",
            "org.jspecify.",
            "groovy.",
            "org.codehaus.groovy.",
            "org.apache.groovy.",
            "io.reactivex.rxjava3.",
            "org.reactivestreams.");

    /** The most unpacked bytes of a jar. */
    private static final int MOST_BYTES = 128 << 20;

    static {
        registerAsParallelCapable();
    }

    private final Map<String, byte[]> entries;

    private ExtensionLoader(String extension, Map<String, byte[]> entries) {
        super(extension, ExtensionLoader.class.getClassLoader());
        this.entries = entries;
    }

    /** Reads a whole jar. @throws IOException also if its content is too large to be held in memory */
    static ExtensionLoader of(String extension, Path jar) throws IOException {
        Map<String, byte[]> entries = new ConcurrentHashMap<>();
        int left = MOST_BYTES;
        try (JarFile file = new JarFile(jar.toFile(), false)) {
            for (JarEntry entry : Collections.list(file.entries())) {
                if (!entry.isDirectory()) {
                    try (InputStream content = file.getInputStream(entry)) {
                        byte[] bytes = content.readNBytes(left + 1);
                        left -= bytes.length;
                        if (left < 0) {
                            throw new IOException("more than " + (MOST_BYTES >> 20) + " MiB of content");
                        }
                        entries.put(entry.getName(), bytes);
                    }
                }
            }
        }
        return new ExtensionLoader(extension, entries);
    }

    /** Returns the name of the extension that contains {@code type}; null if none does. */
    static @Nullable String extensionOf(Class<?> type) {
        return type.getClassLoader() instanceof ExtensionLoader loader ? loader.getName() : null;
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (SHARED.stream().noneMatch(name::startsWith)) {
            synchronized (getClassLoadingLock(name)) {
                Class<?> loaded = findLoadedClass(name);
                if (loaded != null) {
                    return loaded;
                }
                byte[] code = entries.get(file(name));
                if (code != null) {
                    return define(name, code);
                }
            }
        }
        return super.loadClass(name, resolve);
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
        byte[] code = entries.get(file(name));
        if (code == null) {
            throw new ClassNotFoundException(name);
        }
        return define(name, code);
    }

    private Class<?> define(String name, byte[] code) {
        // The gateway's own domain: a thread keeps the domains of the code that started it, and a domain of this loader
        // would keep the loader.
        Class<?> type = defineClass(name, code, 0, code.length, ExtensionLoader.class.getProtectionDomain());
        entries.remove(file(name));
        return type;
    }

    private static String file(String className) {
        return className.replace('.', '/') + ".class";
    }

    @Override
    public @Nullable URL getResource(String name) {
        URL own = findResource(name);
        return own == null ? super.getResource(name) : own;
    }

    /** Returns the resources of the jar, or else those of the gateway: providers of both would be of different types. */
    @Override
    public Enumeration<URL> getResources(String name) throws IOException {
        return findResource(name) == null ? super.getResources(name) : findResources(name);
    }

    @Override
    protected Enumeration<URL> findResources(String name) {
        return Collections.enumeration(Stream.ofNullable(findResource(name)).toList());
    }

    @Override
    protected @Nullable URL findResource(String name) {
        byte[] content = entries.get(name);
        try {
            return content == null
                    ? null
                    : new URL(null, "lychgate-extension:" + getName() + "!/" + name, new Bytes(content));
        } catch (MalformedURLException e) {
            return null;
        }
    }

    private static final class Bytes extends URLStreamHandler {
        private final byte[] content;

        Bytes(byte[] content) {
            this.content = content;
        }

        @Override
        protected URLConnection openConnection(URL url) {
            return new URLConnection(url) {
                @Override
                public void connect() {}

                @Override
                public InputStream getInputStream() {
                    return new ByteArrayInputStream(content);
                }

                @Override
                public long getContentLengthLong() {
                    return content.length;
                }
            };
        }
    }
}
