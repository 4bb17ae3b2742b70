package dev.lychgate.server.reload;

import static dev.lychgate.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.server.admin.Generations.Outcome;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.Responses;
import dev.lychgate.testing.ScriptedOrigin;
import java.nio.file.Path;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** State of filters that outlives a generation. */
@Tag("slow")
class FilterStateTest {
    private static final String COUNT = """
            import java.util.concurrent.atomic.LongAdder
            def hits = shared('hits') { new LongAdder() }
            filter {
                hits.increment()
                it.response.headers['x-hits'] = hits.sum()
            }
            """;

    @TempDir
    Path home = Path.of("");

    private FilterDirectoryGateway start(String routeFilters, String... filters) throws Exception {
        return new FilterDirectoryGateway(
                home, ScriptedOrigin.answering((r, c) -> c.send(Responses.ok("origin"))), routeFilters, filters);
    }

    private static String hits(FilterDirectoryGateway gateway, String path) throws Exception {
        return gateway.get(path).value("x-hits").orElse("none");
    }

    @Test
    void keepsACounterOver100ReloadsUnderLoad() throws Exception {
        ExecutorService load = Executors.newSingleThreadExecutor();
        try (FilterDirectoryGateway gateway = start("", "outbound/count.groovy", COUNT)) {
            AtomicBoolean done = new AtomicBoolean();
            Future<Long> sent = load.submit(() -> {
                long requests = 0;
                try (RawClient client = gateway.client()) {
                    while (!done.get()) {
                        requests++;
                        assertThat(client.get("/").value("x-hits")).hasValue(Long.toString(requests));
                    }
                }
                return requests;
            });
            for (int i = 1; i <= 100; i++) {
                assertThat(gateway.reload("outbound/count.groovy", COUNT + "// " + i))
                        .isEqualTo(new Outcome.Taken(i + 1));
            }
            done.set(true);
            // Its last request ends first: another one beside it would be counted before it.
            long requests = sent.get();
            assertThat(hits(gateway, "/")).isEqualTo(Long.toString(requests + 1));
            assertThat(gateway.warnings()).isEmpty();
        } finally {
            load.shutdownNow();
        }
    }

    @Test
    void isResetWithAWarningWhenTheTypeChanges() throws Exception {
        try (FilterDirectoryGateway gateway = start("", "outbound/count.groovy", COUNT)) {
            assertThat(hits(gateway, "/")).isEqualTo("1");
            gateway.reload("outbound/count.groovy", """
                    import java.util.concurrent.atomic.AtomicLong

                    def hits = shared('hits') { new AtomicLong() }
                    filter { it.response.headers['x-hits'] = 'a' + hits.incrementAndGet() }
                    """);
            assertThat(hits(gateway, "/")).isEqualTo("a1");
            assertThat(gateway.warnings())
                    .contains("shared state 'hits' is reset, because its declaration has changed:"
                            + " java.util.concurrent.atomic.AtomicLong at"
                            + " outbound/count.groovy:3 replaces java.util.concurrent.atomic.LongAdder at"
                            + " outbound/count.groovy:2");
            gateway.rollback(1);
            assertThat(hits(gateway, "/")).isEqualTo("2");
        }
    }

    @Test
    void keepsStateWhenAGenerationIsRefused() throws Exception {
        try (FilterDirectoryGateway gateway = start("", "outbound/count.groovy", COUNT)) {
            assertThat(hits(gateway, "/")).isEqualTo("1");
            String changed = COUNT.replace("LongAdder", "AtomicLong").replace("hits.increment()", "");
            assertThat(gateway.reload(
                            "outbound/count.groovy",
                            changed.replace("hits.sum()", "hits.get()"),
                            "outbound/b.groovy",
                            "oops"))
                    .isInstanceOf(Outcome.Refused.class);
            assertThat(hits(gateway, "/")).isEqualTo("2");
            gateway.delete("outbound/b.groovy");
            gateway.reload("outbound/count.groovy", COUNT + "//");
            assertThat(hits(gateway, "/")).isEqualTo("3");
        }
    }

