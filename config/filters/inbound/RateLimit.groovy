import dev.lychgate.config.IpLiteral
import java.util.concurrent.ConcurrentHashMap
import java.util.function.LongSupplier

// Limits the requests of each client address. Each set of settings has its own buckets in each gateway process. The buckets survive
// reloads; changed settings begin with full buckets.

settings {
    @Setting(about = 'requests that a client may send at once', min = 1, max = 100_000)
    int size = 20
    @Setting(about = 'the time in which an empty bucket becomes full', min = '100ms', max = '24h')
    Duration per = 10.s
    @Setting(about = 'client addresses that are counted separately', min = 100, max = 10_000_000)
    int clients = 100_000
}

order(-250)

def fullAt = shared("$size per $per, $clients clients") { new ConcurrentHashMap<String, Long>() }
def buckets = new TokenBuckets(fullAt, size, size * 1000d / per.toMillis(), clients, { System.nanoTime() } as LongSupplier)

filter { exchange ->
    String client = IpLiteral.text(exchange.clientAddress)
    if (!buckets.take(client)) {
        return exchange.respond(429, 'too many requests').header('retry-after', Long.toString(Math.max(1L, buckets.delay(client))))
    }
}
