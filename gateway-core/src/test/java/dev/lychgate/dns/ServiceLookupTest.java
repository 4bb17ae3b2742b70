package dev.lychgate.dns;

import static dev.lychgate.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lychgate.config.AddressFamily;
import dev.lychgate.config.DnsConfig;
import dev.lychgate.config.EndpointAddress;
import dev.lychgate.loop.QuietPeriod;
import dev.lychgate.testing.ScriptedDns;
import dev.lychgate.testing.ScriptedDns.Mood;
import dev.lychgate.upstream.ServiceTarget;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioDatagramChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("slow")
class ServiceLookupTest {
    private static final String SERVICE = "_http._tcp.svc.test";
    private static final int AT_ONCE = 16;

    private final ScriptedDns dns = ScriptedDns.start();
    private final MultiThreadIoEventLoopGroup group = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    private final NettyLookup.Network network =
            new NettyLookup.Network(group.next(), NioDatagramChannel.class, NioSocketChannel.class, new QuietPeriod());
    private final ServiceLookup lookup = new ServiceLookup(network, at(dns, Duration.ofSeconds(30)), SERVICE);

    private static DnsConfig at(ScriptedDns server, Duration timeout) {
        return new DnsConfig(
                List.of(new EndpointAddress("127.0.0.1", server.address().getPort())),
                AddressFamily.IPV4,
                Duration.ofSeconds(1),
                Duration.ofSeconds(30),
                timeout);
    }

    @AfterEach
    void close() throws InterruptedException {
        lookup.close();
        group.shutdownGracefully(0, 5, TimeUnit.SECONDS).await();
        dns.close();
    }

    private long hostsAsked() {
        return dns.questions().stream().filter(name -> name.startsWith("A ")).count();
    }

    @Test
    void looksUpAFewTargetsAtOnceAndAllOfThemInTheEnd() throws Exception {
        int targets = 100;
        dns.mood(Mood.SERVICES_ONLY)
                .service(
                        SERVICE,
                        60,
                        IntStream.range(0, targets)
                                .mapToObj(i -> "0 1 " + (8000 + i) + " t" + i + ".test")
                                .toArray(String[]::new));
        IntStream.range(0, targets).forEach(i -> dns.host("t" + i + ".test", 60, "10.0.0." + (i + 1)));

        try (ServiceLookup impatient = new ServiceLookup(network, at(dns, Duration.ofSeconds(5)), SERVICE)) {
            CompletionStage<Lookup.Answer<List<ServiceTarget>>> answer = impatient.ask();
            eventually(() -> assertThat(hostsAsked()).isGreaterThanOrEqualTo(AT_ONCE));
            // All earlier queries have reached the server before the response to this one. Queries in progress get no
            // response.
            dns.service("_later._tcp.svc.test", 60, "0 0 0 .");
            try (ServiceLookup later =
                    new ServiceLookup(network, at(dns, Duration.ofSeconds(30)), "_later._tcp.svc.test")) {
                later.ask().toCompletableFuture().get(30, TimeUnit.SECONDS);
            }
            assertThat(hostsAsked()).isEqualTo(AT_ONCE);
            dns.mood(Mood.ANSWERING);

            assertThat(answer.toCompletableFuture().get(30, TimeUnit.SECONDS).value())
                    .hasSize(targets - AT_ONCE);
        }
    }

    @Test
    void looksUpAFewHostsAtOnceAndDelaysNoneOfOtherServers() throws Exception {
        dns.mood(Mood.SILENT);
        DnsConfig silent = at(dns, Duration.ofSeconds(30));
        List<HostLookup> hosts = IntStream.range(0, 200)
                .mapToObj(i -> new HostLookup(network, silent, "h" + i + ".test"))
                .toList();
        hosts.forEach(HostLookup::ask);
        eventually(() -> assertThat(hostsAsked()).isGreaterThanOrEqualTo(LookupPermits.MOST));

        try (ScriptedDns other = ScriptedDns.start().host("other.test", 60, "10.0.0.1");
                HostLookup elsewhere = new HostLookup(network, at(other, Duration.ofSeconds(30)), "other.test")) {
            assertThat(elsewhere
                            .ask()
                            .toCompletableFuture()
                            .get(30, TimeUnit.SECONDS)
                            .value())
                    .containsExactly("10.0.0.1");
        }
        assertThat(hostsAsked()).isEqualTo(LookupPermits.MOST);
        hosts.forEach(HostLookup::close);
    }

    @Test
    void knowsThousandsOfTargetsThatAreAddresses() throws Exception {
        int targets = 1_000;
        dns.mood(Mood.TRUNCATING)
                .service(
                        SERVICE,
                        60,
                        IntStream.range(0, targets)
                                .mapToObj(i -> "0 1 80 10.1." + i / 250 + "." + i % 250)
                                .toArray(String[]::new));

        assertThat(lookup.ask().toCompletableFuture().get(30, TimeUnit.SECONDS).value())
                .hasSize(targets);
    }

    @Test
    void namesAMalformedRecord() {
        dns.malformedService(SERVICE);

        assertThatThrownBy(() -> lookup.ask().toCompletableFuture().get(30, TimeUnit.SECONDS))
                .hasMessageContaining("malformed SRV record");
    }
}
