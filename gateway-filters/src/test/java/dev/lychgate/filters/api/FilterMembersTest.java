package dev.lychgate.filters.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.config.ByteSize;
import dev.lychgate.config.Percent;
import dev.lychgate.error.ErrorKind;
import dev.lychgate.error.GatewayError;
import dev.lychgate.filter.Completion;
import dev.lychgate.filter.FilterExchange;
import dev.lychgate.filter.FilterOutcome;
import dev.lychgate.filter.FilterRequest;
import dev.lychgate.filter.FilterResponse;
import dev.lychgate.filter.Headers;
import dev.lychgate.filter.Identity;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The tables of docs/filter-api.md have every public method of the types that filters use, and no other. */
class FilterMembersTest {
    private static final Path PAGE = Path.of("../docs/filter-api.md");
    private static final Pattern NAME = Pattern.compile("`([^`]+)`");
    private static final Set<String> OF_EVERY_OBJECT = Set.of("equals", "hashCode", "toString", "valueOf", "values");

    private static final Set<Class<?>> OF_PLATFORM = Set.of(Object.class, Enum.class, Record.class, Iterable.class);

    static Stream<Arguments> types() {
        return Stream.of(
                Arguments.of("Exchange", FilterExchange.class),
                Arguments.of("Identity", Identity.class),
                Arguments.of("Request", FilterRequest.class),
                Arguments.of("Response", FilterResponse.class),
                Arguments.of("Headers", Headers.class),
                Arguments.of("Error", GatewayError.class),
                Arguments.of("Error kind", ErrorKind.class),
                Arguments.of("Response of a filter", FilterOutcome.Respond.class),
                Arguments.of("Completion", Completion.class),
                Arguments.of("Settings of the type `Percent`:", Percent.class),
                Arguments.of("Settings of the type `ByteSize`:", ByteSize.class));
    }

    @ParameterizedTest
    @MethodSource("types")
    void theTableHasTheMembersOfTheType(String beginning, Class<?> type) throws Exception {
        assertThat(documented(beginning)).isEqualTo(members(type));
    }

    /** Returns the members of the first table behind a heading or a sentence. */
    private static Set<String> documented(String beginning) throws Exception {
        String page = Files.readString(PAGE).replaceAll("\\[([^]]*)]\\([^)]*\\)", "$1");
        int from = page.indexOf(beginning.endsWith(":") ? beginning : "\n## " + beginning + "\n");
        assertThat(from).as(beginning).isPositive();
        Set<String> members = new TreeSet<>();
        boolean table = false;
        for (String line : page.substring(from).lines().toList()) {
            if (line.startsWith("| `")) {
                table = true;
                Matcher name = NAME.matcher(line.substring(0, line.indexOf(" | ")));
                while (name.find()) {
                    members.add(name.group(1).replaceFirst("\\(.*", "()"));
                }
            } else if (table) {
                break;
            }
        }
        return members;
    }

    private static Set<String> members(Class<?> type) {
        Set<String> members = new TreeSet<>();
        Set<String> getters = new TreeSet<>();
        for (Method method : type.getMethods()) {
            if (method.getParameterCount() == 0) {
                getters.add(method.getName().replaceFirst("^(get|is)(?=[A-Z])", "set"));
            }
        }
        for (Method method : type.getMethods()) {
            if (!OF_PLATFORM.contains(method.getDeclaringClass()) && !OF_EVERY_OBJECT.contains(method.getName())) {
                members.add(member(type, method, getters));
            }
        }
        return members;
    }

    private static String member(Class<?> type, Method method, Set<String> getters) {
        String name = method.getName();
        if (Modifier.isStatic(method.getModifiers())) {
            return type.getSimpleName() + "." + name + "()";
        }
        if (name.equals("getAt") || name.equals("putAt")) {
            return "['name']";
        }
        boolean getter = method.getParameterCount() == 0 && name.matches("(get|is)[A-Z].*");
        boolean setter = method.getParameterCount() == 1
                && name.matches("set[A-Z].*")
                && (getters.contains(name) || method.getReturnType() == void.class);
        if (getter || setter) {
            String property = name.replaceFirst("^(get|is|set)", "");
            return property.substring(0, 1).toLowerCase(Locale.ROOT) + property.substring(1);
        }
        return name + "()";
    }
}
