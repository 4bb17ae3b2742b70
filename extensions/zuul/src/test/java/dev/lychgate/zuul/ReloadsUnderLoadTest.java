package dev.lychgate.zuul;

import static dev.lychgate.zuul.ZuulGateway.filter;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.testing.Eventually;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.RawMessage;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Concurrent requests while the filters are reloaded. The system properties {@code zuul.requests} and {@code zuul.reloads}
 * set the size, which is small by default.
 */
@Tag("slow")
class ReloadsUnderLoadTest {
    private static final int CONNECTIONS = 64;
    private static final int REQUESTS = Integer.getInteger("zuul.requests", 6_400);
    private static final int RELOADS = Integer.getInteger("zuul.reloads", 8);
    /** Threads that have nothing to do end after ten seconds. */
    private static final Duration LONGEST = Duration.ofSeconds(30);

    /** The filters of a generation. Each of them compares the context with the request. */
    private static Map<String, String> files(int generation) {
        return Map.of(
                "pre/Begin.groovy",
                filter("Begin", "pre", 1, """
                        ctx.set('id', ctx.request.getHeader('x-id'))
                        ctx.set('generation', %d)""".formatted(generation)),
                "pre/Middle.groovy",
                filter("Middle", "pre", 2, """
                        Thread.yield()
                        String state = ctx.id == ctx.request.getHeader('x-id') && ctx.generation == %d ? 'same' : 'mixed'
                        ctx.addZuulRequestHeader('x-out', "${ctx.id} ${state}")""".formatted(generation)),
                "route/Along.groovy",
                filter("Along", "route", 1, "ctx.set('along', ctx.id + ctx.request.getHeader('x-id'))"),
                "post/End.groovy",
                filter("End", "post", 1, """
                        boolean same = ctx.generation == %d && ctx.along == ctx.id * 2
                        ctx.addZuulResponseHeader('x-end', "${ctx.id} ${same ? 'same' : 'mixed'}")""".formatted(generation)));
    }

    @Test
    void contextsOfConcurrentRequestsAreNotMixedDuringReloads() throws Exception {
        Queue<String> mixed = new ConcurrentLinkedQueue<>();
        AtomicInteger responses = new AtomicInteger();
        List<WeakReference<ClassLoader>> loaders = new ArrayList<>();
        ExecutorService clients = Executors.newFixedThreadPool(CONNECTIONS);
        try (EchoOrigin origin = EchoOrigin.start();
                ZuulGateway gateway = ZuulGateway.start(origin.port(), origin.port(), Map.of(), files(0))) {
            List<Future<?>> running = new ArrayList<>();
            for (int client = 0; client < CONNECTIONS; client++) {
                int number = client;
                running.add(clients.submit(() -> {
                    send(gateway, number, mixed, responses);
                    return null;
                }));
            }
            for (int generation = 1; generation <= RELOADS; generation++) {
                loaders.add(new WeakReference<>(gateway.loader("pre/Begin.groovy")));
                gateway.reload(files(generation));
                awaitShare(responses, running, generation);
            }
            for (Future<?> each : running) {
                each.get();
            }
            assertThat(mixed).isEmpty();
            assertThat(responses).hasValue(REQUESTS / CONNECTIONS * CONNECTIONS);
            Eventually.eventually(LONGEST, () -> {
                System.gc();
                assertThat(loaders).allSatisfy(each -> assertThat(each.get()).isNull());
            });
        } finally {
            clients.shutdownNow();
        }
    }

    /** Waits until the share of the requests that belongs to the generation has been sent. */
    private static void awaitShare(AtomicInteger responses, List<Future<?>> running, int generation) throws Exception {
        long share = (long) REQUESTS * generation / (RELOADS + 1);
        while (responses.get() < share && running.stream().anyMatch(each -> !each.isDone())) {
            Thread.sleep(1);
        }
    }

    private static void send(ZuulGateway gateway, int number, Queue<String> mixed, AtomicInteger responses)
            throws Exception {
        try (RawClient client = RawClient.connect(gateway.address()).within(Duration.ofMinutes(1))) {
            for (int i = 0; i < REQUESTS / CONNECTIONS; i++) {
                String id = number + "-" + i;
                RawMessage response = client.send("GET /" + id + " HTTP/1.1\r\nHost: a\r\nX-Id: " + id + "\r\n\r\n")
                        .readResponse();
                responses.incrementAndGet();
                if (!response.body().equals(id + " same")
                        || !response.value("x-end").equals(Optional.of(id + " same"))) {
                    mixed.add(id + ": " + response);
                }
            }
        }
    }

    @Test
    void fiftyGenerationsLeaveNoClassesAndNoThreads() throws Exception {
        List<WeakReference<ClassLoader>> loaders = new ArrayList<>();
        try (EchoOrigin origin = EchoOrigin.start();
                ZuulGateway gateway = ZuulGateway.start(origin.port(), origin.port(), Map.of(), files(0))) {
            gateway.get("/", "X-Id: first");
            int threads = Thread.activeCount();
            for (int generation = 1; generation <= 50; generation++) {
                loaders.add(new WeakReference<>(gateway.loader("pre/Begin.groovy")));
                gateway.reload(files(generation));
                assertThat(gateway.get("/", "X-Id: x").body()).isEqualTo("x same");
            }
            Eventually.eventually(LONGEST, () -> {
                System.gc();
                assertThat(loaders).allSatisfy(each -> assertThat(each.get()).isNull());
                assertThat(Thread.activeCount()).isLessThanOrEqualTo(threads + 2);
            });
        }
    }
}
