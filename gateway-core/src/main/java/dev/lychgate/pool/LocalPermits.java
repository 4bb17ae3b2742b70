package dev.lychgate.pool;

/** The part of a limit that one event loop may use. Used only on this loop. */
final class LocalPermits implements Permits {
    private final int total;
    private int left;

    LocalPermits(int total, int loops) {
        this.total = (total + loops - 1) / loops;
        this.left = this.total;
    }

    @Override
    public boolean tryAcquire() {
        return tryAcquire(0);
    }

    @Override
    public boolean tryAcquire(int spare) {
        if (left <= spare) {
            return false;
        }
        left--;
        return true;
    }

    @Override
    public int total() {
        return total;
    }

    @Override
    public void release() {
        left++;
    }
}
