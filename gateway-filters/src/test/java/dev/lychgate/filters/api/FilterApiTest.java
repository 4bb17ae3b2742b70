package dev.lychgate.filters.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.error.ErrorKind;
import dev.lychgate.error.GatewayError;
import dev.lychgate.filter.Filter;
import dev.lychgate.filters.groovy.FilterScript;
import dev.lychgate.filters.libraries.FilterClassPath;
import dev.lychgate.filters.rx.SingleFilter;
import dev.lychgate.filters.testing.TestExchange;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Compares the API of filters and their tests with a file, so that every change is deliberate. */
class FilterApiTest {
    private static final Path FILE = Path.of("src/test/resources/filter-api.txt");

    /** Public for the package that runs Groovy filters, and not part of the API. */
    private static final String OF_THE_ENGINE = "dev.lychgate.filters.rx.RxSources";

    @Test
    void matchesTheRecordedApi() throws Exception {
        List<String> lines = new ArrayList<>();
        for (Class<?> type : types()) {
            lines.addAll(Signatures.of(type));
            lines.add("");
        }
        if (System.getProperty("filter-api", "").equals("renew")) {
            Files.createDirectories(FILE.getParent());
            Files.write(FILE, lines);
        }
        assertThat(Files.readAllLines(FILE)).as("""
                        The API of filters has changed: filters that people have written may not compile or run any more. \
                        If that is meant, renew gateway-filters/%s and say in CHANGELOG.md what authors have to do:
                        mvn test -pl gateway-core,gateway-filters -Dtest=FilterApiTest \
                        -Dsurefire.failIfNoSpecifiedTests=false -Dfilter-api=renew
                        """, FILE).containsExactlyElementsOf(lines);
    }

    @Test
    void mentionsNoTypeThatIsHiddenFromFilters() throws Exception {
        Set<Class<?>> mentioned = new LinkedHashSet<>();
        for (Class<?> type : types()) {
            mentioned.add(type);
            Stream.of(type.getMethods()).forEach(method -> {
                mentioned.add(method.getReturnType());
                mentioned.addAll(List.of(method.getParameterTypes()));
            });
            Stream.of(type.getConstructors()).forEach(each -> mentioned.addAll(List.of(each.getParameterTypes())));
            Stream.of(type.getFields()).forEach(field -> mentioned.add(field.getType()));
        }
        assertThat(mentioned).noneMatch(type -> FilterClassPath.hides(type.getName()));
    }

    private static List<Class<?>> types() throws Exception {
        List<Class<?>> types = new ArrayList<>();
        types.addAll(PublicTypes.beside(Filter.class));
        types.add(ErrorKind.class);
        types.add(GatewayError.class);
        types.add(FilterScript.class);
        types.addAll(PublicTypes.beside(SingleFilter.class));
        types.addAll(PublicTypes.beside(TestExchange.class));
        types.removeIf(type -> type.getName().equals(OF_THE_ENGINE) || FilterClassPath.hides(type.getName()));
        return types;
    }
}
