package dev.lychgate.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.blocking.BlockingThreads;
import dev.lychgate.chain.FilterSet;
import dev.lychgate.chain.FilterSlot;
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
import dev.lychgate.error.ErrorKind;
import dev.lychgate.error.GatewayError;
import dev.lychgate.exchange.state.ExchangeRecord;
import dev.lychgate.exchange.state.Phase;
import dev.lychgate.generation.Generation;
import dev.lychgate.generation.Traffic;
import dev.lychgate.http.BodyFraming;
import dev.lychgate.http.RequestHead;
import dev.lychgate.loop.Turn;
import dev.lychgate.loop.VirtualLoop;
import dev.lychgate.pool.LoopPools;
import dev.lychgate.pool.PoolCounters;
import dev.lychgate.pool.PoolLimits;
import dev.lychgate.testing.FakeOrigins;
import dev.lychgate.upstream.Upstream;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.DefaultHttpHeadersFactory;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One exchange on a loop without threads and sockets, driven by words:
 *
 * <ul>
 *   <li>of the client: {@code GET}, {@code HEAD}, {@code POST} (a body will follow) and a path, {@code piece},
 *       {@code end}, {@code leaves}, {@code breaks}, {@code slow}, {@code fast}
 *   <li>of the origin: {@code connects}, {@code refuses}, {@code says:} (bytes, {@code ~} for CRLF, {@code _} for a
 *       space), {@code hangs-up}, {@code full}, {@code drained}
 * <li>of the environment: {@code time} (two seconds pass; an exchange may take one), {@code tick} (a tenth of a second passes),
 * {@code pooled} (an idle connection), {@code tasks} (the event loop runs the tasks of other threads), {@code crowd} (the
 * maximum of other requests starts in this turn of the loop), {@code turn} (the next turn starts and ends)
 * </ul>
 */
final class Stage implements AutoCloseable {
    private static final BlockingThreads BLOCKING = new BlockingThreads();
    private static final int CROWD = 100;

    private final EmbeddedChannel thread = new EmbeddedChannel();
    private final Turn turn = new Turn(CROWD);
    private final VirtualLoop loop = new VirtualLoop(thread.eventLoop(), turn);
    private final FakeOrigins origins = new FakeOrigins(loop);
    private final LoopPools pools = new LoopPools(loop, origins, new PoolLimits(1));
    private final Worker worker;
    private final List<Exchange> closed = new ArrayList<>();
    private final List<ByteBuf> pieces = new ArrayList<>();
    private FakeClient client = new FakeClient();
    private Exchange exchange;
    private @Nullable String trailer;
    private Phases phases = Phases.NONE;

    Stage(FilterSet filters) {
        Traffic traffic = Traffic.of(Generation.first(config(), filters, 1));
        this.worker = new Worker(loop, pools, () -> traffic, this::onClosed, BLOCKING);
        this.exchange = new Exchange(worker, client);
    }

    private void onClosed(Exchange over) {
        closed.add(over);
        phases = Phases.of(over.record().timeline());
    }

    private static GatewayConfig config() {
        RouteTimeouts timeouts = new RouteTimeouts(null, null, null, null, Duration.ofSeconds(1));
        return new GatewayConfig(
                1,
                Transport.NIO,
                Duration.ZERO,
                List.of(ListenerConfig.of("test", new BindAddress("127.0.0.1", 0))),
                List.of(
                        new RouteConfig(
                                "api",
                                0,
                                MatchConfig.path("/api/**"),
                                RewriteConfig.NONE,
                                new RouteAction.Proxy("origin"),
                                timeouts),
                        new RouteConfig(
                                "local",
                                0,
                                MatchConfig.path("/local"),
                                RewriteConfig.NONE,
                                new RouteAction.Respond(200, Map.of(), "local"),
                                RouteTimeouts.UNSET)),
                Map.of("origin", UpstreamConfig.of("origin", new EndpointConfig("10.0.0.1", 80))),
                null,
                AccessLogConfig.DEFAULT);
    }

    /** Requests announce a trailer field of that name. */
    Stage trailer(String name) {
        trailer = name;
        return this;
    }

    Stage play(String events) {
        for (String event : events.trim().split(" +", -1)) {
            play1(event);
        }
        return this;
    }