    @Test
    void transfersStateOfOwnClassesByACodec() throws Exception {
        String tally = """
                import dev.lychgate.filter.StateCodec

                class Tally {
                    long count

                    synchronized long next() { ++count }

                    static class Codec implements StateCodec<Tally> {
                        Object encode(Tally tally) { [count: tally.count] }

                        Tally decode(Object encoded) { new Tally(count: (long) ((Map) encoded)['count']) }
                    }
                }
                """;
        String count = """
                def tally = shared('tally', new Tally.Codec()) { new Tally() }
                filter { it.response.headers['x-hits'] = tally.next() }
                """;
        try (FilterDirectoryGateway gateway = start("", "lib/Tally.groovy", tally, "outbound/count.groovy", count)) {
            assertThat(hits(gateway, "/")).isEqualTo("1");
            gateway.reload("lib/Tally.groovy", tally + "// changed");
            assertThat(hits(gateway, "/")).isEqualTo("2");
            gateway.rollback(1);
            assertThat(hits(gateway, "/")).isEqualTo("3");
            gateway.reload("lib/Tally.groovy", tally.replace("encode(Tally tally) {", "encode(Tally tally) {\n"));
            assertThat(hits(gateway, "/")).isEqualTo("4");
            assertThat(gateway.warnings()).isEmpty();
            gateway.reload(
                    "lib/Tally.groovy", tally.replace("new Tally(", "throw new Exception('broken'); new Tally("));
            assertThat(hits(gateway, "/")).isEqualTo("1");
            assertThat(gateway.warnings())
                    .contains("shared state 'tally' is reset: the codec at outbound/count.groovy:1 failed");
            gateway.reload("lib/Tally.groovy", tally.replace("new Tally(", "assert encoded == null; new Tally("));
            assertThat(hits(gateway, "/")).isEqualTo("1");
        }
    }

    @Test
    void namesTheFileOfASharedHelperThatNamesTheState() throws Exception {
        try (FilterDirectoryGateway gateway = start("", "lib/Hits.groovy", """
                import dev.lychgate.filter.FilterServices
                import java.util.concurrent.atomic.LongAdder

                class Hits {
                    static LongAdder of(FilterServices services) {
                        services.shared('hits', LongAdder) { new LongAdder() }
                    }
                }
                """, "outbound/Count.groovy", """
                import dev.lychgate.filter.*

                class Count implements OutboundFilter, SyncFilter {
                    void onLoad(FilterServices services) { Hits.of(services) }

                    FilterOutcome filter(FilterExchange exchange) { exchange.proceed() }
                }
                """)) {
            assertThat(gateway.admin("/filters")).contains("\"place\":\"lib/Hits.groovy:6\"");
        }
    }

    @Test
    void refusesStateOfOwnClassesWithFileAndLine() throws Exception {
        try (FilterDirectoryGateway gateway = start("", "outbound/count.groovy", COUNT)) {
            Outcome refused = gateway.reload("lib/Own.groovy", "class Own {}", "outbound/own.groovy", """

                            def own = shared('own') { new java.util.concurrent.ConcurrentHashMap([a: new Own()]) }
                            filter { own.size() }
                            """);
            assertThat(refused.toString())
                    .contains("outbound/own.groovy:2: java.lang.IllegalArgumentException: shared state 'own' has an"
                            + " object of class Own, which ends with its generation (expected: classes of the JDK, or a"
                            + " StateCodec)");
        }
    }

    @Test
    void refusesStateWithoutAFirstValue() throws Exception {
        try (FilterDirectoryGateway gateway = start("", "outbound/count.groovy", COUNT)) {
            Outcome refused = gateway.reload("outbound/own.groovy", "shared('own') { null }\nfilter { }");
            assertThat(refused.toString())
                    .contains("outbound/own.groovy:1: ", "the first value of shared state 'own' is null");
        }
    }

    @Test
    void sharesStateAmongTheInstancesOfAFile() throws Exception {
        String burst = """
                import java.util.concurrent.atomic.LongAdder
                settings { int size = 1 }
                def hits = shared('hits') { new LongAdder() }
                def own = shared("hits of $size") { new LongAdder() }
                filter {
                    hits.increment()
                    own.increment()
                    it.response.headers['x-hits'] = "$hits $own"
                }
                """;
        try (FilterDirectoryGateway gateway = start("Burst, { Burst: { size: 2 } }", "outbound/Burst.groovy", burst)) {
            // The second one of the list runs last.
            assertThat(hits(gateway, "/a/")).isEqualTo("2 1");
            gateway.reload("outbound/Burst.groovy", burst + "//");
            assertThat(hits(gateway, "/a/")).isEqualTo("4 2");
        }
    }

    @Test
    void dropsStateThatNoKeptGenerationNames() throws Exception {
        try (FilterDirectoryGateway gateway = start("", "outbound/count.groovy", COUNT)) {
            gateway.reload("outbound/count.groovy", "filter { it.response.headers['x-stamp'] = 0 }");
            assertThat(gateway.admin("/filters")).contains("\"name\":\"hits\"");
            for (int i = 1; i <= History.KEPT; i++) {
                gateway.reload("outbound/count.groovy", "filter { it.response.headers['x-stamp'] = " + i + " }");
            }
            assertThat(gateway.admin("/filters")).doesNotContain("\"name\":\"hits\"");
        }
    }

