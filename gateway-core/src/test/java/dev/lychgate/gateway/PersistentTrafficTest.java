package dev.lychgate.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.config.EndpointAddress;
import dev.lychgate.config.EndpointConfig;
import dev.lychgate.config.PersistenceConfig;
import dev.lychgate.config.PersistenceConfig.ApplicationCookie;
import dev.lychgate.config.PersistenceConfig.GatewayCookie;
import dev.lychgate.config.UpstreamConfig;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.RawMessage;
import dev.lychgate.testing.Responses;
import dev.lychgate.testing.ScriptedOrigin;
import dev.lychgate.upstream.EndpointState.AdminState;
import dev.lychgate.upstream.EndpointState.Health;
import dev.lychgate.upstream.Upstream;
import dev.lychgate.upstream.UpstreamState;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Clients that are bound to one of several origins, over real sockets; origins respond with their number. */
class PersistentTrafficTest {
    private static final String SECRET = "0123456789abcdef";

    private final List<ScriptedOrigin> origins = new ArrayList<>();

    @BeforeEach
    void start() {
        for (int i = 0; i < 4; i++) {
            String name = Integer.toString(i);
            origins.add(ScriptedOrigin.answering((request, c) -> c.send(
                    request.target().equals("/login")
                            ? Responses.of(200, name, "Set-Cookie: SESSION=s" + name + "; Path=/; HttpOnly")
                            : Responses.ok(name))));
        }
    }

    @AfterEach
    void close() {
        origins.forEach(ScriptedOrigin::close);
    }

    private Setup setup(PersistenceConfig persistence, int workers) {
        EndpointConfig[] endpoints = origins.stream()
                .map(o -> new EndpointConfig("127.0.0.1", o.port()))
                .toArray(EndpointConfig[]::new);
        return new Setup()
                .workers(workers)
                .upstream(UpstreamConfig.of("origin", endpoints).withPersistence(persistence));
    }

    private static UpstreamState state(Running gateway) {
        Upstream upstream = gateway.gateway().generation().upstream("origin");
        assertThat(upstream).isNotNull();
        return upstream.state();
    }

    private EndpointAddress address(String name) {
        return new EndpointAddress(
                "127.0.0.1", origins.get(Integer.parseInt(name)).port());
    }

    private static RawMessage get(RawClient client, String target, String cookie) throws IOException {
        return client.send("GET " + target + " HTTP/1.1\r\nHost: a\r\nCookie: " + cookie + "\r\n\r\n")
                .readResponse();
    }

    /** The part before the attributes. */
    private static String pair(String setCookie) {
        return setCookie.substring(0, setCookie.indexOf(';'));
    }

    private static void staysWith(String name, RawClient client, String cookie) throws IOException {
        for (int i = 0; i < 10; i++) {
            RawMessage response = get(client, "/", cookie);
            assertThat(response.body()).isEqualTo(name);
            assertThat(response.values("set-cookie")).isEmpty();
        }
    }

    @Test
    void aClientStaysOverConnectionsLoopsReloadsAndRestarts() throws Exception {
        Setup setup = setup(GatewayCookie.of("L", SECRET), 2);
        RawMessage first;
        try (Running gateway = setup.start();
                RawClient one = gateway.client();
                RawClient other = gateway.client()) {
            first = one.get("/");
            String cookie = pair(first.value("set-cookie").orElseThrow());
            staysWith(first.body(), one, cookie);
            staysWith(first.body(), other, cookie);
            gateway.gateway().apply(setup.config());
            staysWith(first.body(), one, cookie);
        }
        try (Running restarted = setup.start();
                RawClient client = restarted.client()) {
            staysWith(first.body(), client, pair(first.value("set-cookie").orElseThrow()));
        }
    }

    @Test
    void noOriginReceivesTheGatewaysCookieAndAllOthersAreUnchanged() throws Exception {
        try (Running gateway = setup(GatewayCookie.of("L", SECRET), 1).start();
                RawClient client = gateway.client()) {
            get(client, "/", "a=\"1 ; \"; L=forged;  b=%20=");
            get(client, "/", "L=forged");
        }
        List<RawMessage> seen =
                origins.stream().flatMap(o -> o.requests().stream()).toList();
        assertThat(seen).hasSize(2);
        assertThat(seen.stream().flatMap(r -> r.values("cookie").stream())).containsExactly("a=\"1 ; \";  b=%20=");
    }

