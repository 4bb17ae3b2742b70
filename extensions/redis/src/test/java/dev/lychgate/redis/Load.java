package dev.lychgate.redis;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A steady rate of requests to several gateways, one connection to each. Every few milliseconds, each sends those that are due. */
final class Load implements AutoCloseable {
    private static final long TICK = TimeUnit.MILLISECONDS.toNanos(5);
    private static final Pattern LENGTH = Pattern.compile("(?i)\\r\\ncontent-length: *(\\d+)");

    private final List<Client> clients = new ArrayList<>();
    private final List<Future<?>> running = new ArrayList<>();
    private final ExecutorService threads = Executors.newCachedThreadPool();

    /** The results so far. Times are those of {@link System#nanoTime}. */
    record Results(List<Long> admitted, List<Long> refused, int failed, long longest) {
        static final String BUSY = "the machine was too busy to send the load, so that it says nothing about the rate";

        /** Returns whether the gateways received clearly more than a rate, without long pauses. */
        boolean exceeds(double perSecond, long from, long to) {
            long requests = admitted.stream()
                            .filter(at -> at >= from && at < to)
                            .count()
                    + refused.stream().filter(at -> at >= from && at < to).count();
            return requests * 1e9 / (to - from) > 1.15 * perSecond && longest < TimeUnit.MILLISECONDS.toNanos(500);
        }

        /** Returns the admitted requests per second in a part of the time. */
        double rate(long from, long to) {
            return admitted.stream().filter(at -> at >= from && at < to).count() * 1e9 / (to - from);
        }

        /** Returns the most admitted requests of any window of that length. */
        int mostWithin(long nanos) {
            int most = 0;
            int first = 0;
            for (int i = 0; i < admitted.size(); i++) {
                while (admitted.get(i) - admitted.get(first) >= nanos) {
                    first++;
                }
                most = Math.max(most, i - first + 1);
            }
            return most;
        }

        /** Returns the most by which the admitted requests of any interval exceed {@code rate * t}. */
        double mostBeyond(double perSecond) {
            double least = Double.MAX_VALUE;
            double most = 0;
            for (int i = 0; i < admitted.size(); i++) {
                double line = i - perSecond * (admitted.get(i) - admitted.get(0)) / 1e9;
                least = Math.min(least, line);
                most = Math.max(most, line + 1 - least);
            }
            return most;
        }
    }

    /**
     * Starts to send.
     *
     * @param rate requests per second to each gateway
     */
    static Load start(List<InetSocketAddress> gateways, int rate) throws IOException {
        Load load = new Load();
        for (InetSocketAddress gateway : gateways) {
            load.clients.add(new Client(gateway, rate));
        }
        load.clients.forEach(client -> load.running.add(load.threads.submit(client)));
        return load;
    }

    /**
     * Ends the load.
     *
     * @return the results of the whole load
     */
    Results end() throws Exception {
        clients.forEach(client -> client.over = true);
        for (Future<?> each : running) {
            each.get(20, TimeUnit.SECONDS);
        }
        List<Long> admitted = clients.stream()
                .flatMap(client -> client.admitted.stream())
                .sorted()
                .toList();
        return new Results(
                admitted,
                clients.stream().flatMap(client -> client.refused.stream()).toList(),
                clients.stream().mapToInt(client -> client.failed).sum(),
                clients.stream().mapToLong(client -> client.longest).max().orElse(0));
    }

    @Override
    public void close() {
        clients.forEach(client -> client.over = true);
        threads.shutdownNow();
    }

    private static final class Client implements Runnable {
        private final InetSocketAddress gateway;
        private final double perTick;
        private final List<Long> admitted = new ArrayList<>();
        private final List<Long> refused = new ArrayList<>();
        private int failed;
        private long longest;
        private volatile boolean over;

        Client(InetSocketAddress gateway, int rate) {
            this.gateway = gateway;
            this.perTick = rate * TICK / 1e9;
        }

        @Override
        public void run() {
            try (Socket socket = new Socket(gateway.getAddress(), gateway.getPort())) {
                socket.setTcpNoDelay(true);
                socket.setSoTimeout(10_000);
                InputStream in = new BufferedInputStream(socket.getInputStream());
                double due = 0;
                long next = System.nanoTime();
                while (!over) {
                    due += perTick;
                    int now = (int) due;
                    due -= now;
                    send(socket, in, now);
                    next += TICK;
                    long pause = next - System.nanoTime();
                    if (pause > 0) {
                        LockSupport.parkNanos(pause);
                    }
                }
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        }

        private void send(Socket socket, InputStream in, int count) throws IOException {
            if (count == 0) {
                return;
            }
            byte[] batch = "GET / HTTP/1.1\r\nHost: a\r\n\r\n".repeat(count).getBytes(StandardCharsets.US_ASCII);
            long begin = System.nanoTime();
            socket.getOutputStream().write(batch);
            for (int i = 0; i < count; i++) {
                int status = status(in);
                long end = System.nanoTime();
                longest = Math.max(longest, end - begin);
                if (status == 204) {
                    admitted.add(end);
                } else if (status == 429) {
                    refused.add(end);
                } else {
                    failed++;
                }
            }
        }

        private static int status(InputStream in) throws IOException {
            ByteArrayOutputStream head = new ByteArrayOutputStream();
            int matched = 0;
            while (matched < 4) {
                int next = in.read();
                if (next < 0) {
                    throw new EOFException();
                }
                head.write(next);
                boolean expected = next == (matched % 2 == 0 ? '\r' : '\n');
                matched = expected ? matched + 1 : next == '\r' ? 1 : 0;
            }
            String text = head.toString(StandardCharsets.ISO_8859_1);
            Matcher length = LENGTH.matcher(text);
            if (length.find()) {
                in.skipNBytes(Long.parseLong(length.group(1)));
            }
            return Integer.parseInt(text.substring(9, 12));
        }
    }

    static String describe(Results results) {
        return "admitted " + results.admitted().size() + ", refused "
                + results.refused().size() + ", failed "
                + results.failed() + ", longest " + results.longest() / 1_000_000 + " ms, most in a second "
                + results.mostWithin(1_000_000_000L);
    }
}
