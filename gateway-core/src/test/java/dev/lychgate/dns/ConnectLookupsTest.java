package dev.lychgate.dns;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lychgate.config.AddressFamily;
import dev.lychgate.config.DnsConfig;
import dev.lychgate.config.EndpointAddress;
import dev.lychgate.loop.QuietPeriod;
import dev.lychgate.testing.ScriptedDns;
import dev.lychgate.testing.ScriptedDns.Mood;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioDatagramChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Lookups for connects, against a DNS server of the test's own. */
class ConnectLookupsTest {
    private final ScriptedDns dns = ScriptedDns.start();
    private final MultiThreadIoEventLoopGroup group = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    private final ConnectLookups lookups = new ConnectLookups(
            new NettyLookup.Network(group.next(), NioDatagramChannel.class, NioSocketChannel.class, new QuietPeriod()));

    @AfterEach
    void close() throws InterruptedException {
        group.shutdownGracefully(0, 5, TimeUnit.SECONDS).await();
        dns.close();
    }

    private DnsConfig settings(AddressFamily family, Duration timeout) {
        return new DnsConfig(
                List.of(new EndpointAddress("127.0.0.1", dns.address().getPort())),
                family,
                Duration.ofSeconds(1),
                Duration.ofMinutes(1),
                timeout);
    }

    private CompletableFuture<String> resolve(DnsConfig settings) {
        return CompletableFuture.supplyAsync(() -> lookups.resolve("api.test", settings), group.next())
                .thenCompose(address -> address);
    }

    private String resolved(AddressFamily family) throws InterruptedException, ExecutionException, TimeoutException {
        return resolve(settings(family, Duration.ofSeconds(30))).get(60, TimeUnit.SECONDS);
    }

    @ParameterizedTest
    @CsvSource({"EITHER, 127.0.0.1", "IPV4, 127.0.0.1", "IPV6, ::1"})
    void findsAddressOfTheConfiguredFamily(AddressFamily family, String address) throws Exception {
        dns.host("api.test", 60, "127.0.0.1", "::1");
        assertThat(resolved(family)).isEqualTo(address);
    }

    @Test
    void skipsAddressesThatNoSingleHostHas() throws Exception {
        dns.host("api.test", 60, "0.0.0.0", "224.0.0.1", "127.0.0.2");
        assertThat(resolved(AddressFamily.IPV4)).isEqualTo("127.0.0.2");

        dns.host("api.test", 60, "0.0.0.0");
        assertThatThrownBy(() -> resolved(AddressFamily.IPV4)).hasMessageContaining("no usable address");
    }

    @Test
    void simultaneousConnectsShareOneQuery() throws Exception {
        dns.host("api.test", 60, "127.0.0.1");
        DnsConfig settings = settings(AddressFamily.IPV4, Duration.ofSeconds(30));
        CompletableFuture<List<CompletableFuture<String>>> both = CompletableFuture.supplyAsync(
                () -> List.of(
                        lookups.resolve("api.test", settings).toCompletableFuture(),
                        lookups.resolve("api.test", settings).toCompletableFuture()),
                group.next());
        for (CompletableFuture<String> each : both.get(60, TimeUnit.SECONDS)) {
            assertThat(each.get(60, TimeUnit.SECONDS)).isEqualTo("127.0.0.1");
        }
        assertThat(dns.questions()).containsExactly("A api.test");
    }

    @Test
    void retryAfterFailureStartsAnotherLookup() throws Exception {
        DnsConfig settings = settings(AddressFamily.IPV4, Duration.ofSeconds(30));
        dns.host("api.test", 60, "127.0.0.1").mood(Mood.SERVER_FAILURE);
        CompletableFuture<String> retried = CompletableFuture.supplyAsync(
                        () -> lookups.resolve("api.test", settings).exceptionallyCompose(failure -> {
                            dns.mood(Mood.ANSWERING);
                            return lookups.resolve("api.test", settings);
                        }),
                        group.next())
                .thenCompose(address -> address);
        assertThat(retried.get(60, TimeUnit.SECONDS)).isEqualTo("127.0.0.1");
    }

    @Test
    void heedsTheConfiguredTimeout() {
        dns.mood(Mood.SILENT);
        assertThatThrownBy(() -> resolve(settings(AddressFamily.IPV4, Duration.ofMillis(20)))
                        .get(60, TimeUnit.SECONDS))
                .hasStackTraceContaining("timed out after 20 milliseconds");
    }
}
