package dev.lychgate.server.metrics;

import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** The single thread that collects, adds up and exports metrics. It ends after some seconds without work. */
final class MetricsThread extends ScheduledThreadPoolExecutor {
    private static final int IDLE_SECONDS = 5;

    MetricsThread() {
        super(1, task -> {
            Thread thread = new Thread(task, "lychgate-metrics");
            thread.setDaemon(true);
            return thread;
        });
        setKeepAliveTime(IDLE_SECONDS, TimeUnit.SECONDS);
        allowCoreThreadTimeOut(true);
        setRemoveOnCancelPolicy(true);
        setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }
}
