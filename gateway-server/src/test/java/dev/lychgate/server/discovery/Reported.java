package dev.lychgate.server.discovery;

import static dev.lychgate.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.discovery.EndpointSource;
import dev.lychgate.upstream.FoundEndpoint;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** The reports of a watch. */
final class Reported implements EndpointSource.Listener {
    private final List<List<FoundEndpoint>> sets = new CopyOnWriteArrayList<>();
    private final List<String> failures = new CopyOnWriteArrayList<>();
    private final AtomicInteger confirmations = new AtomicInteger();

    @Override
    public void found(List<FoundEndpoint> endpoints) {
        sets.add(endpoints);
    }

    @Override
    public void confirmed() {
        confirmations.incrementAndGet();
    }

    @Override
    public void failed(String reason) {
        failures.add(reason);
    }

    int sets() {
        return sets.size();
    }

    int confirmations() {
        return confirmations.get();
    }

    List<String> failures() {
        return failures;
    }

    /** Waits until the last report is a set with these endpoints, as {@code host:port state}. */
    void await(String... endpoints) throws Exception {
        eventually(() -> {
            assertThat(sets).as("failures: %s", failures).isNotEmpty();
            assertThat(last().stream().map(Reported::text)).containsExactlyInAnyOrder(endpoints);
        });
    }

    List<FoundEndpoint> last() {
        return sets.get(sets.size() - 1);
    }

    private static String text(FoundEndpoint endpoint) {
        return endpoint.address().authority() + (endpoint.isReady() ? "" : " draining");
    }

    /** Waits for a failure that contains a text. */
    void awaitFailure(String text) throws Exception {
        // A source may try each server several times before it reports a failure.
        eventually(
                Duration.ofSeconds(30),
                () -> assertThat(failures)
                        .anySatisfy(failure -> assertThat(failure).contains(text)));
    }
}
