package dev.lychgate.server.doctor;

import static dev.lychgate.server.doctor.Finding.ok;
import static dev.lychgate.server.doctor.Finding.problem;
import static dev.lychgate.server.doctor.Finding.warning;

import io.netty.channel.epoll.Epoll;
import io.netty.util.internal.PlatformDependent;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Checks of the machine and the JVM that need no configuration.
 *
 * @param root the root of the file system, {@code /} except in tests
 * @param java the feature version of the JVM
 * @param jar the jar of the gateway; null if it does not run from a jar
 * @param memory the memory that the process may use, in bytes
 * @param now the time of the check
 */
record MachineChecks(Path root, int java, @Nullable Path jar, long memory, Instant now) {
    /** The version of the JDK for which the gateway is tuned. */
    private static final int TUNED_JAVA = 25;
    /** The backlog limit below which the kernel may refuse connections of a burst. */
    private static final long LEAST_BACKLOG = 1024;
    /** The minimum number of local ports for connections to one origin. */
    private static final long LEAST_PORTS = 20_000;
    /** The memory of the JVM apart from heap and direct memory: code, classes and stacks. */
    private static final long OTHER_MEMORY = 200L << 20;

    private static final long MIB = 1 << 20;

    List<Finding> all() {
        List<Finding> all = new ArrayList<>();
        all.add(version());
        all.add(classCache());
        all.add(transport());
        all.add(memoryOf(Runtime.getRuntime().maxMemory(), PlatformDependent.maxDirectMemory()));
        all.add(backlog());
        all.add(ports());
        all.add(clock());
        all.add(temporaryFiles(Path.of(System.getProperty("java.io.tmpdir"))));
        return all;
    }

    Finding version() {
        return java >= TUNED_JAVA
                ? ok("java", "Java " + java)
                : warning(
                        "java",
                        "Java " + java + " is supported, but with Java " + TUNED_JAVA
                                + " the gateway starts faster and needs less memory; install a JDK " + TUNED_JAVA);
    }

    Finding classCache() {
        Path of = jar;
        if (of == null) {
            return ok("class-cache", "not used: the gateway does not run from its jar");
        }
        String name = of.getFileName().toString().replaceFirst("\\.jar$", "-" + java + (java >= 25 ? ".aot" : ".jsa"));
        Path cache = of.resolveSibling(name);
        try {
            boolean fresh = Files.isRegularFile(cache)
                    && !Files.getLastModifiedTime(cache)
                            .toInstant()
                            .isBefore(Files.getLastModifiedTime(of).toInstant());
            return fresh
                    ? ok("class-cache", cache.toString())
                    : warning(
                            "class-cache",
                            "there is no class cache of this jar for Java " + java
                                    + ", so each start takes more than twice as long; run lychgate cache");
        } catch (IOException e) {
            return warning("class-cache", "the class cache " + cache + " can't be examined: " + e.getMessage());
        }
    }

    private static Finding transport() {
        if (Epoll.isAvailable()) {
            return ok("transport", "epoll");
        }
        if (!PlatformDependent.normalizedOs().equals("linux")) {
            return ok("transport", "NIO, because epoll exists on Linux only");
        }
        Throwable cause = Epoll.unavailabilityCause();
        return warning(
                "transport",
                "epoll can't be used, so the gateway uses NIO, which needs more CPU time: "
                        + (cause == null ? "unknown reason" : cause.getMessage()));
    }

    Finding memoryOf(long heap, long direct) {
        long all = heap + direct + OTHER_MEMORY;
        String parts = "heap " + heap / MIB + " MiB, direct memory " + direct / MIB + " MiB and about "
                + OTHER_MEMORY / MIB + " MiB for code and classes";
        return all <= memory
                ? ok("memory", parts + " of " + memory / MIB + " MiB")
                : warning(
                        "memory",
                        parts + " exceed the " + memory / MIB
                                + " MiB of the machine or container, so the process may be killed under load; set"
                                + " LYCHGATE_PROFILE or LYCHGATE_HEAP");
    }

    Finding backlog() {
        long most = number("proc/sys/net/core/somaxconn", 0);
        if (most < 0) {
            return ok("backlog", "the kernel does not report net.core.somaxconn");
        }
        return most >= LEAST_BACKLOG
                ? ok("backlog", "net.core.somaxconn is " + most)
                : warning(
                        "backlog",
                        "net.core.somaxconn is " + most
                                + ", so the kernel may refuse connections of a burst; set it to " + LEAST_BACKLOG
                                + " or more with sysctl");
    }

    Finding ports() {
        long first = number("proc/sys/net/ipv4/ip_local_port_range", 0);
        long last = number("proc/sys/net/ipv4/ip_local_port_range", 1);
        if (first < 0 || last < 0) {
            return ok("local-ports", "the kernel does not report net.ipv4.ip_local_port_range");
        }
        long count = last - first + 1;
        return count >= LEAST_PORTS
                ? ok("local-ports", count + " ports for connections to one origin")
                : warning(
                        "local-ports",
                        "net.ipv4.ip_local_port_range allows " + count
                                + " connections to one origin; widen the range with sysctl");
    }

    /** Returns a number in a file of the kernel, by its position in the file; -1 if there is no such file. */
    private long number(String file, int position) {
        try {
            return Long.parseLong(Files.readString(root.resolve(file)).trim().split("\\s+", -1)[position]);
        } catch (IOException | NumberFormatException | ArrayIndexOutOfBoundsException e) {
            return -1;
        }
    }

    /**
     * Checks that the clock is not behind. A clock that is behind makes certificates and tokens invalid. The jar cannot
     * have been built in the future, so a jar with a time in the future shows that the clock is behind.
     */
    Finding clock() {
        Path of = jar;
        try {
            Instant built =
                    of == null ? Instant.EPOCH : Files.getLastModifiedTime(of).toInstant();
            return now.isBefore(built.minus(Duration.ofHours(1)))
                    ? problem(
                            "clock",
                            "the clock is behind: it is " + now + ", but " + of + " is from " + built
                                    + "; synchronize the clock, because certificates and tokens depend on it")
                    : ok("clock", now.toString());
        } catch (IOException e) {
            return ok("clock", now.toString());
        }
    }

    /**
     * Checks that the directory of temporary files is writable and permits execution. Netty extracts native libraries
     * into this directory, and loads them from there.
     */
    static Finding temporaryFiles(Path directory) {
        try {
            Path file = Files.createTempFile(directory, "lychgate", ".doctor");
            try {
                // Files of a file system that is mounted with noexec are not executable, whatever their mode.
                boolean executable = file.toFile().setExecutable(true) && Files.isExecutable(file);
                return executable
                        ? ok("temporary-files", directory.toString())
                        : warning(
                                "temporary-files",
                                directory + " is mounted with noexec, so native libraries can't be loaded from it; set"
                                        + " -Djava.io.tmpdir in LYCHGATE_OPTS to another directory");
            } finally {
                Files.delete(file);
            }
        } catch (IOException e) {
            return problem(
                    "temporary-files",
                    directory + " is not writable (" + e.getMessage()
                            + "), so native libraries can't be loaded; set -Djava.io.tmpdir in LYCHGATE_OPTS to"
                            + " another directory");
        }
    }
}
