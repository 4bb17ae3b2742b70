package dev.lychgate.filters.groovy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.chain.FilterSet;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Classes of replaced generations are collected. */
@Tag("slow")
@Tag("each-jdk")
class GenerationsAliveTest {
    private static final int GENERATIONS = 50;

    private static FilterSources generation(int number) {
        return Sources.of(
                "lib/Shared.groovy",
                "class Shared { static String text() { 'g" + number + "' } }",
                "inbound/typed.groovy",
                "filter { it.request.headers['x-a'] = Shared.text() }",
                "inbound/Loose.groovy",
                """
                import dev.lychgate.filter.*

                @groovy.transform.CompileDynamic
                class Loose implements SyncFilter {
                    def count = [1, 2, 3].collect { it * 2 }.sum()

                    boolean applies(FilterExchange e) { e.request.path.startsWith('/') }

                    FilterOutcome filter(FilterExchange e) {
                        e.request.headers['x-b'] = "${count} ${Shared.text()}"
                        count.metaClass
                        e.proceed()
                    }
                }
                """,
                "outbound/dynamic.groovy",
                """
                @CompileDynamic
                import groovy.transform.CompileDynamic

                def words = ['a', 'b'].collect { it.toUpperCase() }
                filter { exchange -> exchange.response.headers['x-words'] = words.join('-') }
                """,
                "outbound/later.groovy",
                "async { java.util.concurrent.CompletableFuture.supplyAsync({ 'x' }, { task -> new Thread(task).start() }) }");
    }

    /** Waits until no more than {@code most} are left, and triggers collections. */
    private static int left(GenerationsAlive alive, int most) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (alive.count() > most && System.nanoTime() < end) {
            System.gc();
            Thread.sleep(20);
        }
        return alive.count();
    }

    @Test
    void replacedGenerationsAreUnloaded() throws Exception {
        GroovyFilters builder = new GroovyFilters();
        BuiltFilters current = builder.build(generation(0));
        try (GatewayWithFilters gateway = new GatewayWithFilters(current)) {
            for (int i = 1; i <= GENERATIONS; i++) {
                BuiltFilters next = builder.build(generation(i));
                gateway.apply(next.everywhere());
                current.close();
                current = next;
                assertThat(gateway.get().body()).isEqualTo("g" + i);
            }
            // The generation in use, one that a loop used last, and one in a cache of the JDK for one method handle
            // (MethodHandle.asTypeCache).
            int most = 2 + gateway.gateway().workers();
            assertThat(left(builder.alive(), most)).isLessThanOrEqualTo(most);
            assertThat(gateway.get().body()).isEqualTo("g" + GENERATIONS);
        }
        current.close();
    }

    @Test
    void refusedGenerationsAreUnloaded() throws Exception {
        GroovyFilters builder = new GroovyFilters();
        List<FilterFaultsException> refusals = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            try {
                builder.build(Sources.of("inbound/a.groovy", "throw new Exception('" + i + "')"));
            } catch (FilterFaultsException e) {
                refusals.add(e);
            }
        }
        assertThat(refusals).hasSize(10);
        assertThat(left(builder.alive(), 0)).isZero();
    }

    @Test
    void aClosedGenerationThatStillRunsIsUnloaded() throws Exception {
        GroovyFilters builder = new GroovyFilters();
        BuiltFilters built =
                builder.build(Sources.of("inbound/typed.groovy", "filter { it.request.headers['x-a'] = 'g7' }"));
        try (GatewayWithFilters gateway = new GatewayWithFilters(built)) {
            built.close();
            assertThat(gateway.get().body()).isEqualTo("g7");
            gateway.apply(FilterSet.EMPTY);
            built = Sources.build();
            assertThat(gateway.get().body()).isEqualTo("none");
        }
        assertThat(left(builder.alive(), 0)).isZero();
        built.close();
    }

    @Test
    void aGenerationInUseIsCounted() throws Exception {
        GroovyFilters builder = new GroovyFilters();
        BuiltFilters built = builder.build(generation(1));
        System.gc();
        assertThat(builder.alive().count()).isEqualTo(1);
        assertThat(built.filters()).hasSize(4);
        built.close();
    }
}
