package dev.lychgate.filters.builtin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lychgate.config.ConfigException;
import dev.lychgate.config.FilterConfig;
import dev.lychgate.config.Key;
import dev.lychgate.filter.Filter;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Rules for all built-in filters. */
class BuiltinFiltersTest {
    static List<FilterKind> all() {
        return BuiltinFilters.all();
    }

    @Test
    void haveUniqueNames() {
        assertThat(BuiltinFilters.names()).doesNotHaveDuplicates().allMatch(name -> name.matches("[a-z]+(-[a-z]+)*"));
    }

    @ParameterizedTest
    @MethodSource("all")
    void describeEachSettingOnceAndAcceptAnOrder(FilterKind kind) {
        assertThat(kind.about()).isNotBlank();
        assertThat(kind.settings())
                .extracting(Key::name)
                .doesNotHaveDuplicates()
                .endsWith("order");
        assertThat(kind.settings()).allMatch(setting -> !setting.about().isBlank());
    }

    @ParameterizedTest
    @MethodSource("all")
    void refuseUnknownMissingAndMistypedSettings(FilterKind kind) {
        assertThatThrownBy(() -> kind.make(new FilterConfig(kind.name(), Map.of("nonsense", "1")), ""))
                .isInstanceOf(ConfigException.class)
                .hasMessageStartingWith("nonsense: 1 (expected: one of ");
        assertThatThrownBy(() -> kind.make(new FilterConfig(kind.name(), Map.of("order", "first")), ""))
                .isInstanceOf(ConfigException.class);
        if (!kind.needsNothing()) {
            assertThatThrownBy(() -> kind.make(FilterConfig.of(kind.name()), ""))
                    .isInstanceOf(ConfigException.class)
                    .hasMessageContaining(": missing (expected: ");
        }
    }

    @Test
    void areNamedByKindSubjectAndSuffix() {
        FilterConfig config =
                new FilterConfig("set-request-header", Map.of("name", "X-Tier", "value", "gold", "order", -5));
        Filter filter = all().get(0).make(config, " (2)").get(0);
        assertThat(filter.name()).isEqualTo("set-request-header X-Tier (2)");
        assertThat(filter.order()).isEqualTo(-5);
    }
}
