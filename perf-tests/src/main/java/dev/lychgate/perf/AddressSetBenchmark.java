package dev.lychgate.perf;

import dev.lychgate.client.AddressSet;
import dev.lychgate.config.Cidr;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.Warmup;

/** The search for a random address in a list of addresses. The list contains about half of the addresses. */
@Warmup(iterations = 3, time = 1)
public class AddressSetBenchmark extends NanosecondBenchmark {
    private static final int PROBES = 1 << 12;

    @Param({"IPv4", "IPv6"})
    String family = "IPv4";

    @Param({"10000", "1000000"})
    int blocks = 10_000;

    private final InetAddress[] probes = new InetAddress[PROBES];
    private AddressSet set = AddressSet.EMPTY;
    private int next;

    @Setup
    public void build() throws Exception {
        SplittableRandom random = new SplittableRandom(1);
        AddressSet.Builder builder = new AddressSet.Builder();
        for (int i = 0; i < blocks; i++) {
            InetAddress address = random(random);
            builder.add(Cidr.parse(address.getHostAddress()));
            if (i < PROBES) {
                probes[i] = i % 2 == 0 ? address : random(random);
            }
        }
        set = builder.build();
    }

    /** Returns a random address. IPv6 addresses are in few networks, as in real lists. */
    private InetAddress random(SplittableRandom random) throws Exception {
        return InetAddress.getByAddress(
                family.equals("IPv4")
                        ? ByteBuffer.allocate(4).putInt(random.nextInt()).array()
                        : ByteBuffer.allocate(16)
                                .putLong(0x2a01_0000_0000_0000L | random.nextLong(1L << 40) << 8)
                                .putLong(random.nextLong())
                                .array());
    }

    @Benchmark
    public boolean contains() {
        return set.contains(probes[next++ & (PROBES - 1)]);
    }
}