    @Test
    void keepsTheEntriesOfACache() throws Exception {
        String caching = """
                import dev.lychgate.filter.FilterCache
                FilterCache<String> tokens = cache('tokens', entries: 2, bytes: '1MiB', ttl: '1h')
                filter {
                    def path = it.request.path
                    def known = tokens.get(path)
                    it.response.headers['x-hits'] = known
                    if (known == null) {
                        tokens.put(path, path.substring(1))
                    }
                }
                """;
        try (FilterDirectoryGateway gateway = start("", "outbound/caching.groovy", caching)) {
            assertThat(hits(gateway, "/x")).isEqualTo("none");
            gateway.reload("outbound/caching.groovy", caching + "//");
            assertThat(hits(gateway, "/x")).isEqualTo("x");
            assertThat(gateway.admin("/filters"))
                    .contains(
                            "\"type\":\"cache of 2 entries, 1048576 bytes, ttl PT1H\"",
                            "\"size\":1,\"hits\":1,\"misses\":1");
            for (int i = 0; i < 10; i++) {
                gateway.get("/" + i);
            }
            assertThat(gateway.admin("/metrics"))
                    .contains("lychgate_filter_cache_entries{file=\"outbound/caching.groovy\",name=\"tokens\"} 2")
                    .contains(
                            "lychgate_filter_cache_lookups_total{file=\"outbound/caching.groovy\",name=\"tokens\",result=\"hit\"} 1")
                    .contains(
                            "lychgate_filter_cache_evictions_total{file=\"outbound/caching.groovy\",name=\"tokens\"} 9");
            gateway.reload("outbound/caching.groovy", caching.replace("entries: 2", "entries: 3"));
            assertThat(hits(gateway, "/9")).isEqualTo("none");
            // The caches that the running generation does not have are empty, as all caches together have one bound.
            gateway.rollback(2);
            assertThat(hits(gateway, "/9")).isEqualTo("none");
            assertThat(hits(gateway, "/9")).isEqualTo("9");
        }
    }

    @Test
    void boundsACacheByBytesAndTime() throws Exception {
        String caching = """
                import dev.lychgate.filter.FilterCache
                FilterCache<String> tokens = cache('tokens', bytes: '10KiB', ttl: '1ms')
                FilterCache<String> large = cache('large', bytes: '10KiB')
                filter {
                    if (it.request.path == '/fill') {
                        tokens.put('a', 'b')
                        large.put('a', 'x' * 20_000)
                        large.put('b', 'x' * 6_000)
                        large.put('c', 'x' * 6_000)
                    }
                    it.response.headers['x-hits'] = tokens.get('a') ?: "expired ${large.size()}"
                }
                """;
        try (FilterDirectoryGateway gateway = start("", "outbound/caching.groovy", caching)) {
            gateway.get("/fill");
            eventually(() -> assertThat(hits(gateway, "/")).isEqualTo("expired 1"));
        }
    }

    @Test
    void refusesACacheThatIsTooLarge() throws Exception {
        try (FilterDirectoryGateway gateway = start("", "outbound/count.groovy", COUNT)) {
            assertThat(gateway.reload("outbound/c.groovy", "\ncache('c', bytes: '100GiB')\nfilter { }")
                            .toString())
                    .contains(
                            "outbound/c.groovy:2: java.lang.IllegalArgumentException: with cache 'c', the caches of all"
                                    + " filters have 107374182400 bytes (expected: at most ");
            assertThat(gateway.reload("outbound/c.groovy", "cache('c', size: 1)\nfilter { }")
                            .toString())
                    .contains("outbound/c.groovy:1: ", "cache 'c': size (expected: entries, bytes, ttl)");
            assertThat(gateway.reload("outbound/c.groovy", "cache('c', ttl: 5)\nfilter { }")
                            .toString())
                    .contains("outbound/c.groovy:1: ", "cache 'c': ttl: 5 (expected: a duration such as 250ms");
            assertThat(gateway.reload("outbound/c.groovy", "cache('c', entries: 'many')\nfilter { }")
                            .toString())
                    .contains("outbound/c.groovy:1: ", "cache 'c': entries: many (expected: a whole number)");
            assertThat(gateway.reload("outbound/c.groovy", """
                            counter('c')
                            shared('c') { new java.util.concurrent.atomic.LongAdder() }
                            filter { }
                            """).toString())
                    .contains("outbound/c.groovy:2: ")
                    .contains("'c' is java.util.concurrent.atomic.LongAdder here, and counter at outbound/c.groovy:1");
            assertThat(gateway.reload("outbound/c.groovy", "filter { }", "outbound/Both.groovy", """
                            import dev.lychgate.filter.*

                            class Both implements OutboundFilter, SyncFilter {
                                void onLoad(FilterServices services) {
                                    services.cache('b', FilterCache.Bounds.DEFAULT)
                                    services.cache('c', FilterCache.Bounds.DEFAULT.bytes(Long.MAX_VALUE))
                                }

                                FilterOutcome filter(FilterExchange exchange) { exchange.proceed() }
                            }
                            """)
                            .toString())
                    .contains("with cache 'c', the caches of all filters have " + Long.MAX_VALUE + " bytes");
        }
    }

