package dev.lychgate.server.extensions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.lychgate.Lychgate;
import dev.lychgate.config.GatewayConfig;
import dev.lychgate.server.reload.FileGateway;
import dev.lychgate.server.reload.RefusedException;
import dev.lychgate.server.yaml.ConfigReader;
import dev.lychgate.server.yaml.FaultyConfigException;
import dev.lychgate.testing.Eventually;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each way in which an extension cannot be used, with its place in the file. */
@Tag("slow")
class ExtensionFaultsTest {
    private static final String CLASS = "Lychgate-Extension-Class";

    @TempDir
    Path home = Path.of("");

    private Path directory = Path.of("");

    @BeforeEach
    void install() throws Exception {
        directory = Files.createDirectories(home.resolve("extensions"));
        System.setProperty(InstalledExtensions.DIRECTORY, directory.toString());
    }

    @AfterEach
    void forget() {
        System.clearProperty(InstalledExtensions.DIRECTORY);
    }

    private void install(ExtensionJars jar, String file) throws Exception {
        jar.write(directory.resolve(file));
    }

    private static GatewayConfig read(String yaml) throws FaultyConfigException {
        return new ConfigReader(name -> null)
                .read("gateway.yml", "listeners: [{ name: main, address: \"127.0.0.1:0\" }]\n" + yaml)
                .config();
    }

    /** Returns the faults of one extension, or of the lines after it. */
    private static String faults(String yaml) {
        StringBuilder text = new StringBuilder();
        assertThatExceptionOfType(FaultyConfigException.class)
                .isThrownBy(() -> read(yaml))
                .satisfies(e -> text.append(e.getMessage()));
        return text.toString();
    }

    private String refused(String yaml) throws Exception {
        Path file = Files.writeString(
                home.resolve("gateway.yml"), "listeners: [{ name: main, address: \"127.0.0.1:0\" }]\n" + yaml);
        StringBuilder text = new StringBuilder();
        assertThatExceptionOfType(RefusedException.class)
                .isThrownBy(() ->
                        FileGateway.start(file, name -> null, Lychgate::start).close())
                .satisfies(e -> text.append(e.getMessage()));
        return text.toString().replace(file.toString(), "gateway.yml");
    }

    @Test
    void namesTheDirectoryWhereNothingIsInstalled() {
        assertThat(faults("extensions: { redis: {} }\n"))
                .isEqualTo("gateway.yml:2:15: extensions.redis: unknown extension (expected: an extension;"
                        + " none is installed in " + directory + ")");
    }

    @Test
    void namesTheInstalledExtensionsAndTheNearestOne() throws Exception {
        install(ExtensionJars.of("redis"), "a.jar");
        install(ExtensionJars.of("identity"), "b.jar");
        Files.writeString(directory.resolve("c.jar"), "not a jar");
        assertThat(faults("extensions:\n  rediss:\n"))
                .startsWith("gateway.yml:3:3: extensions.rediss: unknown extension, did you mean 'redis'? (expected:"
                        + " one of identity, redis, installed in " + directory + "; unreadable jars: "
                        + directory.resolve("c.jar") + " (");
    }

    @Test
    void namesBothJarsOfOneName() throws Exception {
        install(ExtensionJars.of("redis"), "a.jar");
        install(ExtensionJars.of("redis"), "b.jar");
        assertThat(faults("extensions: { redis: {} }\n"))
                .isEqualTo("gateway.yml:2:15: extensions.redis: two extensions with this name: "
                        + directory.resolve("a.jar") + " and " + directory.resolve("b.jar")
                        + " (expected: one jar for each name)");
    }

    @Test
    void namesBothVersionsOfTheApi() throws Exception {
        install(ExtensionJars.of("redis").with("Lychgate-Extension-Api", "2"), "a.jar");
        assertThat(faults("extensions: { redis: {} }\n"))
                .isEqualTo("gateway.yml:2:15: extensions.redis: extension redis needs extension API 2, but this gateway"
                        + " has API 1 (expected: a jar for API 1 in place of " + directory.resolve("a.jar") + ")");
    }

    @Test
    void namesAMissingClass() throws Exception {
        install(ExtensionJars.of("redis").with(CLASS, "a.Missing"), "a.jar");
        assertThat(faults("extensions: { redis: {} }\n"))
                .isEqualTo("gateway.yml:2:15: extensions.redis: extension redis: class a.Missing is missing in "
                        + directory.resolve("a.jar") + " (expected: an extension that can be opened)");
    }

