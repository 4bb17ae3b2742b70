package dev.lychgate.fuzz;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxy;
import ch.qos.logback.core.AppenderBase;
import dev.lychgate.blocking.BlockingThreads;
import dev.lychgate.chain.FilterSet;
import dev.lychgate.config.AccessLogConfig;
import dev.lychgate.config.BindAddress;
import dev.lychgate.config.EndpointConfig;
import dev.lychgate.config.GatewayConfig;
import dev.lychgate.config.ListenerConfig;
import dev.lychgate.config.MatchConfig;
import dev.lychgate.config.RewriteConfig;
import dev.lychgate.config.RouteAction;
import dev.lychgate.config.RouteConfig;
import dev.lychgate.config.RouteTimeouts;
import dev.lychgate.config.Transport;
import dev.lychgate.config.UpstreamConfig;
import dev.lychgate.error.GatewayError;
import dev.lychgate.exchange.Exchange;
import dev.lychgate.exchange.Worker;
import dev.lychgate.exchange.state.ExchangeRecord;
import dev.lychgate.generation.Generation;
import dev.lychgate.generation.Traffic;
import dev.lychgate.http.RequestHead;
import dev.lychgate.listener.EmbeddedListener;
import dev.lychgate.loop.Loop;
import dev.lychgate.loop.Turn;
import dev.lychgate.pool.LoopPools;
import dev.lychgate.pool.PoolLimits;
import io.netty.channel.embedded.EmbeddedChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * The whole path of a request, from a client's bytes to an origin's and back, on one thread and without sockets: a real server
 * connection, real exchanges and pools, and real origin connections, on channels in memory. Every path has the same origin.
 * Each conversation has a new instance, so that it can be repeated.
 */
final class MemoryGateway {
    /** The host of the origin for requests that name no host. */
    static final String ENDPOINT = "10.0.0.1:80";

    private static final String PSEUDONYM = "lychgate-fuzz";
    private static final BlockingThreads BLOCKING = new BlockingThreads();
    private static final Traffic TRAFFIC = Traffic.of(Generation.first(config(), FilterSet.EMPTY, 1));
    private static final Faults FAULTS = Faults.listening();

    /**
     * The end of an exchange.
     *
     * @param toHead whether its response has no body
     * @param error the failure, or null
     */
    record Outcome(
            String requestId,
            boolean toHead,
            int status,
            @Nullable GatewayError error) {
        static Outcome of(Exchange exchange) {
            RequestHead head = exchange.record().requestHead();
            boolean toHead = head != null && head.method().name().equals("HEAD");
            ExchangeRecord record = exchange.record();
            return new Outcome(record.requestId(), toHead, record.status(), record.error());
        }
    }

    private final CountingAllocator allocator = new CountingAllocator();
    private final EmbeddedChannel thread = new EmbeddedChannel();
    private final List<Outcome> outcomes = new ArrayList<>();
    /** The first request of a turn is sent at once, the next ones wait. */
    private final Turn turn = new Turn(1);

    private final MemoryOrigins origins;
    private final MemoryChannel client;

    MemoryGateway() {
        FAULTS.first = null;
        Loop loop = new Loop(thread.eventLoop(), 0, turn);
        origins = new MemoryOrigins(loop, allocator);
        LoopPools pools = new LoopPools(loop, origins, new PoolLimits(1));
        Worker worker =
                new Worker(loop, pools, () -> TRAFFIC, exchange -> outcomes.add(Outcome.of(exchange)), BLOCKING);
        client = new MemoryChannel(allocator);
        new EmbeddedListener(PSEUDONYM).accept(client, worker);
    }

    private static GatewayConfig config() {
        return new GatewayConfig(
                1,
                Transport.NIO,
                Duration.ZERO,
                List.of(ListenerConfig.of("embedded", new BindAddress("127.0.0.1", 0))),
                List.of(new RouteConfig(
                        "all",
                        0,
                        MatchConfig.path("/**"),
                        RewriteConfig.NONE,
                        new RouteAction.Proxy("origin"),
                        RouteTimeouts.UNSET)),
                Map.of("origin", UpstreamConfig.of("origin", new EndpointConfig("10.0.0.1", 80))),
                null,
                AccessLogConfig.DEFAULT);
    }

    /** The client's connection. */
    MemoryChannel client() {
        return client;
    }

    MemoryOrigins origins() {
        return origins;
    }

    /** The exchanges that are over, in their order. */
    List<Outcome> outcomes() {
        return outcomes;
    }

    /**
     * Runs delayed tasks.
     *
     * @return whether a request had to wait for them
     */
    boolean settle() {
        boolean waited = !turn.isEmpty();
        turn.end();
        thread.runPendingTasks();
        client.runPendingTasks();
        origins.connections().forEach(EmbeddedChannel::runPendingTasks);
        return waited;
    }

    /** The client has disconnected. */
    void clientLeaves() {
        client.peerCloses();
        settle();
    }

    /** Closes all connections. Afterwards no memory may be held, and no internal error may have been logged. */
    void close() {
        clientLeaves();
        for (MemoryChannel origin : origins.connections()) {
            origin.peerCloses();
        }
        settle();
        client.sent();
        origins.connections().forEach(MemoryChannel::sent);
        client.finishAndReleaseAll();
        origins.connections().forEach(EmbeddedChannel::finishAndReleaseAll);
        thread.finishAndReleaseAll();
        Finding.unless(allocator.held() == 0, "%d bytes of buffers are still held", allocator.held());
        ILoggingEvent fault = FAULTS.first;
        if (fault != null) {
            Throwable cause = fault.getThrowableProxy() instanceof ThrowableProxy proxy ? proxy.getThrowable() : null;
            throw new Finding("an internal error of the gateway: " + fault.getFormattedMessage(), cause);
        }
    }

    /** Collects errors that the gateway logs, which include its internal errors. */
    private static final class Faults extends AppenderBase<ILoggingEvent> {
        private @Nullable ILoggingEvent first;

        static Faults listening() {
            Faults faults = new Faults();
            Logger root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
            faults.setContext(root.getLoggerContext());
            faults.start();
            root.addAppender(faults);
            return faults;
        }

        @Override
        protected void append(ILoggingEvent event) {
            if (first == null && event.getLevel().isGreaterOrEqual(Level.ERROR)) {
                first = event;
            }
        }
    }
}
