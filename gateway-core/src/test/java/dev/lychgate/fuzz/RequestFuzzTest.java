package dev.lychgate.fuzz;

import com.code_intelligence.jazzer.junit.FuzzTest;

/** What a client sends and what an origin gets, see {@link RequestConversation}. */
class RequestFuzzTest {
    @FuzzTest
    void originGetsClearRequestsOnly(byte[] fuzzCase) {
        RequestConversation.hold(fuzzCase);
    }
}
