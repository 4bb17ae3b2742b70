package dev.lychgate.server.recorder;

import dev.lychgate.server.logwriter.LogOutput;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs the complete record of each slow exchange in the application log, as one line of JSON. It logs at most ten
 * exchanges per second, and counts the rest.
 */
public final class SlowLog implements LogOutput<RecordedExchange> {
    private static final Logger LOG = LoggerFactory.getLogger("dev.lychgate.slow");
    private static final int MOST = 10;
    private static final long SECOND = Duration.ofSeconds(1).toNanos();

    private final BooleanSupplier enabled;
    private long since = System.nanoTime();
    private int told;
    private long untold;

    /** @param enabled returns whether slow exchanges are logged */
    public SlowLog(BooleanSupplier enabled) {
        this.enabled = enabled;
    }

    @Override
    public void write(RecordedExchange exchange) {
        if (exchange.reason() != Reason.SLOW || !enabled.getAsBoolean()) {
            return;
        }
        long now = System.nanoTime();
        if (now - since >= SECOND) {
            since = now;
            told = 0;
        }
        if (told < MOST) {
            told++;
            if (untold > 0) {
                LOG.warn("{} slow exchanges were not logged; the limit is {} per second", untold, MOST);
                untold = 0;
            }
            LOG.warn("{}", RecordedJson.line(exchange));
        } else {
            untold++;
        }
    }
}
