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

    /** Runs one command, and exits with the exit code of the command, which is 0 on success. */
    public static void main(String[] args) {
        DirectMemory.prepare();
        withoutRecording();
        System.setOut(new ProcessOutput(new FileOutputStream(FileDescriptor.out)));
        System.setErr(new ProcessOutput(new FileOutputStream(FileDescriptor.err)));
        System.exit(execute(args));
    }

    /**
     * Disables Netty's events for JDK Flight Recorder. These events slow down each start, and only Flight Recorder
     * recordings use them.
     */
    private static void withoutRecording() {
        if (System.getProperty("io.netty.jfr.enabled") == null) {
            System.setProperty("io.netty.jfr.enabled", "false");
        }
    }

    private static int execute(String[] args) {
        try {
            return LychgateCommand.execute(Surroundings.ofProcess(new DataPlaneEngine()), args);
        } catch (LinkageError | OutOfMemoryError e) {
            // The usual causes are outside of the gateway: a JDK that is too old for a library, or a heap that is too
            // small.
            System.err.println("lychgate: can't run here: " + e);
            return 1;
        }
    }
}
