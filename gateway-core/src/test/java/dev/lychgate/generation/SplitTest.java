package dev.lychgate.generation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.lychgate.config.Cidr;
import dev.lychgate.config.MatchConfig;
import dev.lychgate.config.Stickiness;
import dev.lychgate.http.RequestHead;
import dev.lychgate.route.Ingress;
import dev.lychgate.route.RequestGroups;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("slow")
class SplitTest {
    private static final int MANY = 50_000;
    private static final int CELLS = 20;
    /** The 0.999 quantile of chi-square with 19 degrees of freedom. */
    private static final double CRITICAL = 43.82;

    private static final Stickiness CLIENT = new Stickiness.Client();
    private static final Stickiness TENANT = new Stickiness.Header("x-tenant");
    private static final Stickiness SESSION = new Stickiness.Cookie("sid");

    private final SplittableRandom random = new SplittableRandom(7);

    private static Split split(double share, long salt, Stickiness by) {
        return new Split(share, salt, by, RequestGroups.NONE);
    }

    private boolean takes(Split split, RequestHead head, String client) {
        return takes(split, head, from(client));
    }

    private boolean takes(Split split, RequestHead head, Ingress client) {
        return split.takes(split.place(head, client, random), head, client);
    }

    private static RequestHead head(String... fields) {
        HttpHeaders headers = new DefaultHttpHeaders();
        for (int i = 0; i < fields.length; i += 2) {
            headers.add(fields[i], fields[i + 1]);
        }
        return new RequestHead(HttpMethod.GET, false, "/a/b", null, "a", headers);
    }

    private static Ingress from(String client) {
        try {
            return new Ingress.Known(InetAddress.getByName(client), "main", false);
        } catch (UnknownHostException e) {
            throw new AssertionError(e);
        }
    }

    private static String address(int i) {
        return "10." + (i >> 16) + "." + (i >> 8 & 0xff) + "." + (i & 0xff);
    }

    // ---- distribution

    /** Counts in which twentieth of the shares each value is taken first. */
    private static void assertUniform(Cell cell) {
        long[] counts = new long[CELLS];
        long before = 0;
        for (int i = 1; i <= CELLS; i++) {
            double share = i / (double) CELLS;
            long taken =
                    IntStream.range(0, MANY).filter(n -> cell.at(share).test(n)).count();
            counts[i - 1] = taken - before;
            before = taken;
        }
        assertThat(before).isEqualTo(MANY);
        double expected = MANY / (double) CELLS;
        double statistic = 0;
        for (long count : counts) {
            statistic += (count - expected) * (count - expected) / expected;
        }
        assertThat(statistic).as("chi-square").isLessThan(CRITICAL);
    }

