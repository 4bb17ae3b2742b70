package com.example

import dev.lychgate.filters.testing.TestExchange
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Test

class QuotaTest {
    private val quota = Quota(Quota.Settings(20))

    private fun status(items: String): Int =
        TestExchange.get("/orders").header("x-items", items).origin(200).through(quota).use { it.status }

    @Test
    fun rejectsRequestsBeyondTheLimit() {
        assertEquals(200, status("20"))
        assertEquals(422, status("21"))
        assertEquals(400, status("many"))
    }
}
