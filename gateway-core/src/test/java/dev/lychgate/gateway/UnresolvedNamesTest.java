package dev.lychgate.gateway;

import static dev.lychgate.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.config.AddressFamily;
import dev.lychgate.config.DnsConfig;
import dev.lychgate.config.EndpointAddress;
import dev.lychgate.config.EndpointConfig;
import dev.lychgate.config.RouteAction;
import dev.lychgate.config.UpstreamConfig;
import dev.lychgate.dns.NameStatus;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.Responses;
import dev.lychgate.testing.ScriptedDns;
import dev.lychgate.testing.ScriptedDns.Mood;
import dev.lychgate.testing.ScriptedOrigin;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Requests to host names without a DNS result since the start: each connect resolves the name. */
@Tag("slow")
class UnresolvedNamesTest {
    private final ScriptedDns left = ScriptedDns.start().mood(Mood.SERVER_FAILURE);
    private final ScriptedDns right = ScriptedDns.start().mood(Mood.SERVER_FAILURE);
    private final ScriptedOrigin one = origin("127.0.0.1", 0);
    private final ScriptedOrigin two = origin("127.0.0.2", one.port());

    private static ScriptedOrigin origin(String ip, int port) {
        return ScriptedOrigin.answeringAt(new InetSocketAddress(ip, port), (r, c) -> c.send(Responses.ok(ip)));
    }

    @AfterEach
    void close() {
        List.of(one, two).forEach(ScriptedOrigin::close);
        List.of(left, right).forEach(ScriptedDns::close);
    }

    private UpstreamConfig upstream(String name, ScriptedDns server) {
        DnsConfig dns = new DnsConfig(
                List.of(new EndpointAddress("127.0.0.1", server.address().getPort())),
                AddressFamily.EITHER,
                Duration.ofMillis(100),
                Duration.ofMinutes(1),
                Duration.ofSeconds(5));
        return UpstreamConfig.of(name, new EndpointConfig("api.test", one.port()))
                .withDns(dns);
    }

    /** The next lookup without a request is seconds away when this returns. */
    private static void awaitBackOff(Running gateway) throws Exception {
        eventually(() -> assertThat(gateway.gateway().nameStatuses())
                .extracting(NameStatus::failed)
                .allSatisfy(failed -> assertThat(failed).isGreaterThanOrEqualTo(3)));
    }

    @Test
    void connectQueriesTheConfiguredServerAsSoonAsItResponds() throws Exception {
        try (Running gateway = new Setup().upstream(upstream("origin", left)).start();
                RawClient client = gateway.client()) {
            awaitBackOff(gateway);
            int before = left.questions().size();
            assertThat(client.get("/").status()).isEqualTo(502);
            assertThat(left.questions()).hasSizeGreaterThan(before);

            left.mood(Mood.ANSWERING).host("api.test", 60, "127.0.0.2");
            assertThat(client.get("/").body()).isEqualTo("127.0.0.2");
            assertThat(right.questions()).isEmpty();
        }
    }

    @Test
    void connectsOfEachUpstreamQueryItsOwnServersOnly() throws Exception {
        try (Running gateway = new Setup()
                        .upstream(upstream("left", left))
                        .upstream(upstream("right", right))
                        .route("left", "/left", new RouteAction.Proxy("left"))
                        .route("right", "/right", new RouteAction.Proxy("right"))
                        .start();
                RawClient client = gateway.client()) {
            awaitBackOff(gateway);
            left.mood(Mood.ANSWERING).host("api.test", 60, "127.0.0.1");
            assertThat(client.get("/right").status()).isEqualTo(502);
            assertThat(client.get("/left").body()).isEqualTo("127.0.0.1");

            right.mood(Mood.ANSWERING).host("api.test", 60, "127.0.0.2");
            assertThat(client.get("/right").body()).isEqualTo("127.0.0.2");
            assertThat(client.get("/left").body()).isEqualTo("127.0.0.1");
        }
    }
}
