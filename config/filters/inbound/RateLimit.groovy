import dev.lychgate.config.IpLiteral
import java.util.function.LongSupplier

// No client may ask more often than twice a second for long; 20 requests at once are nothing unusual. Counted in this
// process alone, and from the beginning when this file changes.

order(-250)

def buckets = new TokenBuckets(20, 2, 100_000, { System.nanoTime() } as LongSupplier)

filter { exchange ->
    if (!buckets.take(IpLiteral.text(exchange.clientAddress))) {
        return exchange.respond(429, 'not so fast').header('retry-after', '1')
    }
}
