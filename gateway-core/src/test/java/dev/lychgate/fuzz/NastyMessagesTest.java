package dev.lychgate.fuzz;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.function.Consumer;
import java.util.function.LongFunction;
import org.junit.jupiter.api.Test;

/**
 * Conversations that nobody has thought of before, other ones in every run. What fails says its seed; {@code
 * -Dlychgate.fuzz.seed=} repeats a run, {@code -Dlychgate.fuzz.cases=} makes it longer.
 */
class NastyMessagesTest {
    private static final long SEED = Long.getLong("lychgate.fuzz.seed", System.nanoTime());
    private static final int CASES = Integer.getInteger("lychgate.fuzz.cases", 4_000);

    @Test
    void originGetsClearRequestsOnly() {
        play(NastyMessages::requests, RequestConversation::hold);
    }

    @Test
    void clientGetsTheAnswerOrACut() {
        play(NastyMessages::answers, AnswerConversation::hold);
    }

    private static void play(LongFunction<byte[]> grammar, Consumer<byte[]> conversation) {
        for (int i = 0; i < CASES; i++) {
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
