import dev.lychgate.error.ErrorKind
import java.util.concurrent.ThreadLocalRandom

// Tells clients when to come again if there is too much to do just now, each another time, so that they don't come back all
// at once.

def overload = EnumSet.of(
        ErrorKind.POOL_EXHAUSTED, ErrorKind.ACQUIRE_TIMEOUT, ErrorKind.NO_ENDPOINT, ErrorKind.DRAINING)

applies { exchange -> exchange.error != null && overload.contains(exchange.error.kind()) }

filter { exchange ->
    int seconds = ThreadLocalRandom.current().nextInt(2, 10)
    exchange.respond(503, 'too much to do; please come again')
            .header('retry-after', Integer.toString(seconds))
            .header('cache-control', 'no-store')
}
