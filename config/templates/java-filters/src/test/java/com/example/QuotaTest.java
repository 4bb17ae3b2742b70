package com.example;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.lychgate.filters.testing.TestExchange;
import dev.lychgate.filters.testing.TestResult;
import org.junit.jupiter.api.Test;

class QuotaTest {
    private final Quota quota = new Quota(new Quota.Settings(20));

    private int status(String items) {
        try (TestResult result =
                TestExchange.get("/orders").header("x-items", items).origin(200).through(quota)) {
            return result.getStatus();
        }
    }

    @Test
    void rejectsRequestsBeyondTheLimit() {
        assertEquals(200, status("20"));
        assertEquals(422, status("21"));
        assertEquals(400, status("many"));
    }
}
