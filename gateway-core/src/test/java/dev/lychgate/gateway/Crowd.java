package dev.lychgate.gateway;

import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.RawMessage;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Clients that send concurrently, each with its connection and one request after the other, and the responses that they
 * receive: {@code "200 body"}, {@code "503 body"}, {@code "502 connect-refused"} for an error of the gateway, or {@code "cut"}.
 */
final class Crowd implements AutoCloseable {
    private static final Pattern PROBLEM = Pattern.compile("urn:lychgate:problem:([a-z-]+)");

    private final Running gateway;
    private final int clients;
    private final ExecutorService threads;
    private final AtomicInteger bad = new AtomicInteger();
    private volatile boolean finished;

    Crowd(Running gateway, int clients) {
        this.gateway = gateway;
        this.clients = clients;
        this.threads = Executors.newFixedThreadPool(clients);
    }

    /** Lets every client send this number of GETs. */
    Heard get(int each) throws Exception {
        return send("GET / HTTP/1.1\r\nHost: a\r\n\r\n", each);
    }

    /** Lets every client repeat a request this number of times. */
    Heard send(String request, int each) throws Exception {
        return begin(request, each).heard();
    }

    /** Makes every client start to send. */
    UnderWay begin(String request, int each) {
        List<Future<Heard>> all = new ArrayList<>();
        for (int i = 0; i < clients; i++) {
            Callable<Heard> one = () -> sendAll(request, each);
            all.add(threads.submit(one));
        }
        return new UnderWay(all);
    }

    /** Makes every client stop after its current request. */
    void finish() {
        finished = true;
    }

    /** Returns the number of requests so far with an outcome other than 200. */
    int bad() {
        return bad.get();
    }

    private Heard sendAll(String request, int times) throws IOException {
        Heard heard = new Heard();
        RawClient client = gateway.client();
        try {
            for (int i = 0; i < times && !finished; i++) {
                boolean ends;
                try {
                    RawMessage response = client.send(request).readResponse();
                    heard.add(label(response));
                    bad.addAndGet(response.status() == 200 ? 0 : 1);
                    ends = response.values("connection").contains("close");
                } catch (IOException e) {
                    heard.add("cut");
                    bad.incrementAndGet();
                    ends = true;
                }
                if (ends) {
                    client.close();
                    client = gateway.client();
                }
            }
        } finally {
            client.close();
        }
        return heard;
    }

    private static String label(RawMessage response) {
        Matcher problem = PROBLEM.matcher(response.body());
        return response.status() + " " + (problem.find() ? problem.group(1) : response.body());
    }

    @Override
    public void close() {
        finish();
        threads.shutdownNow();
    }

    /** Clients that are sending. */
    record UnderWay(List<Future<Heard>> clients) {
        /** Waits for all of them. */
        Heard heard() throws Exception {
            Heard sum = new Heard();
            for (Future<Heard> client : clients) {
                try {
                    sum.add(client.get(30, TimeUnit.SECONDS));
                } catch (ExecutionException e) {
                    throw new AssertionError("a client failed", e.getCause());
                }
            }
            return sum;
        }
    }

    /** The number of each response. */
    static final class Heard {
        private final Map<String, Integer> counts = new TreeMap<>();

        private void add(String what) {
            counts.merge(what, 1, Integer::sum);
        }

        private void add(Heard other) {
            other.counts.forEach((what, count) -> counts.merge(what, count, Integer::sum));
        }

        /** Returns the number of requests with exactly this outcome. */
        int of(String what) {
            return counts.getOrDefault(what, 0);
        }

        /** Returns the number of requests with the status 200. */
        int good() {
            return counts.entrySet().stream()
                    .filter(e -> e.getKey().startsWith("200 "))
                    .mapToInt(Map.Entry::getValue)
                    .sum();
        }

        /** Returns the number of requests with another outcome. */
        int bad() {
            return all() - good();
        }

        int all() {
            return counts.values().stream().mapToInt(Integer::intValue).sum();
        }

        /** All different responses. */
        Iterable<String> words() {
            return counts.keySet();
        }

        @Override
        public String toString() {
            return counts.toString();
        }
    }
}
