package dev.lychgate.fuzz;

import com.code_intelligence.jazzer.junit.FuzzTest;

/** What our reader and Netty's decoder read of the same bytes, see {@link DecoderComparison}. */
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
