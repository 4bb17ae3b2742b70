package dev.lychgate.filters.groovy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.codehaus.groovy.reflection.ClassInfo;
import org.codehaus.groovy.runtime.typehandling.DefaultTypeTransformation;
import org.junit.jupiter.api.Test;

class ValueMetaClassesTest {
    @Test
    void createsTheMetaClassesOfUsualValues() {
        ValueMetaClasses.create();
        assertThat(ValueMetaClasses.TYPES)
                .doesNotHaveDuplicates()
                .allMatch(type -> ClassInfo.getClassInfo(type).getMetaClassForClass() != null);
    }

    /** Another thread has the locks of all classes, as while it creates metaclasses. */
    @Test
    void aConditionNeedsNoLock() throws Exception {
        ValueMetaClasses.create();
        CountDownLatch locked = new CountDownLatch(1);
        CountDownLatch done = new CountDownLatch(1);
        Thread other = new Thread(() -> {
            ValueMetaClasses.TYPES.forEach(type -> ClassInfo.getClassInfo(type).lock());
            locked.countDown();
            try {
                done.await(1, TimeUnit.MINUTES);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            } finally {
                ValueMetaClasses.TYPES.forEach(
                        type -> ClassInfo.getClassInfo(type).unlock());
            }
        });
        other.start();
        assertThat(locked.await(1, TimeUnit.MINUTES)).isTrue();

        assertThat(DefaultTypeTransformation.castToBoolean("text")).isTrue();
        assertThat(DefaultTypeTransformation.castToBoolean(new ArrayList<>())).isFalse();
        assertThat(DefaultTypeTransformation.castToBoolean(List.of(1))).isTrue();
        assertThat(DefaultTypeTransformation.castToBoolean(7L)).isTrue();
        assertThat(other.isAlive()).isTrue();
        done.countDown();
        other.join();
    }
}
