package dev.lychgate.fuzz;

import com.code_intelligence.jazzer.junit.FuzzTest;

/** The bytes of a client and the requests at an origin, see {@link RequestConversation}. */
class RequestFuzzTest {
    @FuzzTest
    void originGetsClearRequestsOnly(byte[] fuzzCase) {
        RequestConversation.hold(fuzzCase);
    }
}
