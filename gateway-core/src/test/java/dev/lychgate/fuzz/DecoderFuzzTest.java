package dev.lychgate.fuzz;

import com.code_intelligence.jazzer.junit.FuzzTest;

/** What both codecs hear of the same bytes, see {@link DecoderComparison}. */
class DecoderFuzzTest {
    @FuzzTest
    void bothCodecsHearTheSameOfAClient(byte[] fuzzCase) {
        DecoderComparison.ofRequests(fuzzCase);
    }

    @FuzzTest
    void bothCodecsHearTheSameOfAnOrigin(byte[] fuzzCase) {
        DecoderComparison.ofAnswers(fuzzCase);
    }
}
