package dev.lychgate.filters.groovy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lychgate.filter.SyncFilter;
import dev.lychgate.filters.testing.TestExchange;
import dev.lychgate.filters.testing.TestResult;
import groovy.lang.Closure;
import groovy.lang.ExpandoMetaClass;
import groovy.lang.GroovyObject;
import groovy.lang.GroovySystem;
import groovy.lang.MetaClassImpl;
import groovy.lang.MissingMethodException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.FutureTask;
import org.codehaus.groovy.runtime.InvokerHelper;
import org.codehaus.groovy.runtime.metaclass.ClosureMetaClass;
import org.junit.jupiter.api.Test;

class LazyMetaClassTest {
    private static final String COSTS = """
            settings { int most = 7 }
            Map<String, Integer> costs = [read: 1, write: 5]
            String named(String text) { "the $text" }
            filter {
                def all = costs.collect { "${it.key}=${Math.min(it.value, most)}".toString() }
                it.request.headers['x-costs'] = named(all.join(','))
            }
            """;

    private static ScriptFilter.Sync script(String file, String... others) throws Exception {
        List<String> sources = new ArrayList<>(List.of("inbound/a.groovy", file));
        sources.addAll(List.of(others));
        BuiltFilters built = Sources.build(sources.toArray(String[]::new));
        return (ScriptFilter.Sync) Sources.named(built, "a").get(0).filter();
    }

    private static Class<?> load(ScriptFilter filter, String name) throws ClassNotFoundException {
        return Class.forName(name, true, filter.script().getClass().getClassLoader());
    }

    private static boolean isCreated(GroovyObject object) {
        return ((LazyMetaClass) object.getMetaClass()).isCreated();
    }

    private static String costs(SyncFilter filter) throws Exception {
        try (TestResult result = TestExchange.get("/").through(filter)) {
            return String.valueOf(Objects.requireNonNull(result.getSent()).header("x-costs"));
        }
    }

    @Test
    void aTypeCheckedScriptRunsWithoutMetaClasses() throws Exception {
        ScriptFilter.Sync filter = script(COSTS);
        assertThat(costs(filter)).isEqualTo("the read=1,write=5");
        assertThat(isCreated(filter.script())).isFalse();
        assertThat(isCreated(filter.work())).isFalse();
        Class<?> inner = load(filter, filter.work().getClass().getName() + "$_closure2");
        assertThat(InvokerHelper.getMetaClass(inner)).isInstanceOf(LazyMetaClass.class);
    }

    @Test
    void aDynamicCallCreatesTheMetaClass() throws Exception {
        ScriptFilter.Sync filter = script(COSTS);
        assertThat(InvokerHelper.invokeMethod(filter.script(), "named", "text")).hasToString("the text");
        assertThat(isCreated(filter.script())).isTrue();
        assertThat(InvokerHelper.getMetaClass(filter.script().getClass()).getClass())
                .as("the metaclass of later objects")
                .isEqualTo(MetaClassImpl.class);
        assertThat(filter.script().getMetaClass()).isEqualTo(filter.script().getMetaClass());
        assertThat(filter.script().getMetaClass().getTheClass())
                .isEqualTo(filter.script().getClass());
        assertThat(filter.script().getMetaClass().respondsTo(filter.script(), "named"))
                .hasSize(1);
        assertThatThrownBy(() -> InvokerHelper.invokeMethod(filter.script(), "unnamed", "text"))
                .isInstanceOf(MissingMethodException.class)
                .hasMessageContaining("unnamed");
    }

    @Test
    void aClosureWithTwoParametersHasItsMetaClassAtOnce() throws Exception {
        ScriptFilter.Sync filter = script("filter { Held.sum.call(1, 2); null }", "lib/Held.groovy", """
                class Held { static Closure<?> sum = { int a, int b -> a + b } }
                """);
        Closure<?> sum = (Closure<?>) load(filter, "Held").getMethod("getSum").invoke(null);
        assertThat(sum.getMetaClass()).isInstanceOf(ClosureMetaClass.class);
        assertThat(sum.call(1, 2)).isEqualTo(3);
        assertThat(sum.curry(5).call(6)).isEqualTo(11);
    }

