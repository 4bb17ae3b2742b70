package dev.lychgate.http2;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.codec.DecoderLimits;
import dev.lychgate.testing.Http2Client;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Reads arbitrary bytes as frames: the only permitted failure is an {@link Http2Fault}, and every buffer is released.
 * {@code -Dlychgate.fuzz.seed=} repeats a run, {@code -Dlychgate.fuzz.cases=} makes it longer.
 */
@Tag("slow")
class FrameReaderTest {
    private static final long SEED = Long.getLong("lychgate.fuzz.seed", System.nanoTime());
    private static final int CASES = Integer.getInteger("lychgate.fuzz.cases", 4_000);

    /** Releases its input, and records its events. */
    private static final class Told implements FrameSink {
        private final StringBuilder told = new StringBuilder();

        private void tell(String what) {
            told.append(what).append('\n');
        }

        @Override
        public void onData(int stream, ByteBuf data, int flowControlled, boolean end) {
            tell("data " + stream + " " + data.readableBytes() + " of " + flowControlled + " " + end);
            data.release();
        }

        @Override
        public void onHeaders(int stream, HeaderFields fields, boolean end) {
            tell("headers " + stream + " " + fields.size() + " " + fields.malformed() + " " + end);
        }

        @Override
        public void onReset(int stream, long code) {
            tell("reset " + stream + " " + code);
        }

        @Override
        public void onSetting(int id, long value) {
            tell("setting " + id + " " + value);
        }

        @Override
        public void onSettingsEnd() {
            tell("settings");
        }

        @Override
        public void onSettingsAck() {
            tell("ack");
        }

        @Override
        public void onPing(long data, boolean ack) {
            tell("ping " + data + " " + ack);
        }

        @Override
        public void onGoAway(int lastStream, Http2Error error) {
            tell("goaway " + lastStream + " " + error);
        }

        @Override
        public void onWindowUpdate(int stream, int increment) {
            tell("window " + stream + " " + increment);
        }

        @Override
        public void onIgnored() {
            tell("ignored");
        }

        @Override
        public void onStreamFault(Http2Fault fault) {
            tell("fault " + fault.stream() + " " + fault.error());
        }
    }

    /**
     * Reads {@code bytes} in chunks that end at {@code cuts}.
     *
     * @return all events, the last fault included
     */
    private static String read(byte[] bytes, SplittableRandom cuts) {
        Told told = new Told();
        FrameReader reader = new FrameReader(told, new DecoderLimits(8192, 16 * 1024, 20));
        ByteBuf in = Unpooled.directBuffer(bytes.length);
        try {
            for (int at = 0; at < bytes.length; ) {
                int next = Math.min(bytes.length, at + cuts.nextInt(1, 1 + cuts.nextInt(1, 4000)));
                in.writeBytes(bytes, at, next - at);
                at = next;
                reader.read(in, UnpooledByteBufAllocator.DEFAULT);
            }
        } catch (Http2Fault fault) {
            told.tell("end " + fault.error() + " " + fault.detail());
        } finally {
            reader.release();
            assertThat(in.refCnt()).as("no part of the input is retained").isEqualTo(1);
            in.release();
        }
        return told.told.toString();
    }

    private static void play(boolean frames) {
        for (int i = 0; i < CASES; i++) {
            long seed = SEED + i;
            byte[] bytes = frames ? almostFrames(new SplittableRandom(seed)) : noise(new SplittableRandom(seed));
            String once;
            try {
                once = read(bytes, new SplittableRandom(seed));
                String again = read(bytes, new SplittableRandom(~seed));
                assertThat(again).as("regardless of the chunks").isEqualTo(once);
            } catch (RuntimeException | AssertionError e) {
                throw new AssertionError("-Dlychgate.fuzz.seed=" + seed + ": " + e.getMessage(), e);
            }
        }
    }

    private static byte[] noise(SplittableRandom random) {
        byte[] noise = new byte[random.nextInt(200)];
        random.nextBytes(noise);
        byte[] settings = Http2Client.bytes(Http2Client.SETTINGS, 0, 0);
        byte[] all = Arrays.copyOf(settings, settings.length + noise.length);
        System.arraycopy(noise, 0, all, settings.length, noise.length);
        return all;
    }

    /** Some frames, most of them as they should be. */
    private static byte[] almostFrames(SplittableRandom random) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        all.writeBytes(Http2Client.bytes(Http2Client.SETTINGS, 0, 0, new byte[6 * random.nextInt(3)]));
        for (int n = random.nextInt(12); n > 0; n--) {
            int type = random.nextInt(11);
            int stream = random.nextInt(4) == 0 ? random.nextInt() : random.nextInt(6);
            all.writeBytes(Http2Client.bytes(type, random.nextInt(64), stream, payload(random, type)));
        }
        byte[] bytes = all.toByteArray();
        for (int n = random.nextInt(4); n > 0; n--) {
            bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
        }
        return random.nextInt(8) == 0 ? Arrays.copyOf(bytes, random.nextInt(bytes.length)) : bytes;
    }

    private static byte[] payload(SplittableRandom random, int type) {
        switch (type) {
            case Http2Client.HEADERS, Http2Client.CONTINUATION -> {
                byte[] block = Http2Client.block(":method", "GET", "x", "y", "Bad", "\r\n", "cookie", "a=b");
                return Arrays.copyOf(block, random.nextInt(4) == 0 ? random.nextInt(block.length) : block.length);
            }
            case Http2Client.PING, Http2Client.GOAWAY -> {
                return new byte[8];
            }
            case Http2Client.RST_STREAM, Http2Client.WINDOW_UPDATE -> {
                return Http2Client.number(random.nextInt(3));
            }
            case Http2Client.PRIORITY -> {
                return new byte[5];
            }
            default -> {
                byte[] any = new byte[random.nextInt(30)];
                random.nextBytes(any);
                return any;
            }
        }
    }

    @Test
    void noiseIsAFaultAndNothingElse() {
        play(false);
    }

    @Test
    void almostFramesAreReadTheSameHoweverTheyAreCut() {
        play(true);
    }

    @Test
    void oneByteAtATimeIsEnough() throws Exception {
        Told told = new Told();
        FrameReader reader = new FrameReader(told, new DecoderLimits(8192, 16 * 1024, 20));
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        all.writeBytes(Http2Client.bytes(Http2Client.SETTINGS, 0, 0));
        all.writeBytes(Http2Client.bytes(Http2Client.HEADERS, 0, 1, Http2Client.block(":method", "GET")));
        all.writeBytes(Http2Client.bytes(Http2Client.CONTINUATION, 4, 1, Http2Client.block("x", "y")));
        all.writeBytes(Http2Client.bytes(Http2Client.DATA, 9, 1, (byte) 2, (byte) 'a', (byte) 0, (byte) 0));
        ByteBuf in = Unpooled.buffer();
        for (byte b : all.toByteArray()) {
            in.writeByte(b);
            reader.read(in, UnpooledByteBufAllocator.DEFAULT);
        }
        assertThat(told.told.toString()).isEqualTo("settings\nheaders 1 1 null false\ndata 1 1 of 4 true\n");
        assertThat(reader.messages()).isEqualTo(3);
        reader.release();
        in.release();
    }
}