    @Test
    void namesAClassThatIsNoExtension() throws Exception {
        ExtensionJars jar = ExtensionJars.of("redis")
                .with(CLASS, "a.Other")
                .compiled(Map.of("a.Other", "package a; public class Other {}"));
        install(jar, "a.jar");
        assertThat(faults("extensions: { redis: {} }\n"))
                .contains("extension redis: a.Other does not implement dev.lychgate.extension.Extension (");
    }

    @Test
    void namesTheExceptionOfAConstructor() throws Exception {
        ExtensionJars jar = ExtensionJars.of("redis")
                .with(CLASS, "a.Failing")
                .compiled(
                        Map.of(
                                "a.Failing",
                                "package a; public class Failing { public Failing() { throw new IllegalStateException(\"no\\nway\"); } }"));
        install(jar, "a.jar");
        assertThat(faults("extensions: { redis: {} }\n"))
                .contains("extension redis: the constructor of a.Failing failed:"
                        + " java.lang.IllegalStateException: no way (");
    }

    @Test
    void namesAMissingConstructor() throws Exception {
        ExtensionJars jar = ExtensionJars.of("redis")
                .with(CLASS, "a.Hidden")
                .compiled(Map.of("a.Hidden", "package a; public class Hidden { Hidden() {} }"));
        install(jar, "a.jar");
        assertThat(faults("extensions: { redis: {} }\n"))
                .contains("extension redis: a.Hidden has no public constructor without parameters (");
    }

    @Test
    void namesAClassThatCannotBeLinked() throws Exception {
        install(
                ExtensionJars.of("redis")
                        .with(CLASS, "a.Broken")
                        .with("a/Broken.class", "junk".getBytes(StandardCharsets.UTF_8)),
                "a.jar");
        assertThat(faults("extensions: { redis: {} }\n"))
                .contains("extension redis: the classes of a.Broken cannot be linked: java.lang.ClassFormatError");
    }

    @Test
    void checksTheSectionLikeEachOtherSection() throws Exception {
        install(ExtensionJars.sample("sample"), "a.jar");
        assertThat(faults("""
                extensions:
                  sample: { greetin: hi, level: 6 }
                """))
                .isEqualTo("gateway.yml:3:13: extensions.sample.greetin: unknown key, did you mean 'greeting'?"
                        + " (expected: one of greeting, level)\n"
                        + "gateway.yml:3:33: extensions.sample.level: 6 (expected: 1 to 5)");
        assertThat(faults("extensions: { sample: { greeting: rude } }\n"))
                .isEqualTo("gateway.yml:2:35: extensions.sample.greeting: rude (expected: a polite word)");
        assertThat(faults("extensions: { sample: 7 }\n"))
                .isEqualTo("gateway.yml:2:23: extensions.sample: 7 (expected: a mapping of keys)");
    }

    @Test
    void checksContributedFiltersLikeBuiltInOnes() throws Exception {
        install(ExtensionJars.sample("sample"), "a.jar");
        assertThat(faults("""
                extensions: { sample: }
                filters: { global: [{ sample-stamp: { valu: 1 } }] }
                """))
                .contains("filters.global[0].sample-stamp.value: missing (expected: a text)")
                .contains("filters.global[0].sample-stamp.valu: unknown key, did you mean 'value'?");
        assertThat(faults("""
                extensions: { sample: }
                filters: { global: [sample-stamp] }
                """))
                .isEqualTo("gateway.yml:3:21: filters.global[0]: sample-stamp (expected: a mapping with the settings"
                        + " of the filter; required: value)");
    }

    @Test
    void namesTheKeyOfAnUnusedExtension() throws Exception {
        install(ExtensionJars.sample("unused"), "a.jar");
        assertThat(refused("filters: { global: [{ unused-stamp: { value: x } }] }\n"))
                .isEqualTo("gateway.yml:2:21: filters.global[0]: unused-stamp (expected: the key extensions.unused,"
                        + " which provides this filter)");
        assertThat(refused("filters: { global: [unused-stamp] }\n"))
                .isEqualTo("gateway.yml:2:21: filters.global[0]: unused-stamp (expected: the key extensions.unused,"
                        + " which provides this filter)");
        assertThat(System.getProperty("unused.loaded")).isNull();
    }