    @Test
    void refusesValuesOfOwnClassesInACache() throws Exception {
        try (FilterDirectoryGateway gateway = start("", "lib/Own.groovy", "class Own {}", "outbound/own.groovy", """
                dev.lychgate.filter.FilterCache<Own> owned = cache('own')
                filter {
                    try {
                        owned.put('a', new Own())
                    } catch (IllegalArgumentException e) {
                        it.response.headers['x-hits'] = e.message
                    }
                }
                """)) {
            assertThat(hits(gateway, "/")).isEqualTo("a cache accepts only values of JDK classes, not of Own");
        }
    }

    @Test
    void exposesInstrumentsThatKeepTheirValues() throws Exception {
        String measured = """
                def lookups = counter('lookups')
                def work = timer('work')
                gauge('depth') { 7 }
                gauge('broken') { throw new IOException('not now') }
                filter {
                    lookups.increment('hit')
                    lookups.increment()
                    work.record(java.time.Duration.ofMillis(500))
                }
                """;
        try (FilterDirectoryGateway gateway = start("", "inbound/measured.groovy", measured)) {
            gateway.get("/");
            gateway.reload("inbound/measured.groovy", measured + "//");
            gateway.get("/");
            String labels = "{file=\"inbound/measured.groovy\",label=\"\",name=";
            // A gauge has no value if its thread pauses.
            eventually(() -> assertThat(gateway.admin("/metrics"))
                    .contains("lychgate_filter_own_total"
                            + "{file=\"inbound/measured.groovy\",label=\"hit\",name=\"lookups\"} 2")
                    .contains("lychgate_filter_own_total"
                            + "{file=\"inbound/measured.groovy\",label=\"\",name=\"lookups\"} 2")
                    .contains("lychgate_filter_own_seconds_count" + labels + "\"work\"} 2")
                    .contains("lychgate_filter_own_seconds_sum" + labels + "\"work\"} 1.0")
                    .contains("lychgate_filter_own_value" + labels + "\"depth\"} 7"));
        }
    }

    @Test
    void leavesOutAGaugeThatBlocksAndNamesItOnce() throws Exception {
        String blocking = """
                gauge('stuck') {
                    Waiting.forEver()
                    1
                }
                gauge('slow') { Waiting.forEver(); 1 }
                gauge('depth') { 7 }
                filter { }
                """;
        String waiting = """
                class Waiting {
                    static void forEver() {
                        Events.add('called')
                        while (true) {
                            try {
                                Thread.sleep(Long.MAX_VALUE)
                            } catch (InterruptedException e) {
                                // The worst case.
                            }
                        }
                    }
                }
                """;
        String value = "lychgate_filter_own_value{file=\"inbound/depth.groovy\",label=\"\",name=";
        try (FilterDirectoryGateway gateway =
                start("", "lib/Waiting.groovy", waiting, "inbound/depth.groovy", blocking)) {
            for (int i = 0; i < 3; i++) {
                // A gauge has no value if its thread pauses.
                eventually(() -> assertThat(gateway.admin("/metrics"))
                        .contains(value + "\"depth\"} 7")
                        .doesNotContain("\"stuck\"", "\"slow\""));
            }
            eventually(() -> assertThat(gateway.events).hasSize(2));
            assertThat(gateway.warnings())
                    .filteredOn(warning -> !warning.startsWith("gauge 'depth' "))
                    .containsOnlyOnce(
                            "gauge 'stuck' of filter file inbound/depth.groovy:1 has not returned after 500 ms;"
                                    + " the call is abandoned, and the gauge has no value until the call ends")
                    .hasSize(2);
            gateway.reload("inbound/depth.groovy", "gauge('depth') { 8 }\nfilter { }");
            eventually(() -> assertThat(gateway.admin("/metrics")).contains(value + "\"depth\"} 8"));
            assertThat(gateway.admin("/traffic")).doesNotContain("time limit");
            assertThat(gateway.events).hasSize(2);
        }
    }

