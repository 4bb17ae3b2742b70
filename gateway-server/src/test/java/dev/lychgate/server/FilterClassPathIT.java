package dev.lychgate.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.filters.libraries.FilterClassPath;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The class path of filters in docs/filter-libraries.md is that of the jar. */
class FilterClassPathIT {
    /** Types in methods of the API. */
    private static final Set<String> SINGLE = Set.of(
            "dev.lychgate.tls.TlsSession",
            "dev.lychgate.chain.FilterSet",
            "dev.lychgate.filters.groovy.FilterFaultsException",
            "dev.lychgate.filters.groovy.FilterScript");

    @Test
    void theTableOfThePageListsTheVisiblePackages() throws Exception {
        String page = Files.readString(Path.of("../docs/filter-libraries.md"));
        String table = page.substring(page.indexOf("| Packages |"), page.indexOf("A class of a jar is used instead"));
        List<String> documented = Pattern.compile("(?m)^\\|([^|]*)\\|")
                .matcher(table)
                .results()
                .flatMap(row -> Pattern.compile("`([a-z0-9.]+)(\\*?)`").matcher(row.group(1)).results())
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

    private static String prefix(MatchResult name) {
        return name.group(1) + (name.group(2).isEmpty() ? "." : "");
    }
}
