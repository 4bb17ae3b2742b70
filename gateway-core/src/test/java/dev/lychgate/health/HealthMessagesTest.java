package dev.lychgate.health;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lychgate.health.HealthMessages.MalformedMessageException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The two messages, byte by byte. */
class HealthMessagesTest {
    private static String request(String service) {
        ByteBuf out = HealthMessages.request(service, UnpooledByteBufAllocator.DEFAULT);
        try {
            return ByteBufUtil.hexDump(out);
        } finally {
            out.release();
        }
    }

    private static int status(String hex) throws MalformedMessageException {
        return HealthMessages.status(Unpooled.wrappedBuffer(ByteBufUtil.decodeHexDump(hex)));
    }

    @Test
    void aRequestNamesItsService() {
        assertThat(request("")).isEmpty();
        assertThat(request("a.B")).isEqualTo("0a03612e42");
        assertThat(request("\u00e4")).isEqualTo("0a02c3a4");
        assertThat(request("x".repeat(200))).startsWith("0ac801" + "7878").hasSize(2 * 203);
    }

    @ParameterizedTest
    @CsvSource({
        "'', 0", // only defaults
        "0801, 1",
        "0802, 2",
        "08020801, 1", // the last one counts
        "08ffffffffffffffffff01, -1", // negative ones have ten bytes
        "0881808000, 1", // longer than it needs to be
        "12026869 0801, 1", // unknown text
        "1001 0801, 1", // an unknown number
        "1d00000000 210000000000000000 0801, 1", // 32 and 64 bits
        "0a0161, 0", // field 1 of another type is unknown
    })
    void theStatusIsFoundAmongWhatIsNotKnown(String hex, int status) throws Exception {
        assertThat(status(hex.replace(" ", ""))).isEqualTo(status);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "08", // no value
                "0880", // half a value
                "08ffffffffffffffffffff01", // eleven bytes
                "0001", // field 0
                "120568", // longer than the message
                "12ffffffffffffffffff01", // a negative length
                "12ffffffff7f", // one beyond all buffers
                "0b0c", // a group
                "0f", // no such type
                "1d0000", // half of 32 bits
                "ffffffffffffffffff0108", // no such field
            })
    void refusesMalformedMessages(String hex) {
        assertThatThrownBy(() -> status(hex)).isInstanceOf(MalformedMessageException.class);
    }
}