    private void play1(String event) {
        if (event.startsWith("says:")) {
            origins.says(event.substring(5).replace("~", "\r\n").replace('_', ' '));
            return;
        }
        if (event.startsWith("GET/") || event.startsWith("HEAD/") || event.startsWith("POST/")) {
            int slash = event.indexOf('/');
            begin(event.substring(0, slash), event.substring(slash));
            return;
        }
        switch (event) {
            case "piece" -> exchange.onRequestBody(piece());
            case "end" -> {
                exchange.onRequestEnd(EmptyHttpHeaders.INSTANCE);
                exchange.onDownstreamReadComplete();
            }
            case "leaves" -> exchange.onDownstreamClosed(GatewayError.downstream(ErrorKind.CLIENT_GONE, "gone"));
            case "breaks" -> exchange.onRequestBroken(GatewayError.downstream(ErrorKind.MALFORMED_REQUEST, "not HTTP"));
            case "slow" -> client.writable = false;
            case "fast" -> {
                client.writable = true;
                exchange.onDownstreamWritable();
            }
            case "connects" -> origins.accept();
            case "refuses" -> origins.refuse();
            case "hangs-up" -> origins.hangsUp();
            case "full" -> origins.takes(false);
            case "drained" -> origins.takes(true);
            case "time" -> loop.advance(Duration.ofSeconds(2));
            case "tick" -> loop.advance(Duration.ZERO);
            case "pooled" -> pool();
            case "crowd" -> {
                for (int i = 0; i < CROWD; i++) {
                    turn.begin();
                }
            }
            case "turn" -> {
                turn.end();
                turn.end();
            }
            case "tasks" -> thread.runPendingTasks();
            default -> throw new IllegalArgumentException(event);
        }
    }

    private void begin(String method, String path) {
        // As the decoder makes them.
        HttpHeaders headers =
                DefaultHttpHeadersFactory.headersFactory().withValidation(false).newHeaders();
        if (trailer != null) {
            headers.set("Trailer", trailer);
        }
        int question = path.indexOf('?');
        RequestHead head = new RequestHead(
                HttpMethod.valueOf(method),
                false,
                question < 0 ? path : path.substring(0, question),
                question < 0 ? null : path.substring(question + 1),
                "a.example",
                headers);
        if (method.equals("POST")) {
            head.frame(BodyFraming.CHUNKED, 0);
        }
        exchange.begin(head);
        exchange.onDownstreamReadComplete();
    }

    private ByteBuf piece() {
        ByteBuf piece = PooledByteBufAllocator.DEFAULT.directBuffer();
        piece.writeBytes(new byte[] {'a', 'b', 'c'});
        pieces.add(piece);
        return piece;
    }

    /** Runs another exchange, which leaves an idle connection. */
    private void pool() {
        play("GET/api/warm connects says:HTTP/1.1_200_OK~Content-Length:_0~~");
        closed.clear();
        client = new FakeClient();
        exchange = new Exchange(worker, client);
    }

    FakeClient client() {
        return client;
    }

    /** The filter of that name. */
    FilterSlot slot(String name) {
        return worker.generation().filters().slots().stream()
                .filter(slot -> slot.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    FakeOrigins origins() {
        return origins;
    }

    Exchange exchange() {
        return exchange;
    }

    /** The number of calls of the observer for the exchange. */
    int timesObserved() {
        return closed.size();
    }

    PoolCounters pool0() {
        return pools.all().iterator().next().counters();
    }

    /** Returns the phases and durations of the exchange that ended last. */
    Phases phases() {
        return phases;
    }

    /** Returns the state of the exchange in one line: status, error, attempts, halves, and kept connections. */
    String outcome() {
        ExchangeRecord record = exchange.record();
        GatewayError error = record.error();
        return record.status()
                + " " + (error == null ? "-" : error.kind().label())
                + " x" + record.attempts()
                + " " + exchange.record().request() + "/" + exchange.record().response()
                + " kept " + pool0().idle();
    }

    /** Body chunks of the client that are not released. */
    long heldPieces() {
        origins.received();
        return pieces.stream().filter(p -> p.refCnt() > 0).count();
    }

    /** The balancer's count of running attempts. */
    private int underWay() {
        Upstream upstream = Objects.requireNonNull(worker.generation().upstream("origin"));
        return worker.balancers.load(upstream.endpoints().get(0)).outstanding();
    }

    /** Ends the play; after its end, an exchange must not count as running. */
    @Override
    public void close() {
        assertThat(exchange.record().phase() == Phase.CLOSED ? underWay() : 0).isZero();
        assertThat(phases.sum()).as("all phases, in ticks: %s", phases).isEqualTo(phases.total());
        assertThat(phases.delay())
                .as("all but upload and body, in ticks: %s", phases)
                .isEqualTo(phases.waited());
        origins.close();
        thread.finishAndReleaseAll();
    }
}
