package dev.lychgate.client;

import dev.lychgate.config.Cidr;
import dev.lychgate.config.EmbeddedIpv4;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * A set of address blocks, as sorted ranges without overlaps. Immutable. The time of a look-up grows with the logarithm
 * of the number of ranges. A look-up of an IPv4 address allocates nothing.
 *
 * <ul>
 *   <li>An IPv4-mapped IPv6 address ({@code ::ffff:192.0.2.1}) is treated as the IPv4 address that it contains.
 *   <li>The IPv6 address of an IPv4 host behind a translator ({@code 64:ff9b::192.0.2.1}) matches the blocks that
 *       contain this IPv6 address or the IPv4 address of the host.
 *   <li>An IPv4 address never matches a block of translated addresses. Otherwise, {@code 64:ff9b::/96} would contain
 *       all IPv4 addresses.
 * </ul>
 */
public final class AddressSet {
    /** The set without addresses. */
    public static final AddressSet EMPTY = new Builder().build();

    private static final int SECTORS = 1 << 16;

    /**
     * The first address of each IPv4 range; {@link #last4} contains the last addresses. The sign bit of each address is
     * flipped in both arrays, so that signed comparisons order the addresses.
     */
    private final int[] first4;

    private final int[] last4;
    /**
     * An index of the IPv4 ranges by the upper 16 bits of an address. Each element is the index of the first range that
     * ends at or after the first address with these bits.
     */
    private final int[] sectors;

    /**
     * The first address of each IPv6 range; {@link #last6} contains the last addresses. Both arrays store an address as
     * two numbers: its upper half and its lower half.
     */
    private final long[] first6;

    private final long[] last6;
    /**
     * An index of the IPv6 ranges. The span of the upper halves is divided into equal parts; each element is the index
     * of the first range that ends in that part or after it.
     */
    private final int[] parts6;
    /**
     * The number of bits by which the distance between an upper half and the first upper half is shifted right. The
     * result of the shift is an index of {@link #parts6}.
     */
    private final int shift6;

    private final int blocks;

    private AddressSet(int[] first4, int[] last4, long[] first6, long[] last6, int blocks) {
        this.first4 = first4;
        this.last4 = last4;
        this.sectors = first4.length < SECTORS / 16 ? new int[0] : sectors(last4);
        this.first6 = first6;
        this.last6 = last6;
        int ranges = last6.length / 2;
        long span = ranges == 0 ? 0 : last6[2 * ranges - 2] - first6[0];
        this.shift6 = Math.max(0, Long.SIZE - Long.numberOfLeadingZeros(span) - 16);
        this.parts6 = ranges < SECTORS / 16 ? new int[0] : parts(first6[0], last6, shift6);
        this.blocks = blocks;
    }

    private static int[] parts(long first, long[] last, int shift) {
        int[] parts = new int[SECTORS + 1];
        int range = 0;
        for (int part = 0; part < SECTORS; part++) {
            while (range < last.length / 2 && (last[2 * range] - first) >>> shift < part) {
                range++;
            }
            parts[part] = range;
        }
        parts[SECTORS] = last.length / 2;
        return parts;
    }

    private static int[] sectors(int[] last) {
        int[] sectors = new int[SECTORS + 1];
        int range = 0;
        for (int sector = 0; sector < SECTORS; sector++) {
            int begin = flip(sector << 16);
            while (range < last.length && last[range] < begin) {
                range++;
            }
            sectors[sector] = range;
        }
        sectors[SECTORS] = last.length;
        return sectors;
    }

    /** Returns the number of blocks that were added. A block that was added twice counts twice. */
    public int size() {
        return blocks;
    }

    /** Returns the number of bytes that the ranges occupy. */
    public long bytes() {
        return 4L * (first4.length + last4.length + sectors.length)
                + 4L * parts6.length
                + 8L * (first6.length + last6.length);
    }

    /** Returns whether a block contains {@code address}. */
    public boolean contains(InetAddress address) {
        if (address instanceof Inet4Address) {
            // The 32 bits of the address; reading the bytes would copy them.
            return contains4(address.hashCode());
        }
        ByteBuffer bytes = ByteBuffer.wrap(address.getAddress());
        long upper = bytes.getLong();
        long lower = bytes.getLong();
        return (EmbeddedIpv4.isIn(upper, lower) && contains4((int) lower)) || contains6(upper, lower);
    }

    private boolean contains4(int bits) {
        int key = flip(bits);
        int low = 0;
        int high = last4.length;
        if (sectors.length > 0) {
            int sector = bits >>> 16;
            low = sectors[sector];
            high = Math.min(high, sectors[sector + 1] + 1);
        }
        // The first range that ends at the address or after it.
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (last4[middle] < key) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low < last4.length && first4[low] <= key;
    }

    private boolean contains6(long upper, long lower) {
        long keyUpper = flip(upper);
        long keyLower = flip(lower);
        int low = 0;
        int high = last6.length / 2;
        if (parts6.length > 0) {
            long part = (keyUpper - first6[0]) >>> shift6;
            if (keyUpper < first6[0] || part >= SECTORS) {
                return false;
            }
            low = parts6[(int) part];
            // A range may end in a part that follows the part of the address.
            high = Math.min(high, parts6[(int) part + 1] + 1);
        }
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (isBelow(last6[2 * middle], last6[2 * middle + 1], keyUpper, keyLower)) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low < last6.length / 2 && !isBelow(keyUpper, keyLower, first6[2 * low], first6[2 * low + 1]);
    }

