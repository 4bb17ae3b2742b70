package dev.lychgate.perf;

import dev.lychgate.blocking.BlockingThreads;
import dev.lychgate.exchange.Exchange;
import dev.lychgate.exchange.ExchangeObserver;
import dev.lychgate.exchange.Worker;
import dev.lychgate.filters.groovy.BuiltFilters;
import dev.lychgate.filters.groovy.FilterDirectory;
import dev.lychgate.filters.groovy.FilterFaultsException;
import dev.lychgate.filters.groovy.GroovyFilters;
import dev.lychgate.generation.Generation;
import dev.lychgate.generation.Traffic;
import dev.lychgate.http.RequestHead;
import dev.lychgate.loop.Loop;
import dev.lychgate.loop.Turn;
import dev.lychgate.pool.LoopPools;
import dev.lychgate.pool.PoolLimits;
import io.netty.channel.ManualIoEventLoop;
import io.netty.channel.local.LocalIoHandler;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/**
 * The cost of one exchange with filters, from its head to its end. The route itself responds, so there is no network.
 * The difference to the result for {@code none} is the cost of the filters.
 */
public class FilterBenchmark extends NanosecondBenchmark {
    private static final String NOTHING = "filter {\n}\n";

    private static final String READS = "filter { it.request.headers['x-tier'] }\n";

    private static final String SINGLE = """
            import dev.lychgate.filter.FilterExchange
            import dev.lychgate.filter.FilterOutcome
            import dev.lychgate.filters.rx.SingleFilter
            import io.reactivex.rxjava3.core.Single

            class Completed implements SingleFilter {
                @Override
                Single<FilterOutcome> decide(FilterExchange exchange) { Single.just(exchange.proceed()) }
            }
            """;

    @Param({"none", "one", "ten", "reads", "single"})
    String filters = "none";

    private @Nullable Worker worker;
    private final Sink client = new Sink();

    /** Builds the filters as the gateway does, from files. */
    @Setup
    public void build() throws IOException, FilterFaultsException, InterruptedException {
        Path root = Files.createTempDirectory("filters");
        Path inbound = Files.createDirectories(root.resolve("inbound"));
        switch (filters) {
            case "none" -> {}
            case "ten" -> {
                for (int i = 0; i < 10; i++) {
                    Files.writeString(inbound.resolve("noop" + i + ".groovy"), NOTHING);
                }
            }
            case "reads" -> Files.writeString(inbound.resolve("reads.groovy"), READS);
            case "single" -> Files.writeString(inbound.resolve("Completed.groovy"), SINGLE);
            default -> Files.writeString(inbound.resolve("noop.groovy"), NOTHING);
        }
        BuiltFilters built = new GroovyFilters().build(new FilterDirectory(root).read());
        Generation generation = Generation.first(SmallConfig.answering(), built.everywhere(), 1);
        Loop loop = new Loop(
                new ManualIoEventLoop(Thread.currentThread(), LocalIoHandler.newFactory()), 0, Turn.unlimited());
        LoopPools pools = new LoopPools(
                loop,
                (endpoint, timeout, owner, outcome) -> {
                    throw new IllegalStateException("nothing is proxied");
                },
                new PoolLimits(1));
        Traffic traffic = Traffic.of(generation);
        worker = new Worker(loop, pools, () -> traffic, ExchangeObserver.NONE, new BlockingThreads());
        exchange();
        if (client.status() != 200) {
            throw new IllegalStateException("answered with " + client.status());
        }
    }

    @Benchmark
    public Exchange exchange() {
        Worker of = worker;
        if (of == null) {
            throw new IllegalStateException("not set up");
        }
        Exchange exchange = new Exchange(of, client);
        exchange.begin(new RequestHead(HttpMethod.GET, false, "/x", null, "example.com", new DefaultHttpHeaders()));
        return exchange;
    }
}
