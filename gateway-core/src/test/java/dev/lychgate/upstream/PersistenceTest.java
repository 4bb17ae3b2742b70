package dev.lychgate.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.config.PersistenceConfig;
import dev.lychgate.config.PersistenceConfig.ApplicationCookie;
import dev.lychgate.config.PersistenceConfig.GatewayCookie;
import dev.lychgate.config.SameSite;
import dev.lychgate.http.ResponseHead;
import dev.lychgate.upstream.EndpointState.AdminState;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The binding of clients by each policy, without traffic. */
@Tag("slow")
class PersistenceTest {
    private static final String SECRET = "a secret of 20 bytes".replace(' ', '-');

    private final Fleet fleet = Fleet.of(5);

    private Persistence persistence(PersistenceConfig config) {
        return persistence(config, fleet);
    }

    private static Persistence persistence(PersistenceConfig config, Fleet fleet) {
        Persistence made = Persistence.of(config, "api", fleet.upstream().endpoints());
        assertThat(made).isNotNull();
        return made;
    }

    private Persistence gatewayCookie() {
        return persistence(GatewayCookie.of("L", SECRET));
    }

    private Persistence applicationCookie() {
        return persistence(new ApplicationCookie("SESSION", SECRET));
    }

    private static Persistence.Binding read(Persistence persistence, Some request) {
        return persistence.read(request.head(), request.clientAddress());
    }

    private @Nullable Endpoint preferred(Persistence persistence, Some request) {
        return read(persistence, request).preferred(fleet.upstream().whole().current(fleet.now()));
    }

    /** The cookies that a response of {@code by} sets. */
    private static List<String> set(Persistence.Binding binding, Endpoint by, int status, String... setByOrigin) {
        ResponseHead response = new ResponseHead(status, new DefaultHttpHeaders());
        for (String cookie : setByOrigin) {
            response.headers().add("Set-Cookie", cookie);
        }
        binding.answered(by, response);
        return response.headers().getAll("set-cookie");
    }

    /** The mark of an endpoint, as a client without one receives it. */
    private static String mark(Persistence persistence, Endpoint endpoint) {
        String field = set(read(persistence, Some.client(1)), endpoint, 200).get(0);
        return field.substring(field.indexOf('=') + 1, field.indexOf(';'));
    }

    @Test
    void bindsNoClientByDefault() {
        assertThat(Persistence.of(
                        PersistenceConfig.NONE, "api", fleet.upstream().endpoints()))
                .isNull();
        assertThat(fleet.upstream().persistence()).isNull();
    }

    // ---- the gateway's cookie

    @Test
    void theCookieLeadsToItsEndpointAndIsNotRenewed() {
        Persistence cookie = gatewayCookie();
        for (Endpoint endpoint : fleet.upstream().endpoints()) {
            Some request = Some.field("Cookie", "a=1; L=" + mark(cookie, endpoint) + "; b=2");
            assertThat(preferred(cookie, request)).isSameAs(endpoint);
            assertThat(request.head().headers().get("cookie")).isEqualTo("a=1; b=2");
        }
        Persistence.Binding bound = read(cookie, Some.field("Cookie", "L=" + mark(cookie, fleet.endpoint(2))));
        assertThat(set(bound, fleet.endpoint(2), 200)).isEmpty();
    }

    @Test
    void aClientOfAnotherEndpointGetsAnotherCookie() {
        Persistence cookie = gatewayCookie();
        Persistence.Binding bound = read(cookie, Some.field("Cookie", "L=" + mark(cookie, fleet.endpoint(2))));
        assertThat(set(bound, fleet.endpoint(3), 200))
                .containsExactly("L=" + mark(cookie, fleet.endpoint(3)) + "; Path=/; HttpOnly; SameSite=Lax");
    }

    @Test
    void theCookieHasTheConfiguredAttributes() {
        Persistence cookie =
                persistence(new GatewayCookie("__Host-L", SECRET, true, SameSite.NONE, Duration.ofHours(1)));
        assertThat(set(read(cookie, Some.client(1)), fleet.endpoint(0), 204))
                .singleElement()
                .asString()
                .matches("__Host-L=[A-Za-z0-9_-]{22}; Path=/; Max-Age=3600; HttpOnly; Secure; SameSite=None");
    }

