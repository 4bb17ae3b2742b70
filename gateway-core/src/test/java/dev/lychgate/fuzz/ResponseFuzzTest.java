package dev.lychgate.fuzz;

import com.code_intelligence.jazzer.junit.FuzzTest;

/** The response of an origin and the response at a client, see {@link ResponseConversation}. */
class ResponseFuzzTest {
    @FuzzTest
    void clientGetsTheResponseOrACut(byte[] fuzzCase) {
        ResponseConversation.hold(fuzzCase);
    }
}
