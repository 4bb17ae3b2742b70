package dev.lychgate.dns;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.lychgate.config.AddressFamily;
import dev.lychgate.config.DnsConfig;
import dev.lychgate.config.EndpointAddress;
import dev.lychgate.config.EndpointConfig;
import dev.lychgate.config.UpstreamConfig;
import dev.lychgate.testing.ScriptedDns;
import dev.lychgate.testing.ScriptedDns.Mood;
import dev.lychgate.upstream.UpstreamStates;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioDatagramChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Garbage and responses to other questions on the socket of a query, from the server and from a stranger. */
class UndecodableDatagramsTest {
    private final ScriptedDns dns = ScriptedDns.start();
    private final MultiThreadIoEventLoopGroup group = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();
    private final Logger root = (Logger) LoggerFactory.getLogger("ROOT");

    @BeforeEach
    void listen() {
        log.list = new CopyOnWriteArrayList<>();
        log.start();
        root.addAppender(log);
    }

    @AfterEach
    void close() throws InterruptedException {
        root.detachAppender(log);
        group.shutdownGracefully(0, 5, TimeUnit.SECONDS).await();
        dns.close();
    }

    @Test
    void queryIsResolvedAndGarbageLoggedOnceWithoutStackTrace() {
        dns.mood(Mood.BABBLING);
        resolvesAndLogsOnce();
    }

    @Test
    void queryIsResolvedAndResponsesToOtherQuestionsLoggedOnce() {
        dns.mood(Mood.DIGRESSING);
        resolvesAndLogsOnce();
    }

    private void resolvesAndLogsOnce() {
        dns.host("api.test", 60, "127.0.0.1").host("other.test", 60, "127.0.0.2");
        UpstreamConfig upstream = UpstreamConfig.of(
                        "origin", new EndpointConfig("api.test", 80), new EndpointConfig("other.test", 80))
                .withDns(new DnsConfig(
                        List.of(new EndpointAddress("127.0.0.1", dns.address().getPort())),
                        AddressFamily.IPV4,
                        Duration.ofSeconds(30),
                        Duration.ofMinutes(1),
                        Duration.ofSeconds(10)));
        UpstreamStates states = new UpstreamStates(1);
        try (EndpointDiscovery discovery =
                new EndpointDiscovery(group.next(), NioDatagramChannel.class, NioSocketChannel.class, () -> {})) {
            discovery.prepare(List.of(upstream), states, Duration.ofSeconds(30));
            assertThat(states.of("origin").answers().known().values())
                    .containsExactlyInAnyOrder(List.of("127.0.0.1"), List.of("127.0.0.2"));
        }
        assertThat(log.list)
                .filteredOn(line -> line.getLevel().isGreaterOrEqual(Level.WARN))
                .singleElement()
                .satisfies(line -> {
                    assertThat(line.getThrowableProxy()).isNull();
                    assertThat(line.getFormattedMessage())
                            .startsWith("unusable DNS datagram dropped, sender=/127.0.0.1:")
                            .hasSizeLessThan(200);
                });
    }
}
