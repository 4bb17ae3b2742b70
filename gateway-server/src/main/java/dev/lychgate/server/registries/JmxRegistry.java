package dev.lychgate.server.registries;

import dev.lychgate.server.metrics.Family;
import dev.lychgate.server.metrics.Family.Sample;
import dev.lychgate.server.metrics.Figures;
import dev.lychgate.server.metrics.GatewayMetrics;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.management.InstanceAlreadyExistsException;
import javax.management.InstanceNotFoundException;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.MalformedObjectNameException;
import javax.management.ObjectName;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Exposes each series as an MBean of the platform's MBean server. The metrics thread updates the list of series four
 * times a minute, and when a client reads a value. A read may wait for an update, because values must be at most a
 * second old. Therefore, values must not be read on an event loop.
 *
 * <p>The MBean names of a second gateway in the same JVM contain {@code gateway=2}; a third gateway has
 * {@code gateway=3}.
 */
final class JmxRegistry implements GatewayMXBean, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(JmxRegistry.class);
    private static final long FRESH = Duration.ofSeconds(1).toNanos();
    private static final long LONGEST_WAIT_MILLIS = 3_000;
    private static final Duration BETWEEN_MARKS = Duration.ofSeconds(15);
    private static final int MARKS_A_MINUTE = 4;
    /**
     * The delay after which the platform's MBean server is created. Creating the server at once would take about a
     * twentieth of the startup time.
     */
    private static final Duration AFTER_THE_START = Duration.ofSeconds(1);

    private final GatewayMetrics metrics;
    private final Map<Series, Shown> shown = new HashMap<>();
    private @Nullable MBeanServer server;
    private volatile BeanNames names = new BeanNames(null);
    private @Nullable Future<?> next;
    private volatile int series;
    private volatile long takenAt;
    private volatile boolean taken;
    private boolean closed;

    private record Shown(ObjectName name, SeriesBean bean) {}

    private JmxRegistry(GatewayMetrics metrics) {
        this.metrics = metrics;
    }

    /** Starts to expose {@code metrics} a second after this call, until the registry is closed. */
    static JmxRegistry start(GatewayMetrics metrics) {
        JmxRegistry registry = new JmxRegistry(metrics);
        registry.begin();
        return registry;
    }

    private synchronized void begin() {
        next = metrics.later(AFTER_THE_START, this::open);
    }

    private synchronized void open() {
        if (closed) {
            return;
        }
        MBeanServer platform = ManagementFactory.getPlatformMBeanServer();
        try {
            register(platform);
        } catch (JMException e) {
            LOG.warn("JMX: the MBeans can't be registered, so JMX exposes no metrics", e);
            return;
        }
        server = platform;
        next = metrics.every(BETWEEN_MARKS, figures -> show(figures, true));
        metrics.take(figures -> show(figures, false));
    }

    /**
     * Registers this MBean under the first free name, so that even gateways of different class loaders have different
     * names.
     */
    private void register(MBeanServer platform) throws JMException {
        for (int number = 2; ; number++) {
            try {
                platform.registerMBean(this, names.gateway());
                return;
            } catch (InstanceAlreadyExistsException another) {
                names = new BeanNames(Integer.toString(number));
            }
        }
    }

    private void refresh() {
        if (taken && System.nanoTime() - takenAt < FRESH) {
            return;
        }
        try {
            metrics.take(figures -> show(figures, false)).get(LONGEST_WAIT_MILLIS, TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException | RejectedExecutionException e) {
            // The previous values stay exposed.
            LOG.debug("JMX: the values of the MBeans can't be updated, so they show earlier values", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized void show(Figures figures, boolean mark) {
        MBeanServer platform = server;
        if (closed || platform == null) {
            return;
        }
        Set<Series> gone = new HashSet<>(shown.keySet());
        for (Family family : figures.families()) {
            for (Sample sample : family.samples()) {
                Series which = Series.of(family, sample);
                gone.remove(which);
                Shown known = shown.get(which);
                if (known == null) {
                    add(platform, which, new SeriesBean(family, sample, this::refresh, MARKS_A_MINUTE));
                } else {
                    known.bean().show(family, sample);
                    if (mark) {
                        known.bean().mark(sample);
                    }
                }
            }
        }
        gone.forEach(which -> remove(platform, which));
        series = shown.size();
        takenAt = System.nanoTime();
        taken = true;
    }

    private void add(MBeanServer platform, Series which, SeriesBean bean) {
        ObjectName name = names.of(which);
        try {
            platform.registerMBean(bean, name);
            shown.put(which, new Shown(name, bean));
        } catch (JMException e) {
            LOG.debug("MBean {} can't be registered", name, e);
        }
    }

    private void remove(MBeanServer platform, Series which) {
        Shown known = shown.remove(which);
        if (known != null) {
            unregister(platform, known.name());
        }
    }

    private static void unregister(MBeanServer platform, ObjectName name) {
        try {
            platform.unregisterMBean(name);
        } catch (InstanceNotFoundException gone) {
            // The MBean was already unregistered.
        } catch (JMException e) {
            LOG.debug("MBean {} can't be unregistered", name, e);
        }
    }

    @Override
    public int getSeries() {
        refresh();
        return series;
    }

    @Override
    public long getAgeMillis() {
        return taken ? TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - takenAt) : -1;
    }

    /** Unregisters all MBeans of this registry. */
    @Override
    public synchronized void close() {
        closed = true;
        if (next != null) {
            next.cancel(false);
        }
        MBeanServer platform = server;
        if (platform != null) {
            shown.values().forEach(known -> unregister(platform, known.name()));
            shown.clear();
            unregister(platform, names.gateway());
        }
    }

    /** The names of MBeans. The metric comes first, then its labels, so that JConsole shows the names as a tree. */
    private static final class BeanNames {
        private static final String DOMAIN = "dev.lychgate";

        /** Labels that identify the subject of a metric. In a name, they precede all other labels. */
        private static final List<String> FIRST =
                List.of("listener", "route", "upstream", "endpoint", "phase", "filter");

        private final @Nullable String gateway;

        /** @param gateway the number of the gateway among the gateways of this JVM; null for the first gateway */
        BeanNames(@Nullable String gateway) {
            this.gateway = gateway;
        }

        ObjectName gateway() {
            return of("gateway", Map.of());
        }

        ObjectName of(Series series) {
            return of(series.name(), series.labels());
        }

        private ObjectName of(String type, Map<String, String> labels) {
            StringBuilder name = new StringBuilder(DOMAIN).append(":type=").append(type);
            if (gateway != null) {
                name.append(",gateway=").append(gateway);
            }
            Map<String, String> further = new LinkedHashMap<>(labels);
            for (String label : FIRST) {
                String value = further.remove(label);
                if (value != null) {
                    append(name, label, value);
                }
            }
            further.forEach((label, value) -> append(name, label, value));
            try {
                return new ObjectName(name.toString());
            } catch (MalformedObjectNameException e) {
                throw new IllegalStateException("not a name: " + name, e);
            }
        }

        private static void append(StringBuilder name, String label, String value) {
            boolean taken = label.equals("type") || label.equals("gateway");
            name.append(taken ? ",label_" : ",")
                    .append(label)
                    .append('=')
                    .append(plain(value) ? value : ObjectName.quote(value));
        }

        private static boolean plain(String value) {
            return !value.isEmpty() && value.chars().noneMatch(c -> c < 0x20 || ",=:\"*?".indexOf(c) >= 0);
        }
    }
}
