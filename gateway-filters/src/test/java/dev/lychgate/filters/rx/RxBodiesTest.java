package dev.lychgate.filters.rx;

import static dev.lychgate.testing.Eventually.eventually;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lychgate.chain.FilterSet;
import dev.lychgate.config.AccessLogConfig;
import dev.lychgate.config.BindAddress;
import dev.lychgate.config.EndpointConfig;
import dev.lychgate.config.GatewayConfig;
import dev.lychgate.config.ListenerConfig;
import dev.lychgate.config.MatchConfig;
import dev.lychgate.config.RouteConfig;
import dev.lychgate.config.Transport;
import dev.lychgate.config.UpstreamConfig;
import dev.lychgate.exchange.ExchangeObserver;
import dev.lychgate.filter.BodyTransform;
import dev.lychgate.filter.FailurePolicy;
import dev.lychgate.filter.FilterPhase;
import dev.lychgate.filter.FilterResponse;
import dev.lychgate.gateway.Gateway;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.RawMessage;
import dev.lychgate.testing.ScriptedOrigin;
import dev.lychgate.testing.TestFilter;
import io.reactivex.rxjava3.core.Flowable;
import io.reactivex.rxjava3.core.Scheduler;
import io.reactivex.rxjava3.schedulers.Schedulers;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.reactivestreams.Subscription;

/** Response bodies as Flowables: order, threads, backpressure, ends and failures. */
@Tag("slow")
class RxBodiesTest {
    static final String GET = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
    static final long MIB = 1 << 20;
    /** Threads that receive work without a lock, because an event loop must not wait for one. */
    static final Scheduler ELSEWHERE = Schedulers.from(new Elsewhere("elsewhere"));

    private static final Scheduler FURTHER = Schedulers.from(new Elsewhere("further"));

    /** Runs work on a separate thread, a little later. */
    private static final class Elsewhere implements Executor, Runnable {
        private final Queue<Runnable> work = new ConcurrentLinkedQueue<>();

        Elsewhere(String name) {
            Thread thread = new Thread(this, name);
            thread.setDaemon(true);
            thread.start();
        }

        @Override
        public void execute(Runnable task) {
            work.add(task);
        }

