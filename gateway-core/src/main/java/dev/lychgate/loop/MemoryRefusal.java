package dev.lychgate.loop;

/** Thrown by {@link LoopAllocator} for an allocation that exceeds the limit of direct memory. It has no stack trace. */
final class MemoryRefusal extends OutOfMemoryError {
    private static final long serialVersionUID = 1;

    MemoryRefusal(int bytes, long left) {
        super("refused " + bytes + " bytes of direct memory, " + Math.max(0, left) + " bytes are left");
    }

    @Override
    public synchronized Throwable fillInStackTrace() {
        return this;
    }
}
