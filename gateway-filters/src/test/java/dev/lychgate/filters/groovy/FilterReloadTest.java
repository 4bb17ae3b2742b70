package dev.lychgate.filters.groovy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.chain.FilterSet;
import dev.lychgate.testing.RawMessage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** From a file that is saved to an answer that has changed. */
@Tag("slow")
class FilterReloadTest {
    private static final Duration AT_MOST = Duration.ofSeconds(5);

    /** What whoever runs filters from a directory does: the newest that can be built takes over, all else stays. */
    private static final class Reload implements FilterDirectoryWatcher.Listener {
        private final GroovyFilters builder = new GroovyFilters();
        private final GatewayWithFilters gateway;
        private volatile String refusal = "";
        private @Nullable BuiltFilters current;

        Reload(GatewayWithFilters gateway) {
            this.gateway = gateway;
        }

        @Override
        public void onSources(FilterSources sources) {
            try {
                BuiltFilters next = builder.build(sources);
                gateway.apply(next.everywhere());
                if (current != null) {
                    current.close();
                }
                current = next;
            } catch (FilterFaultsException e) {
                onUnreadable(e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        @Override
        public void onUnreadable(FilterFaultsException faults) {
            refusal = String.valueOf(faults.getMessage());
        }
    }

    private static void assertSoon(GatewayWithFilters gateway, Predicate<RawMessage> expected) throws Exception {
        long end = System.nanoTime() + AT_MOST.toNanos();
        RawMessage answer = gateway.get();
        while (!expected.test(answer) && System.nanoTime() < end) {
            Thread.sleep(20);
            answer = gateway.get();
        }
        assertThat(expected.test(answer)).as(answer.toString()).isTrue();
    }

    @Test
    void aFilterIsDroppedChangedBrokenMendedAndDeleted(@TempDir Path root) throws Exception {
        FilterDirectory directory = new FilterDirectory(root);
        Path file = Files.createDirectories(root.resolve("inbound")).resolve("tier.groovy");
        try (GatewayWithFilters gateway = new GatewayWithFilters(FilterSet.EMPTY)) {
            Reload reload = new Reload(gateway);
            try (FilterDirectoryWatcher watcher = FilterDirectoryWatcher.start(directory, directory.read(), reload)) {
                assertThat(watcher).isNotNull();
                assertThat(gateway.get().body()).isEqualTo("none");

                Files.writeString(file, "filter { it.request.headers['x-a'] = 'gold' }");
                assertSoon(gateway, answer -> answer.body().equals("gold"));

                Files.writeString(file, "filter { it.request.headers['x-a'] = 'tin' }");
                assertSoon(gateway, answer -> answer.body().equals("tin"));

                Files.writeString(file, "filter { it.request.haeders['x-a'] = 'lead' }");
                assertSoon(gateway, answer -> reload.refusal.startsWith("inbound/tier.groovy:1:"));
                assertThat(gateway.get().body()).isEqualTo("tin");

                Files.writeString(file, "filter { it.respond(403, 'closed') }");
                assertSoon(
                        gateway,
                        answer -> answer.status() == 403 && answer.body().equals("closed"));

                Files.delete(file);
                assertSoon(gateway, answer -> answer.body().equals("none"));
            }
        }
    }
}
