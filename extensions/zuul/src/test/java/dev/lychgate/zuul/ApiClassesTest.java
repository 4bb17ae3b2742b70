package dev.lychgate.zuul;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lychgate.config.ConfigException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ApiClassesTest {
    /** Delegates to the class path, but hides the extension. */
    private static final class WithoutExtension extends ClassLoader {
        WithoutExtension() {
            super(ApiClassesTest.class.getClassLoader());
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (name.startsWith("dev.lychgate.zuul.") || name.startsWith("com.netflix.zuul.")) {
                throw new ClassNotFoundException(name);
            }
            return super.loadClass(name, resolve);
        }
    }

    @Test
    void acceptsItsOwnClasses() {
        ApiClasses.require();
    }

    @Test
    void refusesAClassPathOnWhichAJarOfZuulPrecedesTheExtension(@TempDir Path jar) throws Exception {
        Path source = Files.createDirectories(jar.resolve("com/netflix/zuul")).resolve("ZuulFilter.java");
        Files.writeString(source, "package com.netflix.zuul; public abstract class ZuulFilter {}");
        assertThat(ToolProvider.getSystemJavaCompiler()
                        .run(null, null, null, "-proc:none", "-d", jar.toString(), source.toString()))
                .isZero();
        URL extension = ApiClasses.class.getProtectionDomain().getCodeSource().getLocation();

        try (URLClassLoader classPath =
                new URLClassLoader(new URL[] {jar.toUri().toURL(), extension}, new WithoutExtension())) {
            Method require = classPath.loadClass(ApiClasses.class.getName()).getDeclaredMethod("require");
            require.setAccessible(true);

            assertThatThrownBy(() -> require.invoke(null))
                    .cause()
                    .isInstanceOf(ConfigException.class)
                    .hasMessageContaining("class path: com.netflix.zuul.ZuulFilter from "
                            + jar.toUri().toURL())
                    .hasMessageContaining("remove the jar of Zuul from the class path");
        }
    }
}