    @Test
    void aDrainingEndpointKeepsItsClientsAndGetsNoOthers() throws Exception {
        try (Running gateway = setup(GatewayCookie.of("L", SECRET), 1).start();
                RawClient client = gateway.client()) {
            RawMessage first = client.get("/");
            state(gateway).admin(address(first.body()), AdminState.DRAINING);
            staysWith(first.body(), client, pair(first.value("set-cookie").orElseThrow()));
            for (int i = 0; i < 20; i++) {
                assertThat(client.get("/").body()).isNotEqualTo(first.body());
            }
        }
    }

    @Test
    void aClientOfALostEndpointIsBoundToAnotherAndStaysThere() throws Exception {
        Setup setup = setup(GatewayCookie.of("L", SECRET), 1);
        try (Running gateway = setup.start();
                RawClient client = gateway.client()) {
            Set<String> lost = new HashSet<>();
            RawMessage bound = client.get("/");
            for (int i = 0; i < 3; i++) {
                lost.add(bound.body());
                switch (i) {
                    case 0 -> state(gateway).admin(address(bound.body()), AdminState.DISABLED);
                    case 1 -> state(gateway).health(address(bound.body()), Health.UNHEALTHY);
                    default -> state(gateway).eject(address(bound.body()), Long.MAX_VALUE);
                }
                String old = pair(bound.value("set-cookie").orElseThrow());
                bound = get(client, "/", old);
                assertThat(lost).doesNotContain(bound.body());
                staysWith(bound.body(), client, pair(bound.value("set-cookie").orElseThrow()));
            }
        }
    }

    @Test
    void aClientOfASilentEndpointGetsAnErrorAndIsNotBound() throws Exception {
        try (Running gateway = setup(GatewayCookie.of("L", SECRET), 1).start();
                RawClient client = gateway.client()) {
            RawMessage first = client.get("/");
            origins.forEach(ScriptedOrigin::close);
            RawMessage failed = get(client, "/", pair(first.value("set-cookie").orElseThrow()));
            assertThat(failed.status()).isGreaterThanOrEqualTo(500);
            assertThat(failed.has("set-cookie")).isFalse();
        }
    }

    @Test
    void aStaleConnectionUnbindsNoClient() throws Exception {
        close();
        origins.clear();
        for (String name : List.of("0", "1", "2")) {
            origins.add(ScriptedOrigin.start()
                    .onNextConnection(c -> {
                        c.readRequest();
                        c.send(Responses.ok(name));
                        c.readRequest();
                        c.reset();
                    })
                    .onConnection(c -> c.answerEvery(request -> Responses.ok(name))));
        }
        try (Running gateway = setup(GatewayCookie.of("L", SECRET), 1).start();
                RawClient client = gateway.client()) {
            RawMessage first = client.get("/");
            staysWith(first.body(), client, pair(first.value("set-cookie").orElseThrow()));
            assertThat(origins.get(Integer.parseInt(first.body())).connectionsAccepted())
                    .isEqualTo(2);
        }
    }

    @Test
    void aSessionStaysWhereTheApplicationBeganIt() throws Exception {
        try (Running gateway =
                        setup(new ApplicationCookie("SESSION", SECRET), 2).start();
                RawClient one = gateway.client();
                RawClient other = gateway.client()) {
            assertThat(one.get("/").has("set-cookie")).isFalse();
            RawMessage login = one.get("/login");
            List<String> set = login.values("set-cookie");
            assertThat(set).hasSize(2).startsWith("SESSION=s" + login.body() + "; Path=/; HttpOnly");
            String cookies = pair(set.get(0)) + "; " + pair(set.get(1));
            staysWith(login.body(), one, cookies);
            staysWith(login.body(), other, cookies);
            ScriptedOrigin origin = origins.get(Integer.parseInt(login.body()));
            RawMessage last = origin.requests().get(origin.requests().size() - 1);
            assertThat(last.values("cookie")).containsExactly("SESSION=s" + login.body());
        }
    }

    @Test
    void aClientAddressStaysWithItsOrigin() throws Exception {
        try (Running gateway = setup(new PersistenceConfig.ClientIp(), 2).start();
                RawClient one = gateway.client();
                RawClient other = gateway.client()) {
            String owner = one.get("/").body();
            for (int i = 0; i < 10; i++) {
                assertThat(other.get("/").body()).isEqualTo(owner);
            }
            state(gateway).health(address(owner), Health.UNHEALTHY);
            String next = one.get("/").body();
            assertThat(next).isNotEqualTo(owner);
            assertThat(other.get("/").body()).isEqualTo(next);
            state(gateway).health(address(owner), Health.HEALTHY);
            assertThat(one.get("/").body()).isEqualTo(owner);
        }
    }
}
