package dev.lychgate.filters.groovy;

import java.beans.Introspector;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.codehaus.groovy.runtime.InvokerHelper;

/**
 * Loads the classes of many filters on a second thread, beginning with the last filter. At the same time, the build
 * creates the filters, beginning with the first filter. No code of the filters runs on the second thread, because
 * loading does not initialize classes.
 */
final class EarlyLoading {
    /** The minimum number of filters. With fewer filters, a second thread costs more time than it saves. */
    private static final int MANY = 50;

    private final List<Early> classes = new ArrayList<>();
    private final Thread thread;
    private volatile boolean ended;

    private record Early(String name, FilterClassLoader loader) {}

    private EarlyLoading(List<FilterClassLoader> loaders) {
        for (FilterClassLoader loader : loaders) {
            for (FilterDeclarations.Declared filter : loader.code().filters()) {
                classes.add(new Early(filter.className(), loader));
                int closure = 1;
                for (String name = closure(filter, closure);
                        loader.code().byteCode().containsKey(name);
                        name = closure(filter, closure)) {
                    classes.add(new Early(name, loader));
                    closure++;
                }
            }
        }
        Collections.reverse(classes);
        // The second thread does not belong to the thread group of the build, because threads of this group count as
        // started by filters.
        ThreadGroup group = Thread.currentThread().getThreadGroup().getParent();
        thread = new Thread(group, this::load, "lychgate-filter-load");
        thread.setDaemon(true);
    }

    private static String closure(FilterDeclarations.Declared filter, int number) {
        return filter.className() + "$_run_closure" + number;
    }

    /** Begins to load the classes if there are many classes and the machine has a second processor. */
    static EarlyLoading of(List<FilterClassLoader> loaders) {
        EarlyLoading loading = new EarlyLoading(loaders);
        if (loading.classes.size() > MANY && Runtime.getRuntime().availableProcessors() > 1) {
            loading.thread.start();
        }
        return loading;
    }

    private void load() {
        for (Early each : classes) {
            if (ended) {
                break;
            }
            try {
                InvokerHelper.getMetaClass(Class.forName(each.name, false, each.loader));
            } catch (ClassNotFoundException | RuntimeException | LinkageError e) {
                // The build reports the same failure.
            }
        }
        // Flushes the cache of this thread's group, as BuildThread does.
        Introspector.flushCaches();
    }

    /** Ends the loading as soon as the current class is loaded, and waits until then. */
    void end() {
        ended = true;
        BuildThread.join(thread);
    }
}
