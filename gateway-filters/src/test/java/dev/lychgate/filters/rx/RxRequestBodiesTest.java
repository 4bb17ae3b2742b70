package dev.lychgate.filters.rx;

import static dev.lychgate.filters.rx.RxBodiesTest.ELSEWHERE;
import static dev.lychgate.filters.rx.RxBodiesTest.GET;
import static dev.lychgate.filters.rx.RxBodiesTest.MIB;
import static dev.lychgate.filters.rx.RxBodiesTest.chunked;
import static dev.lychgate.filters.rx.RxBodiesTest.gateway;
import static dev.lychgate.filters.rx.RxBodiesTest.memory;
import static dev.lychgate.filters.rx.RxBodiesTest.outbound;
import static dev.lychgate.testing.Eventually.eventually;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lychgate.filter.FilterPhase;
import dev.lychgate.gateway.Gateway;
import dev.lychgate.loop.MemoryBudget;
import dev.lychgate.testing.ConnectionScript;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.RawMessage;
import dev.lychgate.testing.Responses;
import dev.lychgate.testing.ScriptedOrigin;
import dev.lychgate.testing.TestFilter;
import io.reactivex.rxjava3.core.Flowable;
import io.reactivex.rxjava3.subjects.CompletableSubject;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.reactivestreams.Publisher;

/** Request bodies as Flowables: order, backpressure and memory; and which filter is at fault, in both directions. */
@Tag("slow")
class RxRequestBodiesTest {
    private static final MemoryBudget BUDGET = MemoryBudget.OF_PROCESS;

    private static TestFilter inbound(Function<Flowable<byte[]>, Publisher<byte[]>> operator) {
        return TestFilter.of("map", FilterPhase.INBOUND, exchange -> {
            RxBodies.map(exchange.getRequest(), operator);
            return exchange.proceed();
        });
    }

    private static String post(int length) {
        return "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: " + length + "\r\n\r\n";
    }

