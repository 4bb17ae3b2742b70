package dev.lychgate.testing;

import io.netty.util.concurrent.FastThreadLocalThread;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.regex.Pattern;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import reactor.blockhound.BlockHound;
import reactor.blockhound.BlockingOperationError;

/**
 * Makes a blocking call on an event loop (sleep, lock, wait, file or socket I/O) fail the test class of the call. The call
 * fails at once, but an exception on an event loop easily ends as a 502 or as a line in a log, so it is stored and thrown again
 * after the class. The service file beside it registers it for every test class.
 *
 * <p>A lock only blocks if another thread holds it, which in tests is rare. So a lock of {@code java.util.concurrent.locks},
 * and with it every executor and queue that has one, counts as held: an event loop may not acquire any, except for locks inside
 * of Netty. The monitor of {@code synchronized} is not detected.
 *
 * <p>BlockHound rewrites the JDK's native methods, and only a JVM started with {@code -XX:+AllowRedefinitionToAddDeleteMethods}
 * permits that (the build sets it). JDK 26 ignores that flag and later ones do not have it: there, and in an IDE that starts
 * tests without it, no call is checked.
 */
public final class BlockedLoops implements AfterAllCallback {
    private static final String FLAG = "-XX:+AllowRedefinitionToAddDeleteMethods";
    private static final int LAST_JDK_WITH_FLAG = 25;
    private static final boolean WATCHED =
            ManagementFactory.getRuntimeMXBean().getInputArguments().contains(FLAG)
                    && Runtime.version().feature() <= LAST_JDK_WITH_FLAG;
    private static final String LOCKS = "java.util.concurrent.locks.";
    private static final StackWalker STACK = StackWalker.getInstance(StackWalker.Option.SHOW_HIDDEN_FRAMES);
    /** Frames that acquire a lock for their caller, and frames of this detection. */
    private static final Pattern MACHINERY = Pattern.compile("(java|javax|jdk|sun|com\\.sun|reactor\\.blockhound)\\.|"
            + Pattern.quote(BlockedLoops.class.getName()) + "(\\$|$)");

    private static final Queue<Throwable> FOUND = new ConcurrentLinkedQueue<>();

    static {
        if (WATCHED) {
            // Netty's own integration, found by the service loader, determines the event-loop threads.
            BlockHound.builder()
                    .loadIntegrations()
                    .markAsBlocking(LOCKS + "ReentrantLock", "lock", "()V")
                    .markAsBlocking(LOCKS + "ReentrantLock", "lockInterruptibly", "()V")
                    .markAsBlocking(LOCKS + "ReentrantReadWriteLock$ReadLock", "lock", "()V")
                    .markAsBlocking(LOCKS + "ReentrantReadWriteLock$WriteLock", "lock", "()V")
                    .allowBlockingCallsInside(Pauses.class.getName(), "sleep")
                    .blockingMethodCallback(method -> {
                        // Jars with a copy of Netty contain that as well: their loops are not checked.
                        if (!(Thread.currentThread() instanceof FastThreadLocalThread)
                                || (method.getClassName().startsWith(LOCKS) && isTakenByNetty())) {
                            return;
                        }
                        BlockingOperationError error = new BlockingOperationError(method);
                        FOUND.add(error);
                        throw error;
                    })
                    .install();
        }
    }

    /** Its sockets and TLS engines have locks, which are one connection's and so one loop's. */
    private static boolean isTakenByNetty() {
        return STACK.walk(frames -> frames.map(StackWalker.StackFrame::getClassName)
                .filter(name -> !MACHINERY.matcher(name).lookingAt())
                .findFirst()
                .filter(name -> name.startsWith("io.netty."))
                .isPresent());
    }

    /** For the service loader. */
    public BlockedLoops() {}

    /** Whether this JVM permits the detection of blocking calls. */
    static boolean areWatched() {
        return WATCHED;
    }

    @Override
    public void afterAll(ExtensionContext context) {
        Throwable first = FOUND.poll();
        if (first != null) {
            AssertionError error = new AssertionError(
                    "an event loop was blocked in " + context.getDisplayName() + where(first), first);
            for (Throwable next = FOUND.poll(); next != null; next = FOUND.poll()) {
                error.addSuppressed(next);
            }
            throw error;
        }
    }

    /** The blocking call and its caller, for logs with one line. */
    private static String where(Throwable blocked) {
        return Arrays.stream(blocked.getStackTrace())
                .filter(frame -> frame.getClassName().startsWith("dev.lychgate.")
                        && !frame.getClassName().equals(BlockedLoops.class.getName()))
                .findFirst()
                .map(frame -> ": " + blocked.getMessage() + " at " + frame)
                .orElse(": " + blocked.getMessage());
    }
}