    @Test
    void aFailingEndpointBindsNoClient() {
        Persistence cookie = gatewayCookie();
        assertThat(set(read(cookie, Some.client(1)), fleet.endpoint(0), 503)).isEmpty();
        assertThat(set(read(cookie, Some.client(1)), fleet.endpoint(0), 404)).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "L=",
                "L",
                "L=x",
                "L=10.0.0.1:80",
                "L=AAAAAAAAAAAAAAAAAAAAAA",
                "L=\u00e4\u00ff",
                "L=%00; L=\"\"; L==",
                "l=x",
            })
    void garbageBindsToNobody(String field) {
        Persistence cookie = gatewayCookie();
        assertThat(preferred(cookie, Some.field("Cookie", field))).isNull();
        assertThat(set(read(cookie, Some.field("Cookie", field)), fleet.endpoint(1), 200))
                .hasSize(1);
    }

    @Test
    void aMarkWithASingleBitChangedIsInvalid() {
        Persistence cookie = gatewayCookie();
        String mark = mark(cookie, fleet.endpoint(1));
        for (int i = 0; i < mark.length(); i++) {
            String spoilt = mark.substring(0, i) + (char) (mark.charAt(i) ^ 1) + mark.substring(i + 1);
            assertThat(preferred(cookie, Some.field("Cookie", "L=" + spoilt))).isNull();
        }
        assertThat(preferred(cookie, Some.field("Cookie", "L=" + mark + mark))).isNull();
        assertThat(preferred(cookie, Some.field("Cookie", "L=" + mark.substring(1))))
                .isNull();
        assertThat(preferred(cookie, Some.field("Cookie", "L=\"" + mark + "\"")))
                .isNull();
    }

    @Test
    void anOversizedCookieIsRemovedLikeAnyOther() {
        Some request = Some.field("Cookie", "L=" + "x".repeat(60_000) + "; a=1");
        assertThat(preferred(gatewayCookie(), request)).isNull();
        assertThat(request.head().headers().get("cookie")).isEqualTo("a=1");
    }

    @Test
    void usesTheFirstValidCookieOfSeveral() {
        Persistence cookie = gatewayCookie();
        Some request = Some.field(
                "Cookie",
                "L=forged; L=" + mark(cookie, fleet.endpoint(4)) + "; L=" + mark(cookie, fleet.endpoint(1)) + "; a=1");
        assertThat(preferred(cookie, request)).isSameAs(fleet.endpoint(4));
    }

    @Test
    void aMarkIsEqualInEveryProcessAndUnique() {
        Persistence cookie = gatewayCookie();
        Persistence replica = persistence(GatewayCookie.of("L", SECRET), Fleet.of(7));
        Persistence stranger = persistence(GatewayCookie.of("L", SECRET + "!"));
        Persistence otherUpstream = Persistence.of(
                GatewayCookie.of("L", SECRET), "web", fleet.upstream().endpoints());
        assertThat(otherUpstream).isNotNull();
        Set<String> marks = new HashSet<>();
        for (Endpoint endpoint : fleet.upstream().endpoints()) {
            String mark = mark(cookie, endpoint);
            assertThat(preferred(replica, Some.field("Cookie", "L=" + mark))).isNotNull();
            assertThat(preferred(stranger, Some.field("Cookie", "L=" + mark))).isNull();
            assertThat(preferred(otherUpstream, Some.field("Cookie", "L=" + mark)))
                    .isNull();
            assertThat(mark).doesNotContain("10", "80");
            marks.add(mark);
        }
        assertThat(marks).hasSize(5);
    }

    @Test
    void aMarkFindsItsEndpointInTheNextGeneration() {
        String kept = mark(gatewayCookie(), fleet.endpoint(1));
        String lost = mark(gatewayCookie(), fleet.endpoint(4));
        fleet.takeOver().removeLast();
        assertThat(preferred(gatewayCookie(), Some.field("Cookie", "L=" + kept)))
                .isSameAs(fleet.endpoint(1));
        assertThat(preferred(gatewayCookie(), Some.field("Cookie", "L=" + lost)))
                .isNull();
    }

    // ---- the application's cookie

    @Test
    void theCompanionHasTheAttributesOfTheUnchangedApplicationsCookie() {
        String session = "SESSION=abc==; Path=/shop; Max-Age=60; HttpOnly; Secure";
        List<String> set = set(read(applicationCookie(), Some.client(1)), fleet.endpoint(3), 200, "a=1", session);
        assertThat(set).hasSize(3).startsWith("a=1", session);
        assertThat(set.get(2)).matches("lychgate-SESSION=[A-Za-z0-9_-]{22}; Path=/shop; Max-Age=60; HttpOnly; Secure");
    }

    @Test
    void aSessionThatEndsAndOneThatBeginsInTheSameResponseHaveACompanionEach() {
        List<String> set = set(
                read(applicationCookie(), Some.client(1)),
                fleet.endpoint(3),
                200,
                "SESSION=; Path=/; Max-Age=0",
                "SESSION=abc; Path=/");
        assertThat(set).hasSize(4);
        assertThat(set.get(2)).endsWith("; Path=/; Max-Age=0");
        assertThat(set.get(3)).matches("lychgate-SESSION=[A-Za-z0-9_-]{22}; Path=/");
    }

    @Test
    void withoutTheApplicationsCookieThereIsNoCompanion() {
        assertThat(set(read(applicationCookie(), Some.client(1)), fleet.endpoint(3), 200, "XSESSION=1", "session=2"))
                .containsExactly("XSESSION=1", "session=2");
    }

    private String companion(Endpoint endpoint) {
        return set(read(applicationCookie(), Some.client(1)), endpoint, 500, "SESSION=x")
                .get(1);
    }

    @Test
    void bothCookiesLeadToTheSessionAndTheOriginReceivesItsOwnOnly() {
        Some request = Some.field("Cookie", companion(fleet.endpoint(3)) + "; SESSION=abc");
        assertThat(preferred(applicationCookie(), request)).isSameAs(fleet.endpoint(3));
        assertThat(request.head().headers().get("cookie")).isEqualTo("SESSION=abc");
    }

    @Test
    void aCompanionWithoutItsSessionBindsToNoEndpoint() {
        Some request = Some.field("Cookie", companion(fleet.endpoint(3)));
        assertThat(preferred(applicationCookie(), request)).isNull();
        assertThat(request.head().headers().contains("cookie")).isFalse();
    }

    @Test
    void aSessionOfALostEndpointStaysTogetherElsewhere() {
        fleet.fail(3);
        Set<Endpoint> elsewhere = new HashSet<>();
        for (int i = 0; i < 50; i++) {
            String both = companion(fleet.endpoint(3)) + "; SESSION=" + i;
            Endpoint first = preferred(applicationCookie(), Some.field("Cookie", both));
            assertThat(first).isNotNull().isNotSameAs(fleet.endpoint(3));
            assertThat(preferred(applicationCookie(), Some.field("Cookie", both)))
                    .isSameAs(first);
            elsewhere.add(first);
        }
        assertThat(elsewhere).hasSize(4);
    }

    // ---- the client's address

    @Test
    void aClientStaysAtTheEndpointOfItsAddressWhileItIsUsable() {
        Persistence address = persistence(new PersistenceConfig.ClientIp());
        Map<Integer, Endpoint> before = new HashMap<>();
        for (int client = 0; client < 500; client++) {
            Endpoint chosen = preferred(address, Some.client(client));
            assertThat(chosen).isNotNull();
            before.put(client, chosen);
        }
        assertThat(new HashSet<>(before.values())).hasSize(5);
        fleet.admin(2, AdminState.DRAINING);
        before.forEach((client, owner) -> {
            if (owner == fleet.endpoint(2)) {
                assertThat(preferred(address, Some.client(client))).isNotSameAs(owner);
            } else {
                assertThat(preferred(address, Some.client(client))).isSameAs(owner);
            }
        });
    }

    @Test
    void prefersNoEndpointIfNoneIsUsable() {
        Some session = Some.field("Cookie", companion(fleet.endpoint(3)) + "; SESSION=1");
        for (int i = 0; i < 5; i++) {
            fleet.admin(i, AdminState.DISABLED);
        }
        assertThat(preferred(persistence(new PersistenceConfig.ClientIp()), Some.client(1)))
                .isNull();
        assertThat(preferred(applicationCookie(), session)).isNull();
    }
}
