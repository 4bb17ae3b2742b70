import dev.lychgate.filter.EndpointFilter
import dev.lychgate.filter.FilterExchange
import dev.lychgate.filter.FilterOutcome
import dev.lychgate.filter.SyncFilter
import java.time.Clock
import java.time.Duration
import java.time.Instant

/**
 * Answers in place of the upstream while it is being worked on. Put the times here, and save: the gateway takes the file
 * over while it runs, and forgets it after that time by itself.
 */
class Maintenance implements EndpointFilter, SyncFilter {
    private static final String PAGE = '''\
<!doctype html>
<html lang="en"><title>Back soon</title>
<h1>Back soon</h1>
<p>We are working on it, and will be back at %s.</p>
</html>
'''

    private final Instant from
    private final Instant until
    private final Clock clock

    Maintenance() {
        this(Instant.parse('2026-11-01T02:00:00Z'), Instant.parse('2026-11-01T04:00:00Z'), Clock.systemUTC())
    }

    Maintenance(Instant from, Instant until, Clock clock) {
        this.from = from
        this.until = until
        this.clock = clock
    }

    @Override
    boolean applies(FilterExchange exchange) {
        Instant now = clock.instant()
        // Whoever watches over the gateway gets a straight answer.
        !now.isBefore(from) && now.isBefore(until) && exchange.request.path != '/health'
    }

    @Override
    FilterOutcome filter(FilterExchange exchange) {
        long left = Math.max(1L, Duration.between(clock.instant(), until).toSeconds())
        exchange.respond(503)
                .html(String.format(PAGE, until))
                .header('retry-after', Long.toString(left))
                .header('cache-control', 'no-store')
    }
}
