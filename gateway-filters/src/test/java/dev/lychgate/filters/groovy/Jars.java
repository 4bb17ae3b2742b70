package dev.lychgate.filters.groovy;

import dev.lychgate.testing.ScratchDirectory;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import javax.tools.ToolProvider;

/** Jars of classes that are compiled for a test. */
final class Jars {
    private final Map<String, byte[]> entries = new LinkedHashMap<>();
    private final Manifest manifest = new Manifest();

    Jars() {
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    }

    /** Creates a jar with a class {@code NAME} that has a static method {@code text()}. */
    static Jars text(String name, String text) {
        int dot = name.lastIndexOf('.');
        return new Jars()
                .java(
                        name,
                        "package " + name.substring(0, dot) + "; public class " + name.substring(dot + 1)
                                + " { public static String text() { return \"" + text + "\"; } }");
    }

    Jars attribute(String name, String value) {
        manifest.getMainAttributes().putValue(name, value);
        return this;
    }

    Jars entry(String name, String content) {
        entries.put(name, content.getBytes(StandardCharsets.UTF_8));
        return this;
    }

    Jars java(String name, String source) {
        return java("", name, source);
    }

    /** @param below a prefix of the entries, such as {@code META-INF/versions/17/} */
    Jars java(String below, String name, String source) {
        try (ScratchDirectory scratch = ScratchDirectory.create()) {
            Path directory = scratch.path();
            Path classes = directory.resolve("classes");
            Path file = directory.resolve(name.replace('.', '/') + ".java");
            Files.createDirectories(file.getParent());
            Files.writeString(file, source);
            List<String> options = new ArrayList<>(List.of("-proc:none", "-nowarn", "--release", "17", "-cp"));
            options.add(System.getProperty("surefire.test.class.path", System.getProperty("java.class.path", "")));
            options.addAll(List.of("-d", classes.toString(), file.toString()));
            ByteArrayOutputStream complaints = new ByteArrayOutputStream();
            if (ToolProvider.getSystemJavaCompiler().run(null, null, complaints, options.toArray(String[]::new)) != 0) {
                throw new AssertionError(complaints.toString(StandardCharsets.UTF_8));
            }
            try (Stream<Path> files = Files.walk(classes)) {
                for (Path each : files.filter(Files::isRegularFile).toList()) {
                    entries.put(below + classes.relativize(each), Files.readAllBytes(each));
                }
            }
            return this;
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    Path write(Path jar) throws IOException {
        Files.createDirectories(jar.getParent());
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar), manifest)) {
            for (Map.Entry<String, byte[]> entry : entries.entrySet()) {
                out.putNextEntry(new JarEntry(entry.getKey()));
                out.write(entry.getValue());
                out.closeEntry();
            }
        }
        return jar;
    }
}
