package dev.lychgate.authorization;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.InvalidProtocolBufferException;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The decoding of responses by a gRPC service. */
class CheckResponseTest {
    /** ok_response { headers { header { key: "x-a", value: "1" }, append { value: true } }, headers_to_remove: "b" } */
    private static final byte[] ALLOWED = {
        0x1a, 21, 0x12, 14, 0x0a, 8, 0x0a, 3, 'x', '-', 'a', 0x12, 1, '1', 0x12, 2, 0x08, 1, 0x2a, 3, 'b', '-', 'c'
    };

    @Test
    void readsAFieldWithItsOptions() throws Exception {
        CheckResponse response = CheckResponse.parse(ALLOWED);
        assertThat(response.code()).isZero();
        assertThat(response.fields()).containsExactly(new CheckResponse.Field("x-a", "1", true));
        assertThat(response.removed()).containsExactly("b-c");
    }

    @Test
    void anEmptyMessageAdmits() throws Exception {
        assertThat(CheckResponse.parse(new byte[0]).code()).isZero();
    }

    @Test
    void skipsUnknownFieldsOfEachType() throws Exception {
        byte[] message = {0x78, 5, 0x79, 1, 2, 3, 4, 5, 6, 7, 8, 0x7a, 2, 1, 2, 0x7d, 1, 2, 3, 4, 0x0a, 2, 0x08, 7};
        assertThat(CheckResponse.parse(message).code()).isEqualTo(7);
    }

    @Test
    void refusesEveryTruncatedMessage() {
        for (int length = 1; length < ALLOWED.length; length++) {
            byte[] cut = Arrays.copyOf(ALLOWED, length);
            assertThatThrownBy(() -> CheckResponse.parse(cut))
                    .as("%d bytes", length)
                    .isInstanceOf(InvalidProtocolBufferException.class);
        }
    }

    @Test
    void readsOrRefusesAnyBytes() {
        Random random = new Random(1);
        int refused = 0;
        for (int i = 0; i < 100_000; i++) {
            byte[] bytes = random.nextBoolean() ? ALLOWED.clone() : new byte[random.nextInt(64)];
            if (bytes.length != ALLOWED.length) {
                random.nextBytes(bytes);
            } else {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
            }
            try {
                assertThat(CheckResponse.parse(bytes).body()).isNotNull();
            } catch (InvalidProtocolBufferException e) {
                refused++;
            }
        }
        assertThat(refused).isGreaterThan(10_000);
    }
}