    @Test
    void logsAGaugeThatThrowsOnce() throws Exception {
        String broken = """
                gauge('broken') { throw new IOException('not now') }
                gauge('none') { (Integer) null }
                gauge('deep') { throw new StackOverflowError() }
                gauge('depth') { 7 }
                filter { }
                """;
        try (FilterDirectoryGateway gateway = start("", "inbound/broken.groovy", broken)) {
            for (int i = 0; i < 2; i++) {
                // A gauge neither fails nor has a value if its thread pauses.
                eventually(() -> {
                    assertThat(gateway.admin("/metrics"))
                            .contains("name=\"depth\"} 7")
                            .doesNotContain("name=\"broken\"");
                    assertThat(gateway.warnings())
                            .filteredOn(warning -> !warning.contains(" has not returned after "))
                            .containsOnlyOnce(
                                    "gauge 'broken' of filter file inbound/broken.groovy:1 failed and has no value"
                                            + " until a later call succeeds; further failures are not logged")
                            .hasSize(3);
                });
            }
        }
    }

    @Test
    void boundsTheLabelsOfACounter() throws Exception {
        try (FilterDirectoryGateway gateway = start("", "inbound/measured.groovy", """
                def paths = counter('paths')
                filter { exchange -> 200.times { paths.increment(exchange.request.path + it) } }
                """)) {
            gateway.get("/");
            assertThat(gateway.admin("/metrics"))
                    .contains("label=\"/99\",name=\"paths\"} 1", "label=\"other\",name=\"paths\"} 100")
                    .doesNotContain("label=\"/100\"");
        }
    }

    @Test
    void timersAndGaugesHaveLabels() throws Exception {
        try (FilterDirectoryGateway gateway = start("", "inbound/measured.groovy", """
                def work = timer('work')
                ['orders', 'search'].each { queue -> gauge('queue', queue) { queue.length() } }
                gauge('queue', 'orders') { 70 }
                filter {
                    work.record('hit', java.time.Duration.ofMillis(250))
                    work.record('hit', java.time.Duration.ofMillis(250))
                    work.record('miss', java.time.Duration.ofSeconds(2))
                }
                """)) {
            gateway.get("/");
            String of = "{file=\"inbound/measured.groovy\",label=";
            // A gauge has no value if its thread pauses.
            eventually(() -> assertThat(gateway.admin("/metrics"))
                    .contains("lychgate_filter_own_seconds_count" + of + "\"hit\",name=\"work\"} 2")
                    .contains("lychgate_filter_own_seconds_sum" + of + "\"hit\",name=\"work\"} 0.5")
                    .contains("lychgate_filter_own_seconds_sum" + of + "\"miss\",name=\"work\"} 2.0")
                    .contains("lychgate_filter_own_value" + of + "\"search\",name=\"queue\"} 6")
                    .containsOnlyOnce("lychgate_filter_own_value" + of + "\"orders\",name=\"queue\"} 70"));
        }
    }

    @Test
    void boundsTheLabelsOfATimer() throws Exception {
        try (FilterDirectoryGateway gateway = start("", "inbound/measured.groovy", """
                def paths = timer('paths')
                filter { 200.times { n -> paths.record('p' + n, java.time.Duration.ofSeconds(1)) } }
                """)) {
            gateway.get("/");
            assertThat(gateway.admin("/metrics"))
                    .contains("_count{file=\"inbound/measured.groovy\",label=\"p99\",name=\"paths\"} 1")
                    .contains("_sum{file=\"inbound/measured.groovy\",label=\"other\",name=\"paths\"} 100.0")
                    .doesNotContain("label=\"p100\"");
        }
    }

    @Test
    void refusesAGaugeWithTooManyLabels() throws Exception {
        try (FilterDirectoryGateway gateway = start("", "inbound/measured.groovy", "filter { }")) {
            Outcome refused = gateway.reload(
                    "inbound/measured.groovy", "101.times { n -> gauge('queue', 'q' + n) { n } }\nfilter { }");
            assertThat(refused.toString())
                    .contains("inbound/measured.groovy:1")
                    .contains("gauge 'queue', label 'q100' (expected: at most 100 labels of at most 64 characters)");
        }
    }
}
