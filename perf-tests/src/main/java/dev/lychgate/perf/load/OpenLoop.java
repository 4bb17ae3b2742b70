package dev.lychgate.perf.load;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.BufferedOutputStream;
import java.io.BufferedReader;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Load at a constant rate over a fixed number of keep-alive connections to 127.0.0.1. Each request is due at a fixed
 * time, independent of earlier requests, and its latency counts from that time. Therefore, a proxy that delays requests
 * can't hide the delay by receiving fewer requests. If all connections are busy, due requests wait. One event loop does
 * everything.
 *
 * <p>Each line of standard input is a run: port, path, connections, requests per second, seconds of warm-up, seconds of
 * measurement, file. One process with compiled code can therefore do several runs.
 *
 * <p>The measured latencies go to the file, in microseconds, as big-endian numbers of four bytes. For each run, a line
 * of JSON on standard output reports these numbers:
 *
 * <ul>
 *   <li>sent requests
 *   <li>failed requests: any status but 200, or a connection that ended
 *   <li>requests without a response
 *   <li>requests that the generator itself started late
 * </ul>
 */
public final class OpenLoop {
    /** The time to wait for responses after the last request was due; also the latency of requests without a response. */
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(10);

    private static final long LATE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private final EventLoop loop;
    private final Bootstrap bootstrap;
    private final ByteBuf request;
    private final double interval;
    private final long unrecorded;
    private final long total;
    private final int[] latencies;
    private final ArrayDeque<Exchanges> idle = new ArrayDeque<>();
    private final ArrayDeque<Long> waiting = new ArrayDeque<>();
    private final CompletableFuture<Void> over = new CompletableFuture<>();
    private long begin;
    private long sent;
    private long ended;
    private int recorded;
    private int failed;
    /** Measured requests that this process, not the server, started more than a millisecond too late. */
    private int late;

    private OpenLoop(EventLoop loop, Class<? extends Channel> type, Plan plan) {
        this.loop = loop;
        String head = "GET " + plan.path + " HTTP/1.1\r\nHost: 127.0.0.1:" + plan.port + "\r\n\r\n";
        request = Unpooled.directBuffer().writeBytes(head.getBytes(StandardCharsets.US_ASCII));
        interval = 1e9 / plan.rate;
        unrecorded = (long) (plan.rate * plan.warmup);
        total = unrecorded + (long) (plan.rate * plan.seconds);
        latencies = new int[Math.toIntExact(total - unrecorded)];
        bootstrap = new Bootstrap()
                .group(loop)
                .channel(type)
                .remoteAddress("127.0.0.1", plan.port)
                .handler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        channel.pipeline().addLast(new Exchanges(OpenLoop.this));
                    }
                });
    }

    private record Plan(int port, String path, int connections, double rate, double warmup, double seconds, Path file) {
        static Plan of(String[] args) {
            if (args.length != 7) {
                throw new IllegalArgumentException("expected: PORT PATH CONNECTIONS RATE WARM_UP SECONDS FILE");
            }
            return new Plan(
                    Integer.parseInt(args[0]),
                    args[1],
                    Integer.parseInt(args[2]),
                    Double.parseDouble(args[3]),
                    Double.parseDouble(args[4]),
                    Double.parseDouble(args[5]),
                    Path.of(args[6]));
        }
    }

    /**
     * The counts of a run. They include the warm-up, except for {@code late}.
     *
     * @param failed requests with any status but 200, or whose connection ended
     * @param unanswered requests without a response within the final waiting time
     * @param late measured requests that the generator itself started more than a millisecond after they were due
     */
    record Result(long sent, int failed, long unanswered, int late) {
        String toJson() {
            return "{\"sent\": %d, \"failed\": %d, \"unanswered\": %d, \"late\": %d}"
                    .formatted(sent, failed, unanswered, late);
        }
    }

    public static void main(String[] args) throws Exception {
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            System.out.println(run(line.split(" ")).toJson());
        }
    }

    static Result run(String... args) throws Exception {
        Plan plan = Plan.of(args);
        EventLoopGroup group =
                new MultiThreadIoEventLoopGroup(1, new DefaultThreadFactory("load", true), EpollIoHandler.newFactory());
        OpenLoop load = new OpenLoop(group.next(), EpollSocketChannel.class, plan);
        try {
            for (int i = 0; i < plan.connections; i++) {
                load.bootstrap.connect().sync();
            }
            load.loop.execute(load::start);
            load.over.get();
            load.write(plan.file);
            return new Result(load.sent, load.failed, load.sent - load.ended, load.late);
        } finally {
            group.shutdownGracefully(0, 5, TimeUnit.SECONDS).awaitUninterruptibly();
            load.request.release();
        }
    }

    private void start() {
        begin = System.nanoTime();
        sendDue();
    }

    private void sendDue() {
        long now = System.nanoTime();
        while (sent < total && due(sent) <= now) {
            if (sent >= unrecorded && now - due(sent) > LATE_NANOS) {
                late++;
            }
            Exchanges connection = idle.poll();
            if (connection == null) {
                waiting.add(sent);
            } else {
                connection.send(sent);
            }
            sent++;
        }
        if (sent < total) {
            loop.schedule(this::sendDue, due(sent) - now, TimeUnit.NANOSECONDS);
        } else {
            loop.schedule(this::giveUp, PATIENCE_NANOS, TimeUnit.NANOSECONDS);
        }
    }

    private long due(long number) {
        return begin + (long) (number * interval);
    }

    /** Returns the request. The caller must write or release it. */
    ByteBuf request() {
        return request.retainedDuplicate();
    }

    /** Accepts an idle connection, which sends the request that has waited longest. */
    void onIdle(Exchanges connection) {
        Long next = waiting.poll();
        if (next == null) {
            idle.addFirst(connection);
        } else {
            connection.send(next);
        }
    }

    void onAnswer(long number) {
        record(number, System.nanoTime() - due(number));
    }

    void onFailure(long number) {
        failed++;
        record(number, PATIENCE_NANOS);
    }

    void onClosed(Exchanges connection) {
        idle.remove(connection);
        if (ended < total) {
            var unused = bootstrap.connect();
        }
    }

    private void record(long number, long nanos) {
        if (over.isDone()) {
            // The run ended before this response, which already counts with the maximum latency.
            return;
        }
        ended++;
        if (number >= unrecorded) {
            latencies[recorded++] = (int) TimeUnit.NANOSECONDS.toMicros(Math.min(nanos, PATIENCE_NANOS));
        }
        if (ended == total) {
            over.complete(null);
        }
    }

    /** Ends the run. Requests that still have no response count with the maximum latency. */
    private void giveUp() {
        while (recorded < latencies.length) {
            latencies[recorded++] = (int) TimeUnit.NANOSECONDS.toMicros(PATIENCE_NANOS);
        }
        over.complete(null);
    }

    private void write(Path file) throws IOException {
        try (OutputStream bytes = Files.newOutputStream(file);
                DataOutputStream out = new DataOutputStream(new BufferedOutputStream(bytes))) {
            for (int i = 0; i < recorded; i++) {
                out.writeInt(latencies[i]);
            }
        }
    }
}
