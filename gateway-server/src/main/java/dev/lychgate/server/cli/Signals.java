package dev.lychgate.server.cli;

import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Registers actions that run when the process receives a signal, in place of the JVM's default actions. */
public interface Signals {
    /**
     * Runs {@code action} on its own thread whenever the signal arrives. The call has no effect if the system lacks the
     * signal, or if the JVM reserves it ({@code -Xrs}). For SIGHUP, the call also has no effect if the process was
     * started to ignore this signal ({@code nohup}).
     *
     * @param name the name of the signal without SIG, such as {@code HUP}
     */
    void on(String name, Runnable action);

    /** Registers nothing, for a gateway that shares its process with other code. */
    Signals NONE = (name, action) -> {};

    Signals PROCESS = Signals::handle;

    /**
     * Registers an action by reflection. {@code sun.misc.Signal} is accessible, but javac warns of each use, and a JDK
     * may lack the class.
     */
    private static void handle(String name, Runnable action) {
        Logger log = LoggerFactory.getLogger(Signals.class);
        try {
            Class<?> signal = Class.forName("sun.misc.Signal");
            Class<?> handler = Class.forName("sun.misc.SignalHandler");
            Object proxy = Proxy.newProxyInstance(
                    handler.getClassLoader(),
                    new Class<?>[] {handler},
                    (self, method, arguments) -> call(self, method, arguments, action));
            signal.getMethod("handle", signal, handler)
                    .invoke(null, signal.getConstructor(String.class).newInstance(name), proxy);
        } catch (ReflectiveOperationException | LinkageError e) {
            log.debug("SIG{} can't be handled", name, e);
        }
    }

    private static @Nullable Object call(Object self, Method method, Object @Nullable [] arguments, Runnable action) {
        return switch (method.getName()) {
            case "handle" -> {
                action.run();
                yield null;
            }
            case "equals" -> arguments != null && self == arguments[0];
            case "hashCode" -> System.identityHashCode(self);
            default -> method.getName();
        };
    }
}
