package dev.lychgate.filters.groovy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The byte code of filters on disk saves compilations, and nothing that is wrong with it can change or prevent a build. */
class CompiledCacheTest {
    private static final String PATH = "inbound/limit.groovy";
    private static final String TEXT = "settings { int zebra = 1\n int ape = 2 }\norder zebra\nfilter { }";

    private enum Code {
        COMPILED,
        CACHED
    }

    private Path directory = Path.of("");

    private final FilterSources sources = Sources.of(PATH, TEXT);

    @BeforeEach
    void choose(@TempDir Path fresh) {
        directory = fresh;
    }

    private Path file() {
        return directory.resolve("kept/compiled");
    }

    /** Writes a cache in which the byte code of the file is that of another text, by which it is recognized. */
    private void writeMarked(String environment) throws Exception {
        FilterSources another = Sources.of(PATH, TEXT.replace("order zebra", "order 77"));
        FilterBundle other = FilterBundle.of(another).get(0);
        CompiledBundle bundle = Objects.requireNonNull(CompiledBundle.of(other, compiled(another)));
        CompiledFile marked = Objects.requireNonNull(bundle.files().get(PATH));
        CompiledFile disguised = new CompiledFile(sources.files().get(0).digest(), marked.classes(), marked.filters());
        new CompiledCache(file(), environment)
                .write(Map.of("", new CompiledBundle(bundle.libraries(), Map.of(PATH, disguised))));
    }

    private static Code code(FilterSources sources, CompiledCache cache) throws Exception {
        IncrementalCompiler compiler = new IncrementalCompiler(cache);
        List<FilterBundle> bundles = FilterBundle.of(sources);
        compiler.retain(bundles);
        CompiledSources code =
                compiler.compile(bundles.get(0), LibraryClasses.NONE, new AtomicReference<>(""), new CompileReport());
        compiler.save();
        assertThat(List.copyOf(code.filters().get(0).settings().keySet())).containsExactly("zebra", "ape");
        return Arrays.equals(
                        code.byteCode().get("inbound.limit"),
                        compiled(sources).byteCode().get("inbound.limit"))
                ? Code.COMPILED
                : Code.CACHED;
    }

    private static CompiledSources compiled(FilterSources sources) throws Exception {
        return GroovyFilterCompiler.compile(
                FilterBundle.of(sources).get(0),
                LibraryClasses.NONE,
                new AtomicReference<>(""),
                Set.of(),
                new CompileReport());
    }

    @Test
    void reusesTheByteCodeOfUnchangedFilesWithItsSettingsInOrder() throws Exception {
        writeMarked("this");

        assertThat(code(sources, new CompiledCache(file(), "this"))).isEqualTo(Code.CACHED);
    }

    @Test
    void compilesAChangedFile() throws Exception {
        writeMarked("this");

        assertThat(code(Sources.of(PATH, TEXT + "\n"), new CompiledCache(file(), "this")))
                .isEqualTo(Code.COMPILED);
    }

    @Test
    void compilesAllFilesInAnotherEnvironmentAndReplacesTheCache() throws Exception {
        writeMarked("another gateway");

        assertThat(code(sources, new CompiledCache(file(), "this"))).isEqualTo(Code.COMPILED);
        assertThat(new CompiledCache(file(), "another gateway").read()).isEmpty();
        assertThat(new CompiledCache(file(), "this").read()).containsOnlyKeys("");
    }

    @Test
    void compilesAllFilesIfAnyByteOfTheCacheIsDamaged() throws Exception {
        writeMarked("this");
        byte[] good = Files.readAllBytes(file());
        for (int at = 0; at < good.length; at += 1 + good.length / 50) {
            byte[] damaged = good.clone();
            damaged[at] = (byte) (damaged[at] ^ 1);
            Files.write(file(), damaged);
            assertThat(new CompiledCache(file(), "this").read())
                    .as("byte " + at)
                    .isEmpty();
        }
        assertThat(code(sources, new CompiledCache(file(), "this"))).isEqualTo(Code.COMPILED);
        assertThat(new CompiledCache(file(), "this").read()).containsOnlyKeys("");
    }

    @Test
    void compilesAllFilesIfTheCacheIsIncomplete() throws Exception {
        writeMarked("this");
        byte[] good = Files.readAllBytes(file());
        for (int length = 0; length < good.length; length += 1 + good.length / 50) {
            Files.write(file(), Arrays.copyOf(good, length));
            assertThat(new CompiledCache(file(), "this").read())
                    .as(length + " bytes")
                    .isEmpty();
        }
    }

    @Test
    void buildsWithoutAPlaceForTheCache() throws Exception {
        Files.writeString(directory.resolve("kept"), "a file, not a directory");

        assertThat(code(sources, new CompiledCache(file(), "this"))).isEqualTo(Code.COMPILED);
    }

