package dev.lychgate.loop;

/** Thrown by {@link LoopAllocator} instead of an allocation beyond the direct memory limit. It has no stack trace. */
final class MemoryRefusal extends OutOfMemoryError {
    private static final long serialVersionUID = 1;

    MemoryRefusal(int bytes, long left) {
        super("refused " + bytes + " bytes of direct memory, " + Math.max(0, left) + " are left");
    }

    @Override
    public synchronized Throwable fillInStackTrace() {
        return this;
    }
}
