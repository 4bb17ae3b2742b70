package dev.lychgate.server.registries;

import dev.lychgate.server.metrics.Distribution;
import dev.lychgate.server.metrics.Family;
import dev.lychgate.server.metrics.Family.Sample;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import javax.management.Attribute;
import javax.management.AttributeList;
import javax.management.AttributeNotFoundException;
import javax.management.DynamicMBean;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanInfo;

/**
 * One series as an MBean. A counter has the attribute {@code Count}, and a gauge has the attribute {@code Value}. A
 * distribution has {@code Count}, {@code Sum}, {@code Mean}, and percentiles of the last minute. Any thread may read
 * the attributes; only the metrics thread sets them.
 */
final class SeriesBean implements DynamicMBean {

    private final MBeanInfo described;
    private final Runnable refresh;
    private final RecentCounts recent;
    private volatile Map<String, Number> values = Map.of();

    /**
     * @param refresh updates the values; called before each read
     * @param marks the number of marks per minute
     */
    SeriesBean(Family family, Sample first, Runnable refresh, int marks) {
        this.refresh = refresh;
        this.recent = new RecentCounts(marks);
        show(family, first);
        this.described = new MBeanInfo(
                SeriesBean.class.getName(),
                family.help(),
                values.entrySet().stream().map(SeriesBean::described).toArray(MBeanAttributeInfo[]::new),
                null,
                null,
                null);
    }

    private static MBeanAttributeInfo described(Map.Entry<String, Number> attribute) {
        String name = attribute.getKey();
        String text =
                name.startsWith("P") ? "The percentile of the last minute; NaN without values in that minute" : name;
        boolean whole = attribute.getValue() instanceof Long;
        return new MBeanAttributeInfo(name, whole ? "long" : "double", text, true, false, false);
    }

    void show(Family family, Sample sample) {
        Distribution distribution = sample.distribution();
        if (distribution != null) {
            values = of(distribution);
        } else if (family.kind() == Family.Kind.COUNTER) {
            // A counter may be fractional, for example a count of seconds.
            values = Map.of("Count", sample.value());
        } else {
            values = Map.of("Value", sample.value());
        }
    }

    private Map<String, Number> of(Distribution distribution) {
        Map<String, Number> all = new LinkedHashMap<>();
        all.put("Count", distribution.count());
        all.put("Sum", distribution.sum());
        all.put("Mean", distribution.mean());
        if (distribution.hasBuckets()) {
            recent.percentiles(distribution).forEach((name, value) -> all.put(name.toUpperCase(Locale.ROOT), value));
        }
        return all;
    }

    /**
     * Keeps the present state of a distribution as a mark. Percentiles are computed from the values since the oldest
     * mark, which is about a minute old.
     */
    void mark(Sample sample) {
        Distribution distribution = sample.distribution();
        if (distribution != null) {
            recent.mark(distribution);
        }
    }

    @Override
    public Object getAttribute(String attribute) throws AttributeNotFoundException {
        refresh.run();
        Number value = values.get(attribute);
        if (value == null) {
            throw new AttributeNotFoundException(attribute);
        }
        return value;
    }

    @Override
    public AttributeList getAttributes(String[] attributes) {
        refresh.run();
        Map<String, Number> now = values;
        AttributeList list = new AttributeList();
        for (String attribute : attributes) {
            Number value = now.get(attribute);
            if (value != null) {
                list.add(new Attribute(attribute, value));
            }
        }
        return list;
    }

    @Override
    public void setAttribute(Attribute attribute) throws AttributeNotFoundException {
        throw new AttributeNotFoundException(attribute.getName() + " can't be set");
    }

    @Override
    public AttributeList setAttributes(AttributeList attributes) {
        return new AttributeList();
    }

    @Override
    public Object invoke(String action, Object[] parameters, String[] signature) {
        throw new UnsupportedOperationException(action);
    }

    @Override
    public MBeanInfo getMBeanInfo() {
        return described;
    }
}
