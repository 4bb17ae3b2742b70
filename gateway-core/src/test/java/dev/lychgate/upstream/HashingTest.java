package dev.lychgate.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.config.Algorithm;
import dev.lychgate.config.BalanceConfig;
import dev.lychgate.config.HashSource;
import dev.lychgate.config.Percent;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The same endpoint for the same client or key, and how many have to move. */
@Tag("slow")
class HashingTest {
    private static final int CLIENTS = 20_000;
    private static final BalanceConfig BY_ADDRESS = BalanceConfig.of(Algorithm.CLIENT_IP_HASH);
    private static final BalanceConfig CONSISTENT = BalanceConfig.hashing(new HashSource.ClientIp());

    private static int[] owners(Fleet fleet) {
        LoadBalancer balancer = fleet.balancer(31);
        int[] owners = new int[CLIENTS];
        for (int i = 0; i < CLIENTS; i++) {
            owners[i] = fleet.numberOf(Some.request(balancer, Some.client(i)));
        }
        return owners;
    }

    /** The number of keys that have moved although {@code gone} did not serve them. */
    private static int needlesslyMoved(int[] before, int[] after, int gone) {
        int moved = 0;
        for (int i = 0; i < before.length; i++) {
            moved += before[i] != gone && before[i] != after[i] ? 1 : 0;
        }
        return moved;
    }

    @Test
    void clientsAreSpreadByWeight() {
        ChiSquare.assertFits(Fleet.weights(3, 2, 1).balance(BY_ADDRESS).choose(CLIENTS, 1), 3, 2, 1);
        ChiSquare.assertFits(Fleet.weights(3, 2, 1).balance(CONSISTENT).choose(CLIENTS, 1), 3, 2, 1);
    }

    @Test
    void everyLoopAndEveryProcessAgrees() {
        Fleet one = Fleet.of(7).balance(CONSISTENT);
        Fleet other = Fleet.of(7).balance(CONSISTENT);
        LoadBalancer third = other.loop(3, 99).of(other.upstream().whole());
        for (int i = 0; i < 1000; i++) {
            assertThat(Some.request(third, Some.client(i)).authority())
                    .isEqualTo(Some.request(one.balancer(1), Some.client(i)).authority());
        }
    }

    @Test
    void hashingByClientAddressMovesNoOtherClients() {
        Fleet fleet = Fleet.of(10).balance(BY_ADDRESS);
        int[] before = owners(fleet);
        int[] without = owners(fleet.fail(3));
        assertThat(needlesslyMoved(before, without, 3)).isZero();
        assertThat(owners(fleet.recover(3))).isEqualTo(before);
    }

    @Test
    void theKeysOfALostEndpointAreSpreadOverAllOthers() {
        Fleet fleet = Fleet.of(10).balance(BY_ADDRESS);
        int[] before = owners(fleet);
        int[] without = owners(fleet.fail(3));
        long[] inherited = new long[10];
        for (int i = 0; i < CLIENTS; i++) {
            if (before[i] == 3) {
                inherited[without[i]]++;
            }
        }
        assertThat(inherited[3]).isZero();
        for (int i = 0; i < 10; i++) {
            assertThat(i == 3 ? 200 : inherited[i]).isBetween(130L, 330L);
        }
    }

    @Test
    void theFirstHalfOfAnIpv6AddressIsTheClient() {
        LoadBalancer balancer = Fleet.of(50).balance(BY_ADDRESS).balancer(1);
        Endpoint one = balancer.choose(Some.from("2001:db8:1:2::1"));
        assertThat(balancer.choose(Some.from("2001:db8:1:2:aaaa:bbbb:cccc:dddd")))
                .isSameAs(one);
        assertThat(balancer.choose(Some.from("2001:db8:1:3::1"))).isNotSameAs(one);
    }

    @Test
    void retriesOfOneKeyAreSpreadOverOtherEndpoints() {
        for (BalanceConfig config : new BalanceConfig[] {BY_ADDRESS, CONSISTENT}) {
            Fleet fleet = Fleet.of(5).balance(config);
            LoadBalancer balancer = fleet.balancer(1);
            long[] second = new long[5];
            for (int i = 0; i < CLIENTS; i++) {
                Endpoint first = Some.request(balancer, Some.client(i));
                if (first == fleet.endpoint(0)) {
                    second[fleet.numberOf(Some.request(balancer, Some.client(i).tries(first)))]++;
                }
            }
            assertThat(second[0]).isZero();
            for (int i = 1; i < 5; i++) {
                assertThat(second[i]).isBetween(CLIENTS / 25L, CLIENTS / 15L);
            }
        }
    }

    @Test
    void theSettingsDetermineTheKey() {
        agree(new HashSource.Header("x-user"), Some.field("X-User", "ann"), Some.field("x-user", "ann"));
        agree(new HashSource.Cookie("sid"), Some.field("cookie", "a=1; sid=7"), Some.field("cookie", "sid=7; b=2"));
        agree(new HashSource.Query("q"), Some.target("/a", "q=%41&x"), Some.target("/b", "y&q=A"));
        agree(new HashSource.Path(), Some.target("/a", "q=1"), Some.target("/a", "q=2"));
    }

    private static void agree(HashSource source, Some one, Some other) {
        LoadBalancer balancer =
                Fleet.of(1000).balance(BalanceConfig.hashing(source)).balancer(1);
        assertThat(balancer.choose(one)).isNotNull().isSameAs(balancer.choose(other));
    }

    @Test
    void aRequestWithoutTheKeyGoesAnywhere() {
        Fleet fleet = Fleet.of(5).balance(BalanceConfig.hashing(new HashSource.Header("x-user")));
        ChiSquare.assertFits(fleet.choose(CLIENTS, 41), 1, 1, 1, 1, 1);
    }

    @Test
    void aHotKeySpillsToOthersWithinTheBound() {
        Fleet fleet = Fleet.of(10).balance(CONSISTENT.withLoadBound(new Percent(150)));
        LoopBalancers loop = fleet.loop(0, 51);
        for (int i = 0; i < 1000; i++) {
            loop.load(Some.request(loop.of(fleet.upstream().whole()), Some.client(1)))
                    .begin();
        }
        for (Endpoint endpoint : fleet.upstream().endpoints()) {
            assertThat(loop.load(endpoint).outstanding()).isLessThanOrEqualTo(150);
        }
    }

    @Test
    void withABoundKeysStayWhereTheyBelongWhileLoadIsEven() {
        Fleet fleet = Fleet.of(10).balance(CONSISTENT.withLoadBound(new Percent(200)));
        int[] free = owners(Fleet.of(10).balance(CONSISTENT));
        LoopBalancers loop = fleet.loop(0, 52);
        int elsewhere = 0;
        for (int i = 0; i < CLIENTS; i++) {
            Endpoint chosen = Some.request(loop.of(fleet.upstream().whole()), Some.client(i));
            loop.load(chosen).begin();
            elsewhere += i > 1000 && fleet.numberOf(chosen) != free[i] ? 1 : 0;
        }
        assertThat(elsewhere).isZero();
    }
}
