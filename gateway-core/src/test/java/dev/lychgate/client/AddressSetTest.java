package dev.lychgate.client;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.config.Cidr;
import dev.lychgate.config.IpLiteral;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AddressSetTest {
    private static AddressSet of(String... blocks) {
        AddressSet.Builder builder = new AddressSet.Builder();
        for (String block : blocks) {
            builder.add(Cidr.parse(block));
        }
        return builder.build();
    }

    private static InetAddress address(String text) {
        return requireNonNull(IpLiteral.address(text));
    }

    @ParameterizedTest
    @CsvSource({
        "10.0.0.0/8, 9.255.255.255, 10.0.0.0, 10.255.255.255, 11.0.0.0",
        "192.0.2.7, 192.0.2.6, 192.0.2.7, 192.0.2.7, 192.0.2.8",
        "128.0.0.0/1, 127.255.255.255, 128.0.0.0, 255.255.255.255, 0.0.0.0",
        "2001:db8::/32, 2001:db7:ffff:ffff:ffff:ffff:ffff:ffff, 2001:db8::, 2001:db8:ffff:ffff:ffff:ffff:ffff:ffff, 2001:db9::",
        "2001:db8::7, 2001:db8::6, 2001:db8::7, 2001:db8::7, 2001:db8::8",
        "8000::/1, 7fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff, 8000::, ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff, ::",
    })
    void aBlockHasItsFirstAndItsLastAddress(String block, String before, String first, String last, String after) {
        AddressSet set = of(block);
        assertThat(set.contains(address(before))).isFalse();
        assertThat(set.contains(address(first))).isTrue();
        assertThat(set.contains(address(last))).isTrue();
        assertThat(set.contains(address(after))).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"0.0.0.0/0", "::/0"})
    void theWholeFamilyCanBeABlock(String block) {
        AddressSet set = of(block);
        boolean isIpv4 = block.startsWith("0");
        assertThat(set.contains(address("255.255.255.255"))).isEqualTo(isIpv4);
        assertThat(set.contains(address("0.0.0.0"))).isEqualTo(isIpv4);
        assertThat(set.contains(address("2001:db8::1"))).isNotEqualTo(isIpv4);
    }

    @Test
    void aMappedBlockIsABlockOfIpv4() {
        AddressSet set = of("::ffff:192.0.2.0/120");
        assertThat(set.contains(address("192.0.2.200"))).isTrue();
        assertThat(set.contains(address("192.0.3.0"))).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "::ffff:10.0.0.0/104, 10.255.0.1, 11.0.0.1",
        "::ffff:a00:0/104, 10.255.0.1, 11.0.0.1",
        "0:0:0:0:0:ffff:192.0.2.7, 192.0.2.7, 192.0.2.8",
        "::ffff:0:0/96, 203.0.113.1, 2001:db8::1",
        "10.0.0.0/8, ::ffff:10.1.2.3, ::ffff:11.1.2.3",
        "10.0.0.0/8, 64:ff9b::10.1.2.3, 64:ff9b::11.1.2.3",
        "192.0.2.0/24, 64:ff9b::c000:207, 64:ff9b::c000:307",
        "64:ff9b::192.0.2.0/120, 64:ff9b::c000:207, 64:ff9b::c000:307",
        "64:ff9b::/96, 64:ff9b::192.0.2.7, 192.0.2.7",
    })
    void anIpv6AddressThatContainsAnIpv4AddressIsThatClient(String block, String inside, String outside) {
        AddressSet set = of(block);
        assertThat(set.contains(address(inside))).isTrue();
        assertThat(set.contains(address(outside))).isFalse();
    }

    @Test
    void anEmptySetHasNoAddress() {
        assertThat(AddressSet.EMPTY.contains(address("192.0.2.1"))).isFalse();
        assertThat(AddressSet.EMPTY.contains(address("::1"))).isFalse();
        assertThat(AddressSet.EMPTY.size()).isZero();
    }

    @Test
    void overlappingBlocksAreMergedAndCountedWithDuplicates() {
        AddressSet set = of("10.0.0.0/8", "10.1.0.0/16", "10.1.2.3", "11.0.0.0/8", "2001:db8::/32", "2001:db8:1::/48");
        assertThat(set.size()).isEqualTo(6);
        assertThat(set.contains(address("10.200.0.1"))).isTrue();
        assertThat(set.contains(address("11.255.0.1"))).isTrue();
        assertThat(set.contains(address("12.0.0.0"))).isFalse();
        assertThat(set.contains(address("2001:db8:2::1"))).isTrue();
        assertThat(set.bytes()).isLessThan(100);
    }

    /** Random blocks, few and many, in few networks, so that they overlap and touch; compared with a search of all blocks. */
    @ParameterizedTest
    @ValueSource(ints = {1, 30, 3_000, 20_000})
    void findsWhatASearchOfAllBlocksFinds(int blocks) throws Exception {
        SplittableRandom random = new SplittableRandom(blocks);
        List<Cidr> all = new ArrayList<>();
        AddressSet.Builder builder = new AddressSet.Builder();
        for (int i = 0; i < blocks; i++) {
            boolean isIpv4 = random.nextBoolean();
            int bits = isIpv4 ? 24 + random.nextInt(9) : 96 + random.nextInt(33);
            Cidr block = Cidr.parse(IpLiteral.text(masked(random(random, isIpv4), bits)) + "/" + bits);
            all.add(block);
            builder.add(block);
        }
        AddressSet set = builder.build();
        int found = 0;
        for (int i = 0; i < 2_000; i++) {
            InetAddress probe = i % 3 == 0
                    ? neighbour(all.get(random.nextInt(blocks)), random)
                    : random(random, random.nextBoolean());
            boolean expected = all.stream().anyMatch(block -> block.contains(probe));
            assertThat(set.contains(probe)).as("%s of %d blocks", probe, blocks).isEqualTo(expected);
            found += expected ? 1 : 0;
        }
        assertThat(found).isBetween(1, 1_999);
    }

    /** Returns an address of a few networks. */
    private static InetAddress random(SplittableRandom random, boolean isIpv4) throws Exception {
        if (isIpv4) {
            return InetAddress.getByAddress(ByteBuffer.allocate(4)
                    .putInt(0x7ffe0000 + random.nextInt(0x40000))
                    .array());
        }
        return InetAddress.getByAddress(ByteBuffer.allocate(16)
                .putLong(0x20010db800000000L | random.nextInt(4))
                .putLong(random.nextInt(3) == 0 ? random.nextInt(1000) : random.nextLong())
                .array());
    }

    private static InetAddress neighbour(Cidr block, SplittableRandom random) throws Exception {
        byte[] bytes = block.network();
        int last = bytes.length - 1;
        bytes[last] = (byte) (bytes[last] + random.nextInt(3) - 1);
        return InetAddress.getByAddress(bytes);
    }

    private static InetAddress masked(InetAddress address, int bits) throws Exception {
        byte[] bytes = address.getAddress();
        for (int bit = bits; bit < bytes.length * 8; bit++) {
            bytes[bit >> 3] &= (byte) ~(0x80 >> (bit & 7));
        }
        return InetAddress.getByAddress(bytes);
    }
}