    private interface Cell {
        IntPredicate at(double share);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, -1, 0x5eed5eed5eedL})
    void dividesConsecutiveAddressesUniformly(long salt) {
        Ingress[] clients =
                IntStream.range(0, MANY).mapToObj(i -> from(address(i))).toArray(Ingress[]::new);
        RequestHead head = head();
        assertUniform(share -> {
            Split split = split(share, salt, CLIENT);
            return i -> takes(split, head, clients[i]);
        });
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, -1, 0x5eed5eed5eedL})
    void dividesConsecutiveValuesUniformly(long salt) {
        RequestHead[] heads = IntStream.range(0, MANY)
                .mapToObj(i -> head("x-tenant", "tenant-" + i))
                .toArray(RequestHead[]::new);
        Ingress client = from("192.0.2.7");
        assertUniform(share -> {
            Split split = split(share, salt, TENANT);
            return i -> takes(split, heads[i], client);
        });
    }

    @Test
    void dividesRequestsAtRandom() {
        Split split = split(0.1, 0, new Stickiness.Request());
        RequestHead head = head();
        long taken = IntStream.range(0, MANY)
                .filter(i -> takes(split, head, "192.0.2.7"))
                .count();
        assertThat(taken).isCloseTo(MANY / 10, within(300L));
    }

    @Test
    void takesNothingOfAShareOfZeroAndEverythingOfOne() {
        for (Stickiness by : List.of(CLIENT, TENANT, SESSION, new Stickiness.Request())) {
            for (int i = 0; i < 1000; i++) {
                RequestHead head = head("x-tenant", "t" + i, "cookie", "sid=" + i);
                assertThat(takes(split(0, i, by), head, address(i))).isFalse();
                assertThat(takes(split(1, i, by), head, address(i))).isTrue();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(doubles = {-0.01, 1.01, Double.NaN})
    void refusesSharesBesideZeroToOne(double share) {
        assertThatThrownBy(() -> split(share, 0, CLIENT)).hasMessage("a share of " + share + " (expected: 0 to 1)");
    }

    // ---- stickiness

    @Test
    void keepsEveryClientThatItHasTakenAtASmallerShare() {
        Split narrow = split(0.01, 42, CLIENT);
        Split wide = narrow.withShare(0.1);
        int kept = 0;
        for (int i = 0; i < MANY; i++) {
            if (takes(narrow, head(), address(i))) {
                kept++;
                assertThat(takes(wide, head(), address(i))).isTrue();
            }
        }
        assertThat(kept).isBetween(400, 600);
    }

    @Test
    void selectsOtherClientsWithAnotherSalt() {
        Split one = split(0.1, 1, CLIENT);
        Split other = split(0.1, 2, CLIENT);
        long both = IntStream.range(0, MANY)
                .filter(i -> takes(one, head(), address(i)) && takes(other, head(), address(i)))
                .count();
        assertThat(both).isCloseTo(MANY / 100, within(110L));
    }

    @Test
    void decidesByTheNetworkOfIpv6Clients() {
        Split split = split(0.5, 3, CLIENT);
        for (int network = 0; network < 200; network++) {
            String prefix = "2001:db8:0:" + Integer.toHexString(network) + ":";
            boolean taken = takes(split, head(), prefix + ":1");
            assertThat(takes(split, head(), prefix + "ffff:a:b:c")).isEqualTo(taken);
        }
        assertThat(IntStream.range(0, 200)
                        .filter(i -> takes(split, head(), "2001:db8:0:" + Integer.toHexString(i) + "::1"))
                        .count())
                .isBetween(70L, 130L);
    }

    @Test
    void decidesByTheFirstValueOfTheHeaderWhateverTheClient() {
        Split split = split(0.5, 4, TENANT);
        for (int i = 0; i < 200; i++) {
            boolean taken = takes(split, head("x-tenant", "t" + i), "192.0.2.1");
            assertThat(takes(split, head("X-Tenant", "t" + i, "x-tenant", "other"), "192.0.2.2"))
                    .isEqualTo(taken);
        }
    }

    @Test
    void decidesByTheFirstCookieOfTheName() {
        Split split = split(0.5, 5, SESSION);
        for (int i = 0; i < 200; i++) {
            boolean taken = takes(split, head("cookie", "sid=s" + i), "192.0.2.1");
            assertThat(takes(split, head("cookie", "a=b; sid=s" + i + "; sid=other"), "192.0.2.2"))
                    .isEqualTo(taken);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "x-other", "x-tenant", "cookie"})
    void fallsBackToTheClientWithoutAValue(String name) {
        RequestHead head = name.isEmpty() ? head() : head(name, name.equals("cookie") ? "sid=; other=1" : "");
        for (Stickiness by : List.of(TENANT, SESSION)) {
            for (int i = 0; i < 200; i++) {
                assertThat(takes(split(0.5, 6, by), head, address(i)))
                        .isEqualTo(takes(split(0.5, 6, CLIENT), head(), address(i)));
            }
        }
    }

    // ---- include

    @Test
    void takesIncludedRequestsInAnyCase() {
        RequestGroups include = RequestGroups.compile(
                "rollout.include",
                List.of(
                        matching(Map.of("x-canary", "yes"), List.of()),
                        matching(Map.of(), List.of(Cidr.parse("10.0.0.0/8")))));
        Split split = new Split(0, 7, CLIENT, include);

        assertThat(takes(split, head("x-canary", "yes"), "192.0.2.7")).isTrue();
        assertThat(takes(split, head(), "10.9.8.7")).isTrue();
        assertThat(takes(split, head("x-canary", "no"), "192.0.2.7")).isFalse();
    }

    @Test
    void takesARequestOfAGroupOnlyIfAllItsPredicatesHold() {
        RequestGroups include = RequestGroups.compile(
                "rollout.include", List.of(matching(Map.of("x-canary", "yes"), List.of(Cidr.parse("10.0.0.0/8")))));
        Split split = new Split(0, 8, CLIENT, include);

        assertThat(takes(split, head("x-canary", "yes"), "10.9.8.7")).isTrue();
        assertThat(takes(split, head("x-canary", "yes"), "192.0.2.7")).isFalse();
        assertThat(takes(split, head(), "10.9.8.7")).isFalse();
    }

    private static MatchConfig matching(Map<String, String> headers, List<Cidr> clients) {
        return new MatchConfig(List.of(), null, List.of(), headers, Map.of(), clients, null);
    }

    // ---- groups

    @Test
    void theGroupsOfBothGenerationsAreOfTheSameSize() {
        Split split = split(0.1, 11, CLIENT);
        int[][] counts = new int[2][Split.GROUPS];
        for (int i = 0; i < MANY; i++) {
            long place = split.place(head(), from(address(i)), random);
            counts[split.takes(place, head(), from(address(i))) ? 1 : 0][split.group(place, from(address(i)))]++;
        }

        for (int[] side : counts) {
            double expected = IntStream.of(side).sum() / (double) Split.GROUPS;
            double statistic = IntStream.of(side)
                    .mapToDouble(count -> (count - expected) * (count - expected) / expected)
                    .sum();
            assertThat(statistic).as("chi-square, 15 degrees of freedom").isLessThan(37.7);
        }
    }

    @Test
    void aValueStaysInItsGroupWhateverTheShareIs() {
        for (int i = 0; i < 100; i++) {
            long place = split(0.01, 3, TENANT).place(head("x-tenant", "t" + i), from("192.0.2.1"), random);
            assertThat(split(0.5, 3, TENANT).place(head("x-tenant", "t" + i), from("192.0.2.2"), random))
                    .isEqualTo(place);
        }
    }

    private int part(Split split, String value, String address) {
        Ingress client = from(address);
        long place = split.place(head("x-tenant", value), client, random);
        return split.group(place, client) / (Split.GROUPS / Split.PARTS);
    }

    /** A client that invents values must not look like many. */
    @Test
    void allValuesOfOneAddressAreInOnePartOfTheGroups() {
        Split split = split(0.5, 3, TENANT);
        for (int k = 0; k < 20; k++) {
            String address = address(k);
            int first = part(split, "first", address);
            for (int i = 0; i < 50; i++) {
                assertThat(part(split, "t" + i, address)).isEqualTo(first);
            }
        }
    }
}
