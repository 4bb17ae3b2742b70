package dev.lychgate.server;

import dev.lychgate.server.cli.LychgateCommand;
import dev.lychgate.server.cli.Surroundings;
import dev.lychgate.server.engine.DataPlaneEngine;
import dev.lychgate.server.logwriter.ProcessOutput;
import java.io.FileDescriptor;
import java.io.FileOutputStream;

/** The entry point of the process. */
public final class Main {
    private Main() {}

    /** Runs one command and exits: 0 if all went well, 1 if not. */
    public static void main(String[] args) {
        DirectMemory.prepare();
        withoutRecording();
        System.setOut(new ProcessOutput(new FileOutputStream(FileDescriptor.out)));
        System.setErr(new ProcessOutput(new FileOutputStream(FileDescriptor.err)));
        System.exit(execute(args));
    }

    /** Netty's events for JDK Flight Recorder cost time at each start, and are only useful for recordings. */
    private static void withoutRecording() {
        if (System.getProperty("io.netty.jfr.enabled") == null) {
            System.setProperty("io.netty.jfr.enabled", "false");
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
