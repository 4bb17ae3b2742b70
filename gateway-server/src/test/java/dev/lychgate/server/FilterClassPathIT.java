package dev.lychgate.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.filters.libraries.FilterClassPath;
import dev.lychgate.server.extensions.ExtensionJars;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The class path of filters in docs/filter-libraries.md is that of the jar. */
class FilterClassPathIT {
    /** Types in methods of the API. */
    private static final Set<String> SINGLE = Set.of(
            "dev.lychgate.tls.TlsSession",
            "dev.lychgate.chain.FilterSet",
            "dev.lychgate.filters.groovy.FilterFaultsException",
            "dev.lychgate.filters.groovy.FilterScript");

    private static final String FILTER = """
            package acme;

            import dev.lychgate.filter.*;

            public final class NAME implements OutboundFilter, SyncFilter {
                @Override
                public FilterOutcome filter(FilterExchange exchange) {
                    return exchange.proceed();
                }
            }
            """;

    @Test
    void theTableOfThePageListsTheVisiblePackages() throws Exception {
        String page = Files.readString(Path.of("../docs/filter-libraries.md"));
        String table = page.substring(page.indexOf("| Packages |"), page.indexOf("A class of a jar is used instead"));
        List<String> documented = Pattern.compile("(?m)^\\|([^|]*)\\|")
                .matcher(table)
                .results()
                .flatMap(row -> Pattern.compile("`([a-z0-9.]+)(\\*?)`")
                        .matcher(row.group(1))
                        .results())
                .map(FilterClassPathIT::prefix)
                .toList();
        List<String> visible;
        try (JarFile jar = new JarFile("target/lychgate.jar")) {
            visible = jar.stream()
                    .map(JarEntry::getName)
                    .filter(name -> name.endsWith(".class"))
                    .map(name -> name.replace('/', '.').replaceAll("(\\$.*)?\\.class$", ""))
                    .filter(name -> !FilterClassPath.hides(name) && !SINGLE.contains(name))
                    .distinct()
                    .toList();
        }
        assertThat(visible)
                .hasSizeGreaterThan(1000)
                .allMatch(name -> documented.stream().anyMatch(name::startsWith));
        assertThat(documented)
                .hasSizeGreaterThan(10)
                .allMatch(prefix -> visible.stream().anyMatch(name -> name.startsWith(prefix)));
    }

    @Test
    void aJarAndAJavaFileAreFilters(@TempDir Path home) throws Exception {
        Path filters = Files.createDirectories(home.resolve("filters"));
        ExtensionJars.library()
                .compiled(Map.of("acme.Jar", FILTER.replace("NAME", "Jar")))
                .with("META-INF/services/dev.lychgate.filter.Filter", "acme.Jar".getBytes(StandardCharsets.UTF_8))
                .write(filters.resolve("jar.jar"));
        Files.createDirectories(filters.resolve("outbound"));
        Files.writeString(filters.resolve("outbound/File.java"), FILTER.replace("NAME", "File"));
        Files.writeString(
                filters.resolve("outbound/uses.groovy"),
                "def jar = new acme.Jar().name() + new acme.File().name()\nfilter { }");
        Path config = Files.writeString(home.resolve("gateway.yml"), """
                listeners: [{ name: main, address: "127.0.0.1:0" }]
                filters: { directory: filters }
                """);
        assertThat(run(config, "Jar")).contains("Jar (outbound, jar.jar)");
        assertThat(run(config, "File")).contains("File (outbound, outbound/File.java)");
    }

    private static String run(Path config, String filter) throws Exception {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-jar",
                        "target/lychgate.jar",
                        "filters",
                        "describe",
                        filter,
                        "--config",
                        config.toString())
                .redirectErrorStream(true)
                .start();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(out).isZero();
        return out;
    }

    private static String prefix(MatchResult name) {
        return name.group(1) + (name.group(2).isEmpty() ? "." : "");
    }
}
