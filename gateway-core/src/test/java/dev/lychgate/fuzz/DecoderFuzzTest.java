package dev.lychgate.fuzz;

import com.code_intelligence.jazzer.junit.FuzzTest;
import org.junit.jupiter.api.Tag;

/** Lychgate's reader and Netty's decoder with the same bytes, see {@link DecoderComparison}. */
@Tag("slow")
class DecoderFuzzTest {
    @FuzzTest
    void acceptsNothingOfAClientThatNettyRefuses(byte[] fuzzCase) {
        DecoderComparison.ofRequests(fuzzCase);
    }

    @FuzzTest
    void acceptsNothingOfAnOriginThatNettyRefuses(byte[] fuzzCase) {
        DecoderComparison.ofAnswers(fuzzCase);
    }
}
