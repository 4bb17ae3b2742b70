package com.example

import dev.lychgate.filter.FilterExchange
import dev.lychgate.filter.FilterOutcome
import dev.lychgate.filter.InboundFilter
import dev.lychgate.filter.Setting
import dev.lychgate.filter.SyncFilter

/** Rejects requests with too many items. One instance serves all requests, from several threads. */
class Quota(private val settings: Settings) : InboundFilter, SyncFilter {
    /** The settings, which the configuration passes when it lists the filter. */
    @JvmRecord
    data class Settings(
        @field:Setting(about = "the maximum number of items in a request", min = "1", max = "1000", defaultValue = ["100"])
        val limit: Int,
    )

    override fun applies(exchange: FilterExchange): Boolean = exchange.request.headers["x-items"] != null

    /** Runs on an event loop, so it must not block. */
    override fun filter(exchange: FilterExchange): FilterOutcome {
        val items = exchange.request.headers["x-items"]?.toIntOrNull()
        return when {
            items == null -> exchange.respond(400, "x-items is not a number")
            items > settings.limit -> exchange.respond(422, "at most ${settings.limit} items")
            else -> exchange.proceed()
        }
    }
}