    @Test
    void threadsShareOneMetaClass() throws Exception {
        ScriptFilter.Sync filter = script(COSTS);
        CyclicBarrier begin = new CyclicBarrier(4);
        Callable<List<?>> methods = () -> {
            begin.await();
            return filter.script().getMetaClass().respondsTo(filter.script(), "named");
        };
        List<FutureTask<List<?>>> all = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            FutureTask<List<?>> one = new FutureTask<>(methods);
            all.add(one);
            new Thread(one).start();
        }
        List<?> first = all.get(0).get();
        assertThat(first).hasSize(1);
        for (FutureTask<List<?>> each : all) {
            assertThat(each.get().get(0)).isSameAs(first.get(0));
        }
    }

    @Test
    void aScriptWithDynamicCallsHasItsMetaClassAtOnce() throws Exception {
        ScriptFilter.Sync filter = script("""
                @groovy.transform.CompileDynamic
                def dynamic(it) { it.request.headers['x-costs'] = 'dynamic' }
                filter { dynamic(it); null }
                """);
        assertThat(filter.script().getMetaClass().getClass()).isEqualTo(MetaClassImpl.class);
        assertThat(costs(filter)).isEqualTo("dynamic");
    }

    @Test
    void aClosureWithDynamicCallsHasItsMetaClassAtOnce() throws Exception {
        ScriptFilter.Sync filter = script("""
                @groovy.transform.CompileDynamic
                static Closure<?> dynamic() { return { it.request.headers['x-costs'] = 'dynamic' } }
                def work = dynamic()
                filter { work.call(it); null }
                """);
        assertThat(costs(filter)).isEqualTo("dynamic");
        GroupClassLoader loader = (GroupClassLoader) filter.script().getClass().getClassLoader();
        String name = loader.code().byteCode().keySet().stream()
                .filter(each -> each.contains("_dynamic_"))
                .findAny()
                .orElseThrow();
        Class<?> closure = load(filter, name);
        assertThat(InvokerHelper.getMetaClass(closure)).isInstanceOf(ClosureMetaClass.class);
    }

    @Test
    void otherClassesOfFiltersHaveTheirMetaClassesAtOnce() throws Exception {
        ScriptFilter.Sync filter = script("filter { new Names().one() }", "lib/Names.groovy", """
                class Names { String one() { 'one' } }""");
        Class<?> names = load(filter, "Names");
        assertThat(InvokerHelper.getMetaClass(names).getClass()).isEqualTo(MetaClassImpl.class);
        assertThat(InvokerHelper.getMetaClass(LazyMetaClassTest.class).getClass())
                .isEqualTo(MetaClassImpl.class);
    }

    @Test
    void theMetaClassesOfAnEmbeddingProgramRemain() throws Exception {
        ExpandoMetaClass own = new ExpandoMetaClass(LazyMetaClassTest.class, true);
        own.initialize();
        GroovySystem.getMetaClassRegistry().setMetaClass(LazyMetaClassTest.class, own);
        try {
            script(COSTS);
            assertThat(InvokerHelper.getMetaClass(LazyMetaClassTest.class)).isSameAs(own);
        } finally {
            GroovySystem.getMetaClassRegistry().removeMetaClass(LazyMetaClassTest.class);
        }
    }

    @Test
    void aCheckedExceptionReachesTheCallerAsCause() throws Exception {
        ScriptFilter.Sync filter = script("""
                filter {
                    try {
                        invokeMethod('with', { throw new IOException('caught') })
                    } catch (org.codehaus.groovy.runtime.InvokerInvocationException e) {
                        it.request.headers['x-costs'] = e.cause.message
                    }
                }
                """);
        assertThat(costs(filter)).isEqualTo("caught");
    }

    @Test
    void aClosureWithATypedParameterHasItsMetaClassAtOnce() throws Exception {
        ScriptFilter.Sync filter =
                script("filter { dev.lychgate.filter.FilterExchange exchange -> exchange.proceed() }");
        assertThat(filter.work().getMetaClass()).isInstanceOf(ClosureMetaClass.class);
        assertThat(costs(filter)).isEqualTo("null");
    }
}
