package dev.lychgate.server.extensions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.lychgate.Lychgate;
import dev.lychgate.server.reload.FileGateway;
import dev.lychgate.server.reload.RefusedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Extensions with a dialect of the filter directory. */
@Tag("slow")
class DialectsTest {
    private static final String SOURCE = """
            package NAME;

            import dev.lychgate.config.*;
            import dev.lychgate.extension.*;
            import dev.lychgate.filter.Filter;
            import java.util.List;

            public final class Speaks implements Extension<Speaks.Settings, Speaks.Settings>, FilterDialect {
                public record Settings() {}

                public Keys<Settings> keys() { return Keys.none(Settings::new); }
                public List<ContributedFilter<Settings, ?>> filters() { return List.of(); }
                public Settings open(Settings settings) { return settings; }
                public FilterDialect dialect(Settings settings) { DIALECT }
                public List<String> packages() { return List.of("NAME."); }
                public boolean isBase(String className) { return className.equals("NAME.Base"); }
                public String remedy(String className) {
                    return className.startsWith("NAME.") ? "use NAME.Base" : null;
                }
                public Generation begin() {
                    return new Generation() {
                        public List<Filter> add(Code code) throws Exception {
                            throw new Refusal(2, code.type().getName() + " of " + code.file() + " is refused");
                        }
                        public List<Filter> complete() { return List.of(); }
                    };
                }
            }
            """;

    @TempDir
    Path home = Path.of("");

    @BeforeEach
    void install() {
        System.setProperty(
                InstalledExtensions.DIRECTORY, home.resolve("extensions").toString());
    }

    @AfterEach
    void forget() {
        System.clearProperty(InstalledExtensions.DIRECTORY);
    }

    private void install(String name, String dialect) throws Exception {
        Files.createDirectories(home.resolve("extensions"));
        ExtensionJars.of(name)
                .with("Lychgate-Extension-Class", name + ".Speaks")
                .compiled(Map.of(
                        name + ".Speaks",
                        SOURCE.replace("NAME", name).replace("DIALECT", dialect),
                        name + ".Base",
                        "package " + name + "; public class Base {}"))
                .write(home.resolve("extensions/" + name + ".jar"));
    }

    /** Returns the refusal of a configuration with a file in the filter directory. */
    private String refused(String extensions, String text) throws Exception {
        Files.createDirectories(home.resolve("filters/inbound"));
        Files.writeString(home.resolve("filters/inbound/Old.groovy"), text);
        Path file = Files.writeString(home.resolve("gateway.yml"), """
                listeners: [{ name: main, address: "127.0.0.1:0" }]
                filters: { directory: filters }
                extensions: { %s }
                """.formatted(extensions));
        StringBuilder message = new StringBuilder();
        assertThatExceptionOfType(RefusedException.class)
                .isThrownBy(() ->
                        FileGateway.start(file, name -> null, Lychgate::start).close())
                .satisfies(e -> message.append(e.getMessage()));
        return message.toString();
    }

    @Test
    void theDialectDecidesAboutClassesThatExtendItsBase() throws Exception {
        install("first", "return this;");

        assertThat(refused("first: {}", "\nclass Old extends first.Base { }\n"))
                .contains("inbound/Old.groovy:2: Old of inbound/Old.groovy is refused");
    }

    @Test
    void theDialectAdvisesAboutMissingClasses() throws Exception {
        install("first", "return this;");

        assertThat(refused("first: {}", "class Old extends first.Missing { }\n"))
                .contains("inbound/Old.groovy:1:")
                .contains("unable to resolve class first.Missing: use first.Base");
    }

    @Test
    void filesDoNotSeeOtherClassesOfTheExtension() throws Exception {
        install("first", "return this;");

        assertThat(refused("first: {}", "import dev.lychgate.gateway.Gateway\nclass Old extends first.Base { }\n"))
                .contains("unable to resolve class dev.lychgate.gateway.Gateway");
    }

    @Test
    void onlyOneExtensionMayHaveADialect() throws Exception {
        install("first", "return this;");
        install("second", "return this;");

        assertThat(refused("first: {}, second: {}", "class Old extends first.Base { }\n"))
                .contains("extensions.second: has a dialect of filters (expected: at most one extension with a dialect;"
                        + " extension first also has one)");
    }

    @Test
    void aFailureOfTheDialectIsARefusal() throws Exception {
        install("first", "throw new IllegalStateException(\"no way\");");

        assertThat(refused("first: {}", "class Old extends first.Base { }\n"))
                .contains("extensions.first: java.lang.IllegalStateException: no way");
    }
}
