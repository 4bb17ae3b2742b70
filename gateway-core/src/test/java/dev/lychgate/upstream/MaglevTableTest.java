package dev.lychgate.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class MaglevTableTest {
    private static long[] slots(Fleet fleet) {
        long[] slots = new long[fleet.upstream().endpoints().size()];
        for (int owner : owners(fleet)) {
            slots[owner]++;
        }
        return slots;
    }

    /** The owner of each slot, by the number of the endpoint. */
    private static int[] owners(Fleet fleet) {
        EndpointSet set = fleet.set();
        MaglevTable table = MaglevTable.of(set);
        int[] owners = new int[MaglevTable.SLOTS];
        for (int slot = 0; slot < owners.length; slot++) {
            owners[slot] = fleet.numberOf(set.endpoint(table.owner(slot)));
        }
        return owners;
    }

    @Test
    void itsSizeIsAnOddPrime() {
        assertThat(BigInteger.valueOf(MaglevTable.SLOTS).isProbablePrime(50)).isTrue();
    }

    @Test
    void equalEndpointsHaveTheSameNumberOfSlotsButForOne() {
        for (long slots : slots(Fleet.of(100))) {
            assertThat(slots).isBetween(163L, 164L);
        }
    }

    @Test
    void slotsGoByWeight() {
        long[] slots = slots(Fleet.weights(5, 3, 2));
        assertThat(slots[0]).isBetween(8185L, 8195L);
        assertThat(slots[1]).isBetween(4910L, 4918L);
        assertThat(slots[2]).isBetween(3272L, 3280L);
    }

    @Test
    void aTinyWeightHasItsSlotsToo() {
        assertThat(slots(Fleet.weights(1000, 1))[1]).isBetween(15L, 18L);
    }

    @Test
    void acceptsMoreEndpointsThanSlots() {
        MaglevTable table = MaglevTable.of(Fleet.of(MaglevTable.SLOTS + 10).set());
        assertThat(IntStream.range(0, MaglevTable.SLOTS).map(table::owner)).doesNotHaveDuplicates();
    }

    @Test
    void fewKeysMoveUnnecessarily() throws Exception {
        PageTable table = new PageTable(
                "| Endpoints | Must move when an endpoint leaves, % | Move unnecessarily, % | Must move when an endpoint is added, % "
                        + "| Move unnecessarily, % |");
        for (int n : new int[] {3, 10, 30, 100}) {
            int[] all = owners(Fleet.of(n));
            int[] without = owners(Fleet.of(n).fail(n / 2));
            int[] more = owners(Fleet.of(n + 1));
            int bereft = 0;
            int left = 0;
            int taken = 0;
            int came = 0;
            for (int slot = 0; slot < all.length; slot++) {
                bereft += all[slot] == n / 2 ? 1 : 0;
                left += all[slot] != n / 2 && all[slot] != without[slot] ? 1 : 0;
                taken += more[slot] == n ? 1 : 0;
                came += more[slot] != n && all[slot] != more[slot] ? 1 : 0;
            }
            table.row(Integer.toString(n), percent(bereft), percent(left), percent(taken), percent(came));
            assertThat(percent(left)).isLessThan(5);
            assertThat(percent(came)).isLessThan(5);
        }
        table.assertOnPage();
    }

    private static double percent(int slots) {
        return 100.0 * slots / MaglevTable.SLOTS;
    }
}
