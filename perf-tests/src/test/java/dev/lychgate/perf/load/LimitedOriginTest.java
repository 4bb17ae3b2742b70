package dev.lychgate.perf.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class LimitedOriginTest {
    private static CompletableFuture<String> get(HttpClient client, LimitedOrigin origin, String path) {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + origin.port() + path))
                .build();
        return client.sendAsync(request, HttpResponse.BodyHandlers.ofString()).thenApply(HttpResponse::body);
    }

    @Test
    void queuesRequestsBeyondItsConcurrency() throws Exception {
        HttpClient client = HttpClient.newHttpClient();
        try (LimitedOrigin origin = new LimitedOrigin(0, 2, 200)) {
            long began = System.nanoTime();
            List<CompletableFuture<String>> five = Stream.of(1, 2, 3, 4, 5)
                    .map(i -> get(client, origin, "/" + i))
                    .toList();
            for (CompletableFuture<String> response : five) {
                assertThat(response.get(10, TimeUnit.SECONDS)).isEqualTo("served\n");
            }
            assertThat(System.nanoTime() - began).isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(600));
            assertThat(get(client, origin, "/count").get(10, TimeUnit.SECONDS))
                    .matches("\\{\"served\": 5, \"longest\": [1-3]}");
        }
    }
}
