package dev.lychgate.pool;

import java.util.function.BooleanSupplier;

/** One loop's own part of a limit. Used on that loop only. */
final class LocalPermits implements AwaitedPermits {
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

    @Override
    public void awaitRelease(Runnable retry) {
        // Nobody else can give one back: the pool itself looks again whenever one of its connections closes.
    }

    @Override
    public void offer(BooleanSupplier giveUp) {
        // Nobody else could use it.
    }

    @Override
    public boolean isContended() {
        return false;
    }
}