    @Test
    void refusesAFilterThatTwoExtensionsContribute() throws Exception {
        install(ExtensionJars.sample("sample"), "a.jar");
        install(ExtensionJars.sample("sample").with("Lychgate-Extension", "other"), "b.jar");
        assertThat(faults("extensions: { sample: {}, other: {} }\n"))
                .isEqualTo("gateway.yml:2:27: extensions.other: contributes filter sample-stamp (expected: extensions"
                        + " with different filters; extension sample has this filter)");
    }

    @Test
    void refusesAFilterOfTheDirectoryWithTheNameOfAContributedOne() throws Exception {
        install(ExtensionJars.sample("sample"), "a.jar");
        Path filter = Files.createDirectories(home.resolve("filters/outbound")).resolve("own.groovy");
        Files.writeString(filter, "name 'sample-stamp'\nfilter { it.response.headers['x-own'] = 'yes' }\n");
        String listed = "filters: { directory: filters, global: [{ sample-stamp: { value: x } }] }\n";
        for (String lists : List.of(listed, "filters: { directory: filters }\n")) {
            assertThat(refused("extensions: { sample: {} }\n" + lists))
                    .startsWith(
                            "gateway.yml:2:13: extensions: filter sample-stamp (expected: another name for the filter"
                                    + " of outbound/own.groovy; a filter of an extension already has this name)");
        }
    }

    @Test
    void refusesAnExtensionThatFailsToOpenAndAFilterThatRefusesAValue() throws Exception {
        install(ExtensionJars.sample("third"), "a.jar");
        String routes = "routes: [{ id: all, respond: { status: 204 }, filters: [{ third-stamp: { value: %s } }] }]\n";
        assertThat(refused("extensions: { third: { level: 5 } }\n"))
                .isEqualTo("gateway.yml:2:22: extensions.third: java.lang.IllegalStateException: too high for us"
                        + " (expected: settings that the extension accepts)");
        assertThat(refused("extensions: { third: {} }\n" + routes.formatted("bad")))
                .isEqualTo("gateway.yml:3:81: routes[0].filters[0].third-stamp.value: bad (expected: a good one)");
        assertThat(System.getProperty("third.open")).as("opened and not closed").isEqualTo("0");
    }

    @Test
    void refusesAnExtensionThatDoesNotOpenInTimeAndClosesItLater() throws Exception {
        ExtensionJars.of("slow")
                .with(CLASS, "slow.Slow")
                .compiled(Map.of("slow.Slow", """
                        package slow;

                        import dev.lychgate.config.*;
                        import dev.lychgate.extension.*;
                        import java.util.List;

                        public class Slow implements Extension<String, AutoCloseable> {
                            public Keys<String> keys() {
                                return Keys.of(text -> text, Key.typed("text", Form.TEXT, ""));
                            }

                            public List<ContributedFilter<AutoCloseable, ?>> filters() {
                                return List.of();
                            }

                            public AutoCloseable open(String text) {
                                try {
                                    Thread.sleep(600_000);
                                } catch (InterruptedException e) {
                                    System.setProperty("slow.opened", "late");
                                }
                                return () -> System.setProperty("slow.closed", "yes");
                            }
                        }
                        """))
                .write(directory.resolve("slow.jar"));
        assertThat(refused("extensions: { slow: {} }\nfilters: { build-timeout: 2s }\n"))
                .isEqualTo("gateway.yml:2:13: extensions: not ready after 2s, at slow//slow.Slow.open(Slow.java:18)"
                        + " (expected: extensions that open within filters.build-timeout)");
        Eventually.eventually(
                Duration.ofSeconds(20),
                () -> assertThat(System.getProperty("slow.closed")).isEqualTo("yes"));
        assertThat(System.getProperty("slow.opened")).isEqualTo("late");
    }

    @Test
    void aTruncatedJarIsNotReadable() throws Exception {
        Path jar = ExtensionJars.sample("sample").write(directory.resolve("a.jar"));
        byte[] whole = Files.readAllBytes(jar);
        Files.write(jar, java.util.Arrays.copyOf(whole, whole.length / 2));
        assertThat(faults("extensions: { sample: {} }\n"))
                .contains("extensions.sample: unknown extension")
                .contains("unreadable jars: " + jar + " (");
    }
}
