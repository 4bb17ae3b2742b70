import dev.lychgate.config.IpLiteral
import java.util.function.LongSupplier

// Limits the requests of each client address. The buckets of each set of settings are separate and in this process only;
// a new generation begins with full buckets.

settings {
    @Setting(about = 'requests that a client may send at once', min = 1, max = 100_000)
    int size = 20
    @Setting(about = 'the time in which an empty bucket becomes full', min = '100ms', max = '24h')
    Duration per = 10.s
    @Setting(about = 'client addresses that are counted separately', min = 100, max = 10_000_000)
    int clients = 100_000
}

order(-250)

def buckets = new TokenBuckets(size, size * 1000d / per.toMillis(), clients, { System.nanoTime() } as LongSupplier)
def wait = Math.max(1L, per.toSeconds().intdiv(size))

filter { exchange ->
    if (!buckets.take(IpLiteral.text(exchange.clientAddress))) {
        return exchange.respond(429, 'not so fast').header('retry-after', wait.toString())
    }
}
