package dev.lychgate.fuzz;

import com.code_intelligence.jazzer.junit.FuzzTest;

/** What an origin answers and what a client gets, see {@link AnswerConversation}. */
class AnswerFuzzTest {
    @FuzzTest
    void clientGetsTheAnswerOrACut(byte[] fuzzCase) {
        AnswerConversation.hold(fuzzCase);
    }
}
