package dev.lychgate.filters.groovy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.filter.FilterPhase;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Filters as classes. */
@Tag("slow")
class FilterClassTest {
    private static final String IMPORT = "import dev.lychgate.filter.*\n";
    private static final String BODY =
            " { FilterOutcome filter(FilterExchange e) { e.request.headers['x-a'] = 'c'; e.proceed() } }";

    @ParameterizedTest
    @CsvSource({
        "inbound, INBOUND", "pre, INBOUND", "endpoint, ENDPOINT", "route, ENDPOINT",
        "outbound, OUTBOUND", "post, OUTBOUND", "error, ERROR", "errors, ERROR"
    })
    void hasThePhaseOfItsDirectoryIfItDeclaresOnlyItsForm(String directory, FilterPhase phase) throws Exception {
        try (BuiltFilters built =
                Sources.build(directory + "/deep/Tag.groovy", IMPORT + "class Tag implements SyncFilter" + BODY)) {
            GroovyFilter filter = built.filters().get(0);
            assertThat(filter.filter().phase()).isEqualTo(phase);
            assertThat(filter.name()).isEqualTo("Tag");
            assertThat(filter.filter().definedIn()).isSameAs(filter.filter().getClass());
        }
    }

    @Test
    void runsLikeAnyOtherFilter() throws Exception {
        try (BuiltFilters built = Sources.build(
                        "inbound/Tag.groovy", IMPORT + "class Tag implements BlockingFilter, InboundFilter" + BODY);
                GatewayWithFilters gateway = new GatewayWithFilters(built)) {
            assertThat(gateway.get().body()).isEqualTo("c");
        }
    }

    @Test
    void sharesClassesWithOthers() throws Exception {
        try (BuiltFilters built = Sources.build(
                        "lib/tokens/Tokens.groovy",
                        "package tokens\nclass Tokens { static String make() { 'shared' } }",
                        "shared/Base.groovy",
                        IMPORT + "abstract class Base implements SyncFilter { int order() { 3 } }",
                        "inbound/A.groovy",
                        IMPORT
                                + "class A extends Base { FilterOutcome filter(FilterExchange e) { e.request.headers['x-a'] = tokens.Tokens.make(); e.proceed() } }",
                        "inbound/b.groovy",
                        "import tokens.Tokens\nfilter { it.request.headers['x-b'] = Tokens.make() }");
                GatewayWithFilters gateway = new GatewayWithFilters(built)) {
            assertThat(Sources.named(built, "A").get(0).filter().order()).isEqualTo(3);
            assertThat(gateway.get().body()).isEqualTo("shared");
        }
    }

    @Test
    void mayBeDynamic() throws Exception {
        try (BuiltFilters built = Sources.build("inbound/Loose.groovy", IMPORT + """
                                @groovy.transform.CompileDynamic
                                class Loose implements SyncFilter {
                                    FilterOutcome filter(FilterExchange e) {
                                        def headers = e.request.headers
                                        headers."${'set'}"('x-a', 'loose')
                                        e.proceed()
                                    }
                                }
                                """);
                GatewayWithFilters gateway = new GatewayWithFilters(built)) {
            assertThat(gateway.get().body()).isEqualTo("loose");
        }
    }

    @Test
    void severalMayBeInOneFile() throws Exception {
        try (BuiltFilters built = Sources.build(
                "inbound/Both.groovy",
                IMPORT + "class A implements SyncFilter" + BODY + "\nclass B implements SyncFilter" + BODY)) {
            assertThat(built.filters()).extracting(GroovyFilter::name).containsExactlyInAnyOrder("A", "B");
        }
    }
}
