package dev.lychgate.fuzz;

import com.code_intelligence.jazzer.junit.FuzzTest;

/** The response of an origin and the response at a client, see {@link AnswerConversation}. */
class AnswerFuzzTest {
    @FuzzTest
    void clientGetsTheAnswerOrACut(byte[] fuzzCase) {
        AnswerConversation.hold(fuzzCase);
    }
}
