import dev.lychgate.config.IpLiteral
import java.util.concurrent.ConcurrentHashMap
import java.util.function.LongSupplier
import java.util.function.ObjLongConsumer

// Limits the tokens of language models that each client uses. outbound/LlmUsage.groovy reads the usage when a response has ended, and this
// filter rejects further requests of a client that has used up its budget. A budget refills continuously and survives reloads. Each gateway
// process counts separately.

settings {
    @Setting(about = 'the tokens of a client, input and output', min = 1, max = 1_000_000_000)
    int tokens = 1_000_000
    @Setting(about = 'the time in which an empty budget becomes full', min = '1s', max = '744h')
    Duration per = 1.h
    @Setting(about = 'the header with the client, which another filter has set; the address of the client if empty')
    String client = ''
    @Setting(about = 'clients that are counted separately', min = 100, max = 10_000_000)
    int clients = 100_000
}

// Runs after the filters that authenticate the client.
order(0)

def levels = shared("$tokens tokens per $per, $clients clients") { new ConcurrentHashMap<String, Long>() }
def budgets = new TokenBuckets(levels, tokens, tokens * 1000d / per.toMillis(), clients, { System.nanoTime() } as LongSupplier)

filter { exchange ->
    String key = client.isEmpty() ? IpLiteral.text(exchange.clientAddress) : exchange.request.headers[client] ?: ''
    long wait = budgets.delay(key)
    if (wait > 0) {
        // The member "error" has the same form in error responses of OpenAI and of Anthropic.
        return exchange.respond(429)
                .json('{"type":"error","error":{"type":"rate_limit_error","message":"the budget of tokens is used up"}}')
                .header('retry-after', Long.toString(wait))
    }
    // If the report is complete, events is 0. Otherwise, the output counts as at least one token per event.
    exchange['llm.charge'] = { Map<String, Long> usage, long events ->
        long total = 0
        usage.values().each { total += it }
        budgets.charge(key, total + Math.max(0L, events - (usage['output'] ?: 0L)))
    } as ObjLongConsumer<Map<String, Long>>
}
