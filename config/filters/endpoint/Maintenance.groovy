import dev.lychgate.filter.EndpointFilter
import dev.lychgate.filter.FilterExchange
import dev.lychgate.filter.FilterOutcome
import dev.lychgate.filter.Setting
import dev.lychgate.filter.SyncFilter
import java.time.Duration
import java.time.Instant

/**
 * Responds in place of the upstream during planned maintenance. Set the times in the configuration and save the file: the gateway applies
 * the change while it runs, and the filter stops by itself at the end of the maintenance.
 */
class Maintenance implements EndpointFilter, SyncFilter {
    record Settings(
            @Setting(about = 'the beginning, in UTC, such as 2026-11-01T02:00:00Z', defaultValue = '2026-11-01T02:00:00Z')
            String from,
            @Setting(about = 'the end, in UTC', defaultValue = '2026-11-01T04:00:00Z')
            String until,
            @Setting(about = 'paths that still reach the upstream, such as those of health checks', defaultValue = '/health', max = '100')
            List<String> except) {}

    private static final String PAGE = '''\
<!doctype html>
<html lang="en"><title>Back soon</title>
<h1>Back soon</h1>
<p>We are working on it, and will be back at %s.</p>
</html>
'''

    private final Instant from
    private final Instant until
    private final List<String> except

    Maintenance(Settings settings) {
        from = Instant.parse(settings.from())
        until = Instant.parse(settings.until())
        except = settings.except()
        if (!from.isBefore(until)) {
            throw new IllegalArgumentException("until: $until (expected: later than $from)")
        }
    }

    @Override
    boolean applies(FilterExchange exchange) {
        Instant now = Instant.now()
        !now.isBefore(from) && now.isBefore(until) && !(exchange.request.path in except)
    }

    @Override
    FilterOutcome filter(FilterExchange exchange) {
        long left = Math.max(1L, Duration.between(Instant.now(), until).toSeconds())
        exchange.respond(503)
                .html(String.format(PAGE, until))
                .header('retry-after', Long.toString(left))
                .header('cache-control', 'no-store')
    }
}
