package dev.lychgate.fuzz;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.function.Consumer;
import java.util.function.LongFunction;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * New random conversations in every run. A failure reports its seed; {@code -Dlychgate.fuzz.seed=} repeats a run,
 * {@code -Dlychgate.fuzz.cases=} makes it longer.
 */
@Tag("slow")
class NastyMessagesTest {
    private static final long SEED = Long.getLong("lychgate.fuzz.seed", System.nanoTime());
    private static final int CASES = Integer.getInteger("lychgate.fuzz.cases", 4_000);

    @Test
    void originGetsUnambiguousRequestsOnly() {
        play(NastyMessages::requests, RequestConversation::hold);
    }

    @Test
    void clientGetsTheResponseOrAnAbort() {
        play(NastyMessages::answers, ResponseConversation::hold);
    }

    /** Reading is far quicker than a conversation: ten of these cost less than one of those. */
    @Test
    void acceptsNothingOfAClientThatNettyRefuses() {
        play(10, NastyMessages::requests, DecoderComparison::ofRequests);
    }

    @Test
    void acceptsNothingOfAnOriginThatNettyRefuses() {
        play(10, NastyMessages::answers, DecoderComparison::ofAnswers);
    }

    private static void play(LongFunction<byte[]> grammar, Consumer<byte[]> conversation) {
        play(1, grammar, conversation);
    }

    private static void play(int times, LongFunction<byte[]> grammar, Consumer<byte[]> conversation) {
        for (long i = 0; i < (long) CASES * times; i++) {
            byte[] fuzzCase = grammar.apply(SEED + i);
            try {
                conversation.accept(fuzzCase);
            } catch (RuntimeException | AssertionError e) {
                String text =
                        new String(fuzzCase, ISO_8859_1).replace("\r", "\\r").replace("\n", "\\n");
                throw new Finding(
                        "-Dlychgate.fuzz.seed=" + (SEED + i) + " found, with '" + text + "': " + e.getMessage(), e);
            }
        }
    }
}
