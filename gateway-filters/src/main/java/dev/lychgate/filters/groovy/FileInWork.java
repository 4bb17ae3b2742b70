package dev.lychgate.filters.groovy;

/** The file that a build is at: written by its own thread, and read by whoever gives it up. */
final class FileInWork {
    private volatile String path = CompilerFaults.SOMEWHERE;

    void begin(String file) {
        path = file;
    }

    /** Its path; where nothing has begun, what stands for all files. */
    String path() {
        return path;
    }
}