        @Override
        public void run() {
            while (true) {
                LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(50));
                for (Runnable next = work.poll(); next != null; next = work.poll()) {
                    next.run();
                }
            }
        }
    }

    static TestFilter outbound(String name, Consumer<FilterResponse> action) {
        return TestFilter.of(name, FilterPhase.OUTBOUND, exchange -> {
            action.accept(exchange.getResponse());
            return exchange.proceed();
        });
    }

    static Gateway gateway(int port, TestFilter... filters) {
        GatewayConfig config = new GatewayConfig(
                1,
                Transport.AUTO,
                GatewayConfig.DEFAULT_DRAIN,
                List.of(ListenerConfig.of("main", new BindAddress("127.0.0.1", 0))),
                List.of(RouteConfig.proxy("all", MatchConfig.ANY, "origin")),
                Map.of("origin", UpstreamConfig.of("origin", new EndpointConfig("127.0.0.1", port))),
                null,
                AccessLogConfig.DEFAULT);
        return Gateway.start(config, FilterSet.of(filters), ExchangeObserver.NONE);
    }

    static String chunked(String... chunks) {
        StringBuilder text = new StringBuilder("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
        for (String chunk : chunks) {
            text.append(Integer.toHexString(chunk.length()))
                    .append("\r\n")
                    .append(chunk)
                    .append("\r\n");
        }
        return text.append("0\r\nX-Sum: 1\r\n\r\n").toString();
    }

    /**
     * Sends two requests on one connection.
     *
     * @return the first response, which the second one must equal
     */
    private static RawMessage get(String answer, TestFilter... filters) throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.answeringWhoStays((request, c) -> c.send(answer));
                Gateway gateway = gateway(origin.port(), filters);
                RawClient client = RawClient.connect(gateway.address("main"))) {
            RawMessage first = client.send(GET).readResponse();
            assertThat(client.send(GET).readResponse().body()).isEqualTo(first.body());
            return first;
        }
    }

    private static byte[] upper(byte[] bytes) {
        return new String(bytes, UTF_8).toUpperCase(Locale.ROOT).getBytes(UTF_8);
    }

    // ---- operators

    @Test
    void changeABodyAndItsFraming() throws Exception {
        RawMessage response = get(
                "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nETag: \"1\"\r\n\r\nhi",
                outbound("map", r -> RxBodies.map(r, body -> body.map(RxBodiesTest::upper))));
        assertThat(response.body()).isEqualTo("HI");
        assertThat(response.value("content-length")).isEmpty();
        assertThat(response.value("etag")).contains("W/\"1\"");
    }

    @Test
    void mayEmitMoreOrLessThanTheyReceive() throws Exception {
        RawMessage response = get(
                chunked("ab", "cd"),
                outbound(
                        "map",
                        r -> RxBodies.map(
                                r,
                                body -> body.flatMapIterable(bytes -> List.of(bytes, new byte[0], bytes))
                                        .startWithItem("<".getBytes(UTF_8))
                                        .concatWith(Flowable.just(">".getBytes(UTF_8))))));
        assertThat(response.body()).startsWith("<ab").endsWith("cd>");
        assertThat(response.trailers()).extracting(RawMessage.Field::name).containsExactly("X-Sum");
    }

    @Test
    void mayHopToOtherThreadsAndKeepTheOrder() throws Exception {
        String[] chunks = new String[300];
        for (int i = 0; i < chunks.length; i++) {
            chunks[i] = "chunk " + i + ";";
        }
        RawMessage response = get(
                chunked(chunks),
                outbound(
                        "hop",
                        r -> RxBodies.map(
                                r,
                                body -> body.observeOn(ELSEWHERE)
                                        .map(RxBodiesTest::upper)
                                        .observeOn(FURTHER, false, 2)
                                        .subscribeOn(ELSEWHERE))));
        assertThat(response.body()).isEqualTo(String.join("", chunks).toUpperCase(Locale.ROOT));
    }

    @Test
    void mayFollowEachOther() throws Exception {
        RawMessage response = get(
                chunked("ab"),
                outbound("first", r -> RxBodies.map(r, body -> body.map(RxBodiesTest::upper))),
                outbound("then", r -> RxBodies.map(r, body -> body.concatWith(Flowable.just(new byte[] {'!'}))))
                        .at(1));
        assertThat(response.body()).isEqualTo("AB!");
    }

    private static final class Ending implements BodyTransform {
        @Override
        public byte[] piece(byte[] piece) {
            return upper(piece);
        }

        @Override
        public byte[] end() {
            return new byte[] {'.'};
        }
    }

    @Test
    void runBetweenTheTransformsOfOtherFilters() throws Exception {
        RawMessage response = get(
                chunked("ab"),
                outbound("before", r -> r.transformBody(new Ending())),
                outbound("map", r -> RxBodies.map(r, body -> body.concatWith(Flowable.just(new byte[] {'c'}))))
                        .at(1),
                outbound("after", r -> r.transformBody(new Ending())).at(2));
        assertThat(response.body()).isEqualTo("AB.C.");
    }

    @Test
    void endBeforeTheTrailers() throws Exception {
        int[] bytes = {0};
        RawMessage response = get(chunked("ab"), outbound("map", r -> {
            bytes[0] = 0;
            RxBodies.map(r, body -> body.observeOn(ELSEWHERE).doOnNext(item -> bytes[0] += item.length));
            r.onTrailers(trailers -> trailers.set("x-sum", "" + bytes[0]));
        }));
        assertThat(response.trailers()).containsExactly(new RawMessage.Field("x-sum", "2"));
    }

    @Test
    void areDroppedWithABodyThatALaterFilterReplaces() throws Exception {
        AtomicInteger subscribed = new AtomicInteger();
        RawMessage response = get(
                chunked("ab"),
                outbound("map", r -> RxBodies.map(r, body -> body.doOnSubscribe(s -> subscribed.incrementAndGet()))),
                outbound("set", r -> r.setText("new")).at(1));
        assertThat(response.body()).isEqualTo("new");
        assertThat(subscribed).hasValue(0);
    }

    @Test
    void areNotSubscribedToWithoutABody() throws Exception {
        AtomicInteger subscribed = new AtomicInteger();
        try (ScriptedOrigin origin = ScriptedOrigin.answeringWhoStays(
                        (request, c) -> c.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n"));
                Gateway gateway = gateway(
                        origin.port(),
                        outbound(
                                "map",
                                r -> RxBodies.map(r, body -> body.doOnSubscribe(s -> subscribed.incrementAndGet()))));
                RawClient client = RawClient.connect(gateway.address("main"))) {
            RawMessage response =
                    client.send("HEAD / HTTP/1.1\r\nHost: a\r\n\r\n").readResponseTo("HEAD");
            assertThat(response.value("content-length")).isEmpty();
            assertThat(subscribed).hasValue(0);
        }
    }

    @Test
    void cannotPrecedeAFilterThatNeedsTheWholeBody() throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.answeringWhoStays((request, c) -> c.send(chunked("ab")));
                Gateway gateway = gateway(
                        origin.port(),
                        outbound("map", r -> RxBodies.map(r, body -> body)),
                        outbound("whole", r -> r.setText("not reached"))
                                .needing(100)
                                .failing(FailurePolicy.FAIL_CLOSED)
                                .at(1));
                RawClient client = RawClient.connect(gateway.address("main"))) {
            assertThat(client.send(GET).readResponse().status()).isEqualTo(500);
        }
    }

    // ---- ends

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void mayCompleteBeforeTheBody(boolean onLoop) throws Exception {
        Flowable<byte[]> one = Flowable.just("x".getBytes(UTF_8));
        TestFilter filter = outbound(
                "early",
                r -> RxBodies.map(
                        r,
                        body -> onLoop
                                ? body.take(1).map(RxBodiesTest::upper)
                                : one.subscribeOn(ELSEWHERE)
                                        .mergeWith(body.ignoreElements().onErrorComplete())
                                        .take(1)));
        try (ScriptedOrigin origin = ScriptedOrigin.answeringWhoStays(
                        (request, c) -> c.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n"));
                Gateway gateway = gateway(origin.port(), filter);
                RawClient client = RawClient.connect(gateway.address("main"))) {
            String expected = onLoop ? "X" : "x";
            assertThat(client.send(GET).readResponse().body()).isEqualTo(expected);
            assertThat(client.send(GET).readResponse().body()).isEqualTo(expected);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void abortTheResponseByAnError(boolean onLoop) throws Exception {
        TestFilter filter = outbound(
                "broken",
                r -> RxBodies.map(r, body -> {
                    Flowable<byte[]> first = onLoop ? body : body.observeOn(ELSEWHERE);
                    return first.concatWith(Flowable.error(new IOException("no")));
                }));
        assertThatThrownBy(() -> get(chunked("ab"), filter)).isInstanceOf(IOException.class);
    }

    @Test
    void abortTheResponseOfABodyWithTwoSubscribers() {
        TestFilter filter = outbound("twice", r -> RxBodies.map(r, body -> body.concatWith(body)));
        assertThatThrownBy(() -> get(chunked("ab"), filter)).isInstanceOf(IOException.class);
    }

    @Test
    void areCancelledWhenTheClientDisconnects() throws Exception {
        CountDownLatch cancelled = new CountDownLatch(1);
        TestFilter filter = outbound(
                "map",
                r -> RxBodies.map(r, body -> body.concatWith(Flowable.never()).doOnCancel(cancelled::countDown)));
        try (ScriptedOrigin origin = ScriptedOrigin.answeringWhoStays((request, c) -> c.send(chunked("ab")));
                Gateway gateway = gateway(origin.port(), filter)) {
            try (RawClient client = RawClient.connect(gateway.address("main"))) {
                client.send(GET).readHead();
            }
            assertThat(cancelled.await(20, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void acceptSignalsAfterTheGatewayHasClosed() throws Exception {
        AtomicReference<Subscription> input = new AtomicReference<>();
        AtomicReference<Flow.Subscriber<? super byte[]>> output = new AtomicReference<>();
        TestFilter filter = outbound("map", r -> {
            RxBodies.map(r, body -> body.doOnSubscribe(input::set));
            r.mapBody(body -> by -> {
                output.set(by);
                body.subscribe(by);
            });
        });
        get(chunked("ab"), filter);
        Subscription in = Objects.requireNonNull(input.get());
        in.request(1);
        in.cancel();
        Flow.Subscriber<? super byte[]> out = Objects.requireNonNull(output.get());
        out.onNext(new byte[1]);
        out.onComplete();
    }

    // ---- backpressure

    /** An origin that sends {@code total} bytes to each connection. */
    private static Thread sender(ServerSocket server, long total, AtomicLong sent) {
        Thread thread = new Thread(() -> {
            try (Socket socket = server.accept()) {
                OutputStream out = socket.getOutputStream();
                InputStream in = socket.getInputStream();
                assertThat(in.read(new byte[4096])).isPositive();
                out.write(("HTTP/1.1 200 OK\r\nContent-Length: " + total + "\r\n\r\n").getBytes(UTF_8));
                byte[] block = new byte[64 << 10];
                for (long left = total; left > 0; left -= block.length) {
                    out.write(block, 0, (int) Math.min(left, block.length));
                    sent.addAndGet(Math.min(left, block.length));
                }
                assertThat(in.read()).isNegative();
            } catch (IOException e) {
                // The gateway closes the connection of an aborted exchange.
            }
        });
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    private static long read(InputStream in, long atLeast) throws IOException {
        byte[] block = new byte[64 << 10];
        long all = 0;
        while (all < atLeast) {
            int n = in.read(block);
            if (n < 0) {
                return all;
            }
            all += n;
        }
        return all;
    }

    @Test
    void pauseTheOriginWhenTheClientDoesNotRead() throws Exception {
        AtomicLong sent = new AtomicLong();
        AtomicLong mapped = new AtomicLong();
        long total = 256 * MIB;
        TestFilter filter =
                outbound("map", r -> RxBodies.map(r, body -> body.doOnNext(bytes -> mapped.addAndGet(bytes.length))));
        try (ServerSocket server = new ServerSocket(0);
                Gateway gateway = gateway(server.getLocalPort(), filter);
                Socket client = new Socket()) {
            sender(server, total, sent);
            client.setReceiveBufferSize(64 << 10);
            client.connect(gateway.address("main"));
            client.getOutputStream().write(GET.getBytes(UTF_8));
            eventually(() -> {
                long before = sent.get();
                TimeUnit.MILLISECONDS.sleep(300);
                assertThat(before).isPositive().isEqualTo(sent.get());
            });
            assertThat(mapped.get()).isLessThan(64 * MIB);
            InputStream in = client.getInputStream();
            assertThat(read(in, total)).isGreaterThanOrEqualTo(total);
            // The bytes of the framing count, too: the last chunks may still be on their way.
            for (long more = 1; mapped.get() < total && more > 0; ) {
                more = read(in, 1);
            }
            assertThat(mapped.get()).isEqualTo(total);
        }
    }

    static long memory() {
        System.gc();
        long direct = ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
                .mapToLong(BufferPoolMXBean::getMemoryUsed)
                .sum();
        return direct + ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }

    /** {@code -Dlychgate.flowable.mib=2048} sends 2 GiB. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void bufferABoundedPartOfALongBody(boolean onLoop) throws Exception {
        long total = Long.getLong("lychgate.flowable.mib", 128) * MIB;
        TestFilter filter = outbound(
                "map",
                r -> RxBodies.map(
                        r,
                        body -> onLoop
                                ? body.map(byte[]::clone)
                                : body.observeOn(ELSEWHERE, false, 4).map(byte[]::clone)));
        try (ServerSocket server = new ServerSocket(0);
                Gateway gateway = gateway(server.getLocalPort(), filter);
                Socket client = new Socket()) {
            sender(server, total, new AtomicLong());
            client.connect(gateway.address("main"));
            client.getOutputStream().write(GET.getBytes(UTF_8));
            InputStream in = client.getInputStream();
            long all = read(in, 16 * MIB);
            long before = memory();
            long most = before;
            while (all < total) {
                all += read(in, Math.min(total - all, total / 8));
                most = Math.max(most, memory());
            }
            assertThat(most - before).isLessThan(64 * MIB);
        }
    }
}
