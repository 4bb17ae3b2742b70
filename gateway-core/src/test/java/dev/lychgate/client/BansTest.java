package dev.lychgate.client;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lychgate.config.ClientsConfig;
import dev.lychgate.config.IpLiteral;
import java.net.InetAddress;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BansTest {
    private static final ClientsConfig USUAL = ClientsConfig.DEFAULT;

    private static final Instant BEGIN = Instant.parse("2026-11-01T12:00:00Z");

    private Duration passed = Duration.ZERO;
    /** The adjustment of the wall clock. */
    private Duration step = Duration.ZERO;

    private final Bans bans =
            new Bans(() -> BEGIN.plus(passed).plus(step), () -> Long.MAX_VALUE - 1_000_000_000L + passed.toNanos());

    private static InetAddress address(String text) {
        return requireNonNull(IpLiteral.address(text));
    }

    private boolean ban(String address, Duration time) {
        return bans.add(address(address), USUAL, time, "scans", Ban.Source.FILTER, "guard");
    }

    private boolean isBanned(String address) {
        return bans.of(address(address)) != null;
    }

    @Test
    void aBanEndsAtItsTime() {
        assertThat(bans.isEmpty()).isTrue();
        assertThat(ban("192.0.2.1", Duration.ofMinutes(1))).isTrue();
        passed = Duration.ofSeconds(59);
        assertThat(isBanned("192.0.2.1")).isTrue();
        assertThat(isBanned("192.0.2.2")).isFalse();
        passed = Duration.ofSeconds(60);
        assertThat(isBanned("192.0.2.1")).isFalse();
        assertThat(bans.isEmpty()).isTrue();
    }

    @Test
    void aLongerBanStaysInForce() {
        ban("192.0.2.1", Duration.ofHours(1));
        ban("192.0.2.1", Duration.ofMinutes(1));
        passed = Duration.ofMinutes(59);
        assertThat(isBanned("192.0.2.1")).isTrue();
        ban("192.0.2.1", Duration.ofHours(2));
        passed = passed.plusMinutes(119);
        assertThat(isBanned("192.0.2.1")).isTrue();
        assertThat(bans.set(Ban.Source.FILTER)).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT48H", "PT-48H"})
    void anAdjustmentOfTheWallClockChangesOnlyTheShownEnd(Duration adjustment) {
        ban("192.0.2.1", Duration.ofMinutes(1));
        step = adjustment;
        passed = Duration.ofSeconds(59);
        assertThat(isBanned("192.0.2.1")).isTrue();
        assertThat(bans.all())
                .extracting(Ban::until)
                .containsExactly(BEGIN.plusSeconds(60).plus(adjustment));
        passed = Duration.ofSeconds(60);
        assertThat(isBanned("192.0.2.1")).isFalse();
        assertThat(bans.all()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "2001:db8::1, 2001:db8::ffff:1, true",
        "2001:db8::1, 2001:db8:0:1::1, false",
        "192.0.2.1, ::ffff:192.0.2.1, true",
        "192.0.2.1, 192.0.2.2, false",
        "192.0.2.1, 64:ff9b::192.0.2.1, true",
        "64:ff9b::c000:201, 192.0.2.1, true",
        "64:ff9b::192.0.2.1, 64:ff9b::192.0.2.2, false",
        "64:ff9b:1::192.0.2.1, 192.0.2.1, false",
    })
    void theNetworkOfAnIpv6AddressIsBanned(String banned, String other, boolean too) {
        ban(banned, Duration.ofMinutes(1));
        assertThat(isBanned(other)).isEqualTo(too);
    }

    @Test
    void anOperatorEndsABanOnce() {
        ban("192.0.2.1", Duration.ofMinutes(1));
        assertThat(bans.end(address("192.0.2.1"), "alice")).isNotNull();
        assertThat(isBanned("192.0.2.1")).isFalse();
        assertThat(bans.end(address("192.0.2.1"), "alice")).isNull();
    }

    /** A reload may change the part of an address that identifies a client. */
    @Test
    void bansOfEarlierPrefixLengthsStayInForceAndCanBeEnded() {
        ban("2001:db8:9::1", Duration.ofMinutes(1));
        ClientsConfig wider = new ClientsConfig(24, 48, 1024, 10);
        bans.add(address("2001:db8:9:1::1"), wider, Duration.ofMinutes(1), "scans", Ban.Source.FILTER, "guard");
        assertThat(isBanned("2001:db8:9::2")).isTrue();
        assertThat(isBanned("2001:db8:9:ffff::2")).isTrue();
        assertThat(bans.end(address("2001:db8:9::7"), "alice")).isNotNull();
        assertThat(bans.all()).isEmpty();
        assertThat(isBanned("2001:db8:9::2")).isFalse();
    }

    @Test
    void aPrintableReasonIsAlwaysAccepted() {
        assertThat(Bans.printable("asks\r\nfor " + "a".repeat(300)))
                .startsWith("asks  for aaa")
                .hasSize(200);
        assertThat(Bans.printable("\u001b")).isEqualTo("no reason");
    }

    @Test
    void noMoreClientsAreBannedThanPermitted() {
        ClientsConfig two = new ClientsConfig(32, 64, 1024, 2);
        for (int i = 1; i <= 3; i++) {
            boolean set =
                    bans.add(address("192.0.2." + i), two, Duration.ofMinutes(i), "scans", Ban.Source.ERRORS, "main");
            assertThat(set).isEqualTo(i < 3);
        }
        assertThat(bans.dropped()).isEqualTo(1);
        assertThat(bans.all()).hasSize(2);
        // Bans that have ended give their places to others.
        passed = Duration.ofSeconds(61);
        assertThat(bans.add(address("192.0.2.3"), two, Duration.ofMinutes(1), "scans", Ban.Source.ERRORS, "main"))
                .isTrue();
        assertThat(bans.all()).extracting(ban -> ban.client().toString()).containsExactly("192.0.2.3", "192.0.2.2");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "two\nlines", "a\u2028b", "\u001b[31m"})
    void aReasonIsOnePrintableLine(String reason) {
        assertThatThrownBy(() -> bans.add(
                        address("192.0.2.1"), USUAL, Duration.ofMinutes(1), reason, Ban.Source.FILTER, "guard"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("1 to 200 characters, no control characters");
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT0S", "PT-1S", "PT721H"})
    void theTimeIsMoreThanNothingAndAtMostThirtyDays(Duration time) {
        assertThatThrownBy(() -> ban("192.0.2.1", time))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("at most 30 days");
    }

    @Test
    void clientsAreShownAsAddressesOrNetworks() {
        ban("192.0.2.1", Duration.ofMinutes(1));
        ban("2001:db8::1", Duration.ofMinutes(2));
        assertThat(bans.all()).extracting(ban -> ban.client().toString()).containsExactly("2001:db8::/64", "192.0.2.1");
    }
}