    @Test
    void mayHopToOtherThreadsAndKeepTheOrder() throws Exception {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 40_000; i++) {
            text.append("chunk ").append(i).append(';');
        }
        TestFilter filter = inbound(body -> body.observeOn(ELSEWHERE).concatWith(Flowable.just("END".getBytes(UTF_8))));
        try (ScriptedOrigin origin = ScriptedOrigin.answeringWhoStays((request, c) -> c.send(Responses.ok("ok")));
                Gateway gateway = gateway(origin.port(), filter);
                RawClient client = RawClient.connect(gateway.address("main"))) {
            for (int i = 1; i < 4; i++) {
                client.send(post(text.length()) + text);
                assertThat(client.readResponse().body()).isEqualTo("ok");
                RawMessage sent = origin.awaitRequests(i).get(i - 1);
                assertThat(sent.body()).isEqualTo(text + "END");
            }
        }
    }

    // ---- backpressure

    /** A client that sends {@code total} bytes. */
    private static Thread sender(Socket client, long total, AtomicLong sent) {
        Thread thread = new Thread(() -> {
            try {
                OutputStream out = client.getOutputStream();
                out.write(("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: " + total + "\r\n\r\n").getBytes(UTF_8));
                byte[] block = new byte[64 << 10];
                for (long left = total; left > 0; left -= block.length) {
                    out.write(block, 0, (int) Math.min(left, block.length));
                    sent.addAndGet(Math.min(left, block.length));
                }
            } catch (IOException e) {
                // The test has closed the connection.
            }
        });
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    private static void awaitStop(AtomicLong sent) throws Exception {
        eventually(() -> {
            long before = sent.get();
            TimeUnit.MILLISECONDS.sleep(300);
            assertThat(before).isPositive().isEqualTo(sent.get());
        });
    }

    private static long read(InputStream in, long atLeast) throws IOException {
        byte[] block = new byte[64 << 10];
        long all = 0;
        while (all < atLeast) {
            int n = in.read(block);
            assertThat(n).isPositive();
            all += n;
        }
        return all;
    }

    @Test
    void pauseTheClientWhenTheOriginDoesNotRead() throws Exception {
        AtomicLong sent = new AtomicLong();
        AtomicLong mapped = new AtomicLong();
        long total = 256 * MIB;
        TestFilter filter = inbound(body -> body.doOnNext(bytes -> mapped.addAndGet(bytes.length)));
        try (ServerSocket server = new ServerSocket()) {
            server.setReceiveBufferSize(64 << 10);
            server.bind(null);
            try (Gateway gateway = gateway(server.getLocalPort(), filter);
                    Socket client = new Socket()) {
                client.connect(gateway.address("main"));
                sender(client, total, sent);
                try (Socket origin = server.accept()) {
                    awaitStop(sent);
                    assertThat(mapped.get()).isLessThan(64 * MIB);
                    read(origin.getInputStream(), total);
                    // The bytes of the framing count, too: the last chunks may still be on their way.
                    while (mapped.get() < total) {
                        read(origin.getInputStream(), 1);
                    }
                    assertThat(mapped.get()).isEqualTo(total);
                }
            }
        }
    }

    @Test
    void pauseTheClientWithoutDemandAndCountTheQueuedChunks() throws Exception {
        AtomicLong sent = new AtomicLong();
        CompletableSubject go = CompletableSubject.create();
        TestFilter filter = inbound(body -> go.<byte[]>toFlowable().concatWith(body));
        long total = 64 * MIB;
        try (ServerSocket server = new ServerSocket(0);
                Gateway gateway = gateway(server.getLocalPort(), filter);
                Socket client = new Socket()) {
            long before = BUDGET.held();
            client.connect(gateway.address("main"));
            sender(client, total, sent);
            try (Socket origin = server.accept()) {
                awaitStop(sent);
                assertThat(sent.get()).isLessThan(32 * MIB);
                eventually(() -> assertThat(BUDGET.held()).isGreaterThan(before));
                go.onComplete();
                read(origin.getInputStream(), total);
                eventually(() -> assertThat(BUDGET.held()).isLessThanOrEqualTo(before));
            }
        }
    }

    /** {@code -Dlychgate.flowable.mib=2048} sends 2 GiB. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void bufferABoundedPartOfALongBody(boolean onLoop) throws Exception {
        long total = Long.getLong("lychgate.flowable.mib", 128) * MIB;
        TestFilter filter = inbound(body -> onLoop
                ? body.map(byte[]::clone)
                : body.observeOn(ELSEWHERE, false, 4).map(byte[]::clone));
        try (ServerSocket server = new ServerSocket(0);
                Gateway gateway = gateway(server.getLocalPort(), filter);
                Socket client = new Socket()) {
            client.connect(gateway.address("main"));
            sender(client, total, new AtomicLong());
            try (Socket origin = server.accept()) {
                InputStream in = origin.getInputStream();
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

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void areRefusedIfTheQueuedChunksExceedTheMemory(boolean request) throws Exception {
        Flowable<byte[]> silent = Flowable.never();
        TestFilter filter = request
                ? inbound(silent::concatWith)
                : outbound("map", r -> RxBodies.map(r, body -> silent.concatWith(body)));
        ConnectionScript script = c -> {
            c.readHead();
            c.send(request ? "" : chunked("ab")).awaitEnd();
        };
        // The gateway may refuse the request before it has sent the head.
        try (ScriptedOrigin origin = ScriptedOrigin.start().onConnection(script.untilThePeerLeaves());
                Gateway gateway = gateway(origin.port(), filter);
                RawClient client = RawClient.connect(gateway.address("main"))) {
            long taken = BUDGET.left();
            assertThat(BUDGET.take(taken)).isTrue();
            try {
                client.send(request ? post(4) + "abcd" : GET);
                if (request) {
                    assertThat(client.readResponse().status()).isEqualTo(503);
                } else {
                    assertThatThrownBy(client::readResponse).isInstanceOf(IOException.class);
                }
            } finally {
                BUDGET.giveBack(taken);
            }
        }
    }

    // ---- failures

    private static Function<Flowable<byte[]>, Publisher<byte[]>> failing(boolean here) {
        return body -> here ? body.concatWith(Flowable.error(new IOException("no"))) : body;
    }

    private static List<Long> failures(Gateway gateway) {
        return gateway.generation().filters().slots().stream()
                .map(slot -> slot.stats().failures())
                .toList();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void countsAFailureInAResponseForTheFilterThatFails(int culprit) throws Exception {
        TestFilter[] filters = new TestFilter[3];
        Arrays.setAll(
                filters,
                i -> outbound("f" + i, r -> RxBodies.map(r, failing(i == culprit)))
                        .at(i));
        try (ScriptedOrigin origin = ScriptedOrigin.answeringWhoStays((request, c) -> c.send(chunked("ab")));
                Gateway gateway = gateway(origin.port(), filters);
                RawClient client = RawClient.connect(gateway.address("main"))) {
            client.send(GET);
            assertThatThrownBy(client::readResponse).isInstanceOf(IOException.class);
            Long[] expected = {0L, 0L, 0L};
            expected[culprit] = 1L;
            assertThat(failures(gateway)).containsExactly(expected);
        }
    }

    @Test
    void afterARecoveryAreCountedForTheLaterFilter() throws Exception {
        TestFilter first = outbound("first", r -> RxBodies.map(r, failing(true)));
        TestFilter second = outbound(
                        "second",
                        r -> RxBodies.map(
                                r,
                                body -> body.onErrorReturnItem(new byte[] {'x'})
                                        .concatWith(Flowable.error(new IOException("of the second")))))
                .at(1);
        try (ScriptedOrigin origin = ScriptedOrigin.answeringWhoStays((request, c) -> c.send(chunked("ab")));
                Gateway gateway = gateway(origin.port(), first, second);
                RawClient client = RawClient.connect(gateway.address("main"))) {
            client.send(GET);
            assertThatThrownBy(client::readResponse).isInstanceOf(IOException.class);
            assertThat(failures(gateway)).containsExactly(0L, 1L);
        }
    }

    @Test
    void countsAFailureInARequestForTheFilterThatFails() throws Exception {
        TestFilter first = inbound(failing(false));
        TestFilter second = TestFilter.of("second", FilterPhase.INBOUND, exchange -> {
                    RxBodies.map(exchange.getRequest(), failing(true));
                    return exchange.proceed();
                })
                .at(1);
        try (ScriptedOrigin origin = ScriptedOrigin.answeringWhoStays((request, c) -> c.send(Responses.ok("ok")));
                Gateway gateway = gateway(origin.port(), first, second);
                RawClient client = RawClient.connect(gateway.address("main"))) {
            assertThat(client.send(post(2) + "ab").readResponse().status()).isEqualTo(500);
            assertThat(failures(gateway)).containsExactly(0L, 1L);
        }
    }
}
