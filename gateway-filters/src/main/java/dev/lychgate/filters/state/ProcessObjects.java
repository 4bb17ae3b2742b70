package dev.lychgate.filters.state;

import java.lang.Thread.UncaughtExceptionHandler;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import javax.management.InstanceNotFoundException;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/**
 * Finds objects of filters in places that exist one time per process: MBeans and the default handler of uncaught
 * exceptions.
 */
final class ProcessObjects {
    private ProcessObjects() {}

    /**
     * Describes the places that refer to a class of {@code loader}. In a collection, only the first elements are
     * checked.
     */
    static List<String> holding(ClassLoader loader) {
        List<String> holding = new ArrayList<>();
        MBeanServer beans = ManagementFactory.getPlatformMBeanServer();
        for (ObjectName name : beans.queryNames(null, null)) {
            try {
                if (beans.getClassLoaderFor(name) == loader) {
                    holding.add("MBean " + name);
                }
            } catch (InstanceNotFoundException e) {
                // The MBean was unregistered after the list was read.
            }
        }
        UncaughtExceptionHandler handler = Thread.getDefaultUncaughtExceptionHandler();
        if (OwnTypes.areOf(loader, handler)) {
            holding.add("the default handler of uncaught exceptions");
        }
        return holding;
    }
}
