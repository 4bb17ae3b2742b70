package dev.lychgate.filters.state;

import java.lang.Thread.UncaughtExceptionHandler;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import javax.management.InstanceNotFoundException;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/**
 * Objects of the whole process in which filters may leave objects of their classes: system properties, MBeans and the
 * default handler of uncaught exceptions.
 */
final class ProcessObjects {
    private ProcessObjects() {}

    /**
     * Returns descriptions of the objects that refer to a class of {@code loader}. Only the first elements of
     * collections are checked.
     */
    static List<String> holding(ClassLoader loader) {
        List<String> holding = new ArrayList<>();
        Properties properties = System.getProperties();
        properties.forEach((name, value) -> {
            if (OwnTypes.areOf(loader, value)) {
                holding.add("system property '" + name + "'");
            }
        });
        MBeanServer beans = ManagementFactory.getPlatformMBeanServer();
        for (ObjectName name : beans.queryNames(null, null)) {
            try {
                if (beans.getClassLoaderFor(name) == loader) {
                    holding.add("MBean " + name);
                }
            } catch (InstanceNotFoundException e) {
                // The bean was unregistered in the meantime.
            }
        }
        UncaughtExceptionHandler handler = Thread.getDefaultUncaughtExceptionHandler();
        if (OwnTypes.areOf(loader, handler)) {
            holding.add("the default handler of uncaught exceptions");
        }
        return holding;
    }
}
