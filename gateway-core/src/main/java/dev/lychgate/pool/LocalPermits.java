package dev.lychgate.pool;

/** One loop's share of a limit. Used only on that loop. */
final class LocalPermits implements Permits {
    private int left;

    LocalPermits(int total, int loops) {
        this.left = (total + loops - 1) / loops;
    }

    @Override
    public boolean tryAcquire() {
        if (left == 0) {
            return false;
        }
        left--;
        return true;
    }

    @Override
    public void release() {
        left++;
    }
}