    private static boolean isBelow(long upper, long lower, long otherUpper, long otherLower) {
        return upper < otherUpper || (upper == otherUpper && lower < otherLower);
    }

    private static int flip(int bits) {
        return bits ^ Integer.MIN_VALUE;
    }

    private static long flip(long bits) {
        return bits ^ Long.MIN_VALUE;
    }

    /** Collects blocks. For one thread. */
    public static final class Builder {
        private static final int[] PREFIX4 = masks();

        /**
         * Each range as one number: the first address in the upper half and the last address in the lower half. Sorting
         * therefore orders ranges by the first address.
         */
        private long[] ranges4 = new long[16];

        private int count4;
        private Range6[] ranges6 = new Range6[16];
        private int count6;

        private record Range6(long upper, long lower, long lastUpper, long lastLower) implements Comparable<Range6> {
            @Override
            public int compareTo(Range6 other) {
                int byUpper = Long.compare(upper, other.upper);
                return byUpper == 0 ? Long.compare(lower, other.lower) : byUpper;
            }
        }

        private static int[] masks() {
            int[] masks = new int[33];
            for (int bits = 1; bits <= 32; bits++) {
                masks[bits] = -1 << (32 - bits);
            }
            return masks;
        }

        /** Adds a block. */
        public Builder add(Cidr block) {
            return add(block.network(), block.bits());
        }

        /**
         * Adds a block.
         *
         * @param network 4 or 16 bytes without bits beyond the prefix
         * @param bits the length of the prefix
         */
        Builder add(byte[] network, int bits) {
            ByteBuffer bytes = ByteBuffer.wrap(network);
            if (network.length == 4) {
                add4(bytes.getInt(), bits);
                return this;
            }
            long upper = bytes.getLong();
            long lower = bytes.getLong();
            if (bits >= 96 && upper == 0 && (lower >>> 32) == 0xffffL) {
                add4((int) lower, bits - 96);
            } else {
                long upperRest = bits >= 64 ? 0 : -1L >>> bits;
                long lowerRest = bits <= 64 ? -1L : bits == 128 ? 0 : -1L >>> (bits - 64);
                if (count6 == ranges6.length) {
                    ranges6 = Arrays.copyOf(ranges6, 2 * count6);
                }
                ranges6[count6++] =
                        new Range6(flip(upper), flip(lower), flip(upper | upperRest), flip(lower | lowerRest));
            }
            return this;
        }

        private void add4(int address, int bits) {
            if (count4 == ranges4.length) {
                ranges4 = Arrays.copyOf(ranges4, 2 * count4);
            }
            long last = flip(address | ~PREFIX4[bits]);
            ranges4[count4++] = (long) flip(address) << 32 | (last & 0xffffffffL);
        }

        /** Returns the approximate number of bytes that the blocks and the set occupy while the set is built. */
        long bytes() {
            return 40L * count4 + 130L * count6;
        }

        /** Returns the set of the blocks that were added. */
        public AddressSet build() {
            int[] first4 = new int[count4];
            int[] last4 = new int[count4];
            int distinct4 = merge4(first4, last4);
            long[] first6 = new long[2 * count6];
            long[] last6 = new long[2 * count6];
            int distinct6 = merge6(first6, last6);
            return new AddressSet(
                    Arrays.copyOf(first4, distinct4),
                    Arrays.copyOf(last4, distinct4),
                    Arrays.copyOf(first6, 2 * distinct6),
                    Arrays.copyOf(last6, 2 * distinct6),
                    count4 + count6);
        }

        private int merge4(int[] first, int[] last) {
            Arrays.sort(ranges4, 0, count4);
            int merged = 0;
            for (int i = 0; i < count4; i++) {
                int begin = (int) (ranges4[i] >> 32);
                int end = (int) ranges4[i];
                // Adjacent ranges are merged.
                if (merged > 0 && (begin <= last[merged - 1] || begin - 1 == last[merged - 1])) {
                    last[merged - 1] = Math.max(last[merged - 1], end);
                } else {
                    first[merged] = begin;
                    last[merged++] = end;
                }
            }
            return merged;
        }

        private int merge6(long[] first, long[] last) {
            Arrays.sort(ranges6, 0, count6);
            int merged = 0;
            for (int i = 0; i < count6; i++) {
                Range6 range = ranges6[i];
                int before = 2 * merged - 2;
                if (merged > 0 && !isBelow(last[before], last[before + 1], range.upper, range.lower)) {
                    if (isBelow(last[before], last[before + 1], range.lastUpper, range.lastLower)) {
                        last[before] = range.lastUpper;
                        last[before + 1] = range.lastLower;
                    }
                } else {
                    first[2 * merged] = range.upper;
                    first[2 * merged + 1] = range.lower;
                    last[2 * merged] = range.lastUpper;
                    last[2 * merged + 1] = range.lastLower;
                    merged++;
                }
            }
            return merged;
        }
    }
}
