package dev.lychgate.config;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import org.jspecify.annotations.Nullable;

/**
 * Copies records with new values for some components. Uses reflection, which is too slow for the startup and for the
 * request path.
 */
final class Copy {
    private Copy() {}

    /**
     * Returns a copy of {@code record} in which some components have new values.
     *
     * @param changes names of components, each followed by its value
     */
    @SuppressWarnings("unchecked")
    static <R extends Record> R of(R record, @Nullable Object... changes) {
        RecordComponent[] components = record.getClass().getRecordComponents();
        Class<?>[] types = new Class<?>[components.length];
        @Nullable Object[] values = new Object[components.length];
        int changed = 0;
        try {
            for (int i = 0; i < values.length; i++) {
                types[i] = components[i].getType();
                values[i] = components[i].getAccessor().invoke(record);
                for (int j = 0; j < changes.length; j += 2) {
                    if (components[i].getName().equals(changes[j])) {
                        values[i] = changes[j + 1];
                        changed++;
                    }
                }
            }
            if (changed * 2 != changes.length) {
                throw new IllegalArgumentException(record.getClass() + " lacks one of the components");
            }
            return (R) record.getClass().getDeclaredConstructor(types).newInstance(values);
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof RuntimeException refusal) {
                throw refusal;
            }
            throw new IllegalStateException(record.getClass().getName(), e);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(record.getClass().getName(), e);
        }
    }
}
