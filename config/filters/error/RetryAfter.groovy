import dev.lychgate.error.ErrorKind
import java.util.concurrent.ThreadLocalRandom

// Sends Retry-After if the gateway or an upstream is overloaded. The time is random, so that clients do not all return at the same time.

settings {
    @Setting(about = 'the errors that mean overload', min = 1)
    List<ErrorKind> errors = [ErrorKind.POOL_EXHAUSTED, ErrorKind.ACQUIRE_TIMEOUT, ErrorKind.NO_ENDPOINT, ErrorKind.DRAINING]
    @Setting(about = 'the shortest time', min = '1s', max = '1h')
    Duration least = 2.s
    @Setting(about = 'the longest time', min = '1s', max = '1h')
    Duration most = 9.s
    @Setting(about = 'the text of the response')
    String text = 'overloaded; please retry later'
}

if (most < least) {
    throw new IllegalArgumentException("most: ${most.toSeconds()}s (expected: at least ${least.toSeconds()}s)")
}

applies { exchange -> exchange.error != null && exchange.error.kind() in errors }

filter { exchange ->
    long seconds = ThreadLocalRandom.current().nextLong(least.toSeconds(), most.toSeconds() + 1)
    exchange.respond(503, text)
            .header('retry-after', Long.toString(seconds))
            .header('cache-control', 'no-store')
}