    @Test
    void writesNothingIfNothingWasCompiled() throws Exception {
        GroovyFilters first = GroovyFilters.reusing(file());
        first.build(sources).close();
        first.saveCompiled();
        Files.delete(file());
        first.build(sources).close();
        first.saveCompiled();

        assertThat(file()).doesNotExist();
    }

    @ParameterizedTest
    @CsvSource({"kept/compiled, rw-rw-rw-", "kept, rwxrwxrwx"})
    void compilesAllFilesIfEveryUserCanWriteTheCache(String path, String permissions) throws Exception {
        writeMarked("this");
        Files.setPosixFilePermissions(directory.resolve(path), PosixFilePermissions.fromString(permissions));

        assertThat(code(sources, new CompiledCache(file(), "this"))).isEqualTo(Code.COMPILED);
    }

    @ParameterizedTest
    @ValueSource(strings = {"kept/compiled", "kept"})
    void compilesAllFilesIfTheCacheBelongsToAnotherUser(String path) throws Exception {
        assumeTrue(Files.getAttribute(directory, "unix:uid").equals(0), "only root can change owners");
        writeMarked("this");
        Files.setAttribute(directory.resolve(path), "unix:uid", 4711);

        assertThat(code(sources, new CompiledCache(file(), "this"))).isEqualTo(Code.COMPILED);
    }

    @Test
    void writesTheCacheForItsUserOnly() throws Exception {
        writeMarked("this");

        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file())))
                .isEqualTo("rw-------");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file().getParent())))
                .isEqualTo("rwx------");
    }

    @Test
    void writesTheCacheBesideAnUnfinishedOneOfAnotherProcess() throws Exception {
        Path unfinished = Files.createDirectories(directory.resolve("kept/compiled.new"));
        writeMarked("this");

        assertThat(code(sources, new CompiledCache(file(), "this"))).isEqualTo(Code.CACHED);
        assertThat(directory.resolve("kept"))
                .isDirectoryNotContaining(path -> !List.of(file(), unfinished).contains(path));
    }

    @Test
    void leavesNoUnfinishedFileIfTheCacheCannotBeWritten() throws Exception {
        Files.createDirectories(file().resolve("occupied"));
        writeMarked("this");

        assertThat(directory.resolve("kept")).isDirectoryNotContaining(path -> !path.equals(file()));
    }

    @Test
    void ignoresAnEmptyEntryOfTheClassPath() throws Exception {
        String path = "missing.jar" + File.pathSeparator;
        String before = CompiledCache.environment(path);
        Path log = Files.createTempFile(Path.of("target"), "gateway", ".log");
        try {
            assertThat(CompiledCache.environment(path)).isNotEmpty().isEqualTo(before);
        } finally {
            Files.delete(log);
        }
    }

    /** Loads all classes anew, except for classes of the JDK. */
    private static final class Anew extends URLClassLoader {
        Anew() throws Exception {
            super(urls(), ClassLoader.getPlatformClassLoader());
        }

        private static URL[] urls() throws Exception {
            List<URL> urls = new ArrayList<>();
            for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
                urls.add(Path.of(entry).toUri().toURL());
            }
            return urls.toArray(URL[]::new);
        }

        boolean hasLoaded(String name) {
            return findLoadedClass(name) != null;
        }
    }

    @Test
    void loadsClassesThatRunningFiltersNeedEvenIfNothingIsCompiled() throws Exception {
        Path filters = directory.resolve("filters");
        Files.createDirectories(filters.resolve("inbound"));
        Files.writeString(filters.resolve(PATH), TEXT);
        GroovyFilters first = GroovyFilters.reusing(file());
        first.build(new FilterDirectory(filters).read()).close();
        first.saveCompiled();

        try (Anew anew = new Anew()) {
            Class<?> reader = anew.loadClass(FilterDirectory.class.getName());
            Object sources = reader.getMethod("read")
                    .invoke(reader.getConstructor(Path.class).newInstance(filters));
            Class<?> builder = anew.loadClass(GroovyFilters.class.getName());
            Object next = builder.getMethod("reusing", Path.class).invoke(null, file());
            Object built = builder.getMethod("build", sources.getClass()).invoke(next, sources);
            built.getClass().getMethod("close").invoke(built);

            assertThat(anew.hasLoaded("org.apache.groovy.parser.antlr4.GroovyLangParser"))
                    .as("compiled")
                    .isFalse();
            assertThat(anew.hasLoaded("dev.lychgate.filters.rx.RxSources")).isTrue();
            assertThat(anew.hasLoaded("org.codehaus.groovy.runtime.GStringImpl"))
                    .isTrue();
        }
    }
}
