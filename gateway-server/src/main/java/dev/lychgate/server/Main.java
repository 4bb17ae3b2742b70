package dev.lychgate.server;

import ch.qos.logback.classic.spi.LogbackServiceProvider;
import dev.lychgate.server.accesslog.ProcessOutput;
import dev.lychgate.server.cli.LychgateCommand;
import dev.lychgate.server.cli.Surroundings;
import dev.lychgate.server.engine.DataPlaneEngine;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import org.slf4j.LoggerFactory;

/** Where the process begins. */
public final class Main {
    private Main() {}

    /** Runs one command and exits: 0 if all went well, 1 if not. */
    public static void main(String[] args) {
        DirectMemory.limit();
        withoutRecording();
        loggingWithoutSearch();
        System.setOut(new ProcessOutput(new FileOutputStream(FileDescriptor.out)));
        System.exit(execute(args));
    }

    /** Netty's events for JDK Flight Recorder: to offer them costs each start, and only those who record have use for them. */
    private static void withoutRecording() {
        if (System.getProperty("io.netty.jfr.enabled") == null) {
            System.setProperty("io.netty.jfr.enabled", "false");
        }
    }

    /** There is one in the jar; to look for others in it takes as long as a hundredth of a start. */
    private static void loggingWithoutSearch() {
        if (System.getProperty(LoggerFactory.PROVIDER_PROPERTY_KEY) == null) {
            System.setProperty(LoggerFactory.PROVIDER_PROPERTY_KEY, LogbackServiceProvider.class.getName());
        }
    }

    private static int execute(String[] args) {
        try {
            return LychgateCommand.execute(Surroundings.ofProcess(new DataPlaneEngine()), args);
        } catch (LinkageError | OutOfMemoryError e) {
            // The machine's fault more often than ours: a JDK too old for a library, a heap too small to begin with.
            System.err.println("lychgate: can't run here: " + e);
            return 1;
        }
    }
}
