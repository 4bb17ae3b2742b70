package dev.lychgate.filters.groovy;

import java.nio.file.NoSuchFileException;
import java.util.function.Supplier;

/**
 * Reads the filter directory, and repeats the read if the directory changed during the read. Therefore, an entry that
 * is missing for a moment, such as a directory that is being replaced, is neither refused nor treated as deleted. If
 * the directory comes to rest within the time limit, the result does not mix files from before and after a change. If
 * the directory keeps changing, the result of the last read is used.
 */
final class ReadingAtRest {
    private static final int MOST_READINGS = 20;
    private static final long PAUSE_MILLIS = 25;

    interface Reading {
        /**
         * Reads the directory one time.
         *
         * @throws NoSuchFileException if an entry was deleted between listing and reading; the exception names this
         *     entry
         */
        FilterSources read() throws FilterFaultsException, NoSuchFileException;
    }

    private ReadingAtRest() {}

    /**
     * Reads a directory until it does not change during the read.
     *
     * @param look returns the stamp of the directory; called before and after each read
     * @throws FilterFaultsException if the directory can't be read and is not changing
     */
    static FilterSources read(Supplier<DirectoryStamp> look, Reading reading) throws FilterFaultsException {
        for (int left = MOST_READINGS - 1; ; left--) {
            DirectoryStamp before = look.get();
            try {
                FilterSources sources = reading.read();
                if (left == 0 || before.equals(look.get()) || !pause()) {
                    return sources;
                }
            } catch (FilterFaultsException e) {
                if (left == 0 || before.equals(look.get()) || !pause()) {
                    throw e;
                }
            } catch (NoSuchFileException e) {
                if (left == 0 || !pause()) {
                    throw new FilterFaultsException(
                            FilterFault.of(String.valueOf(e.getFile()), "was removed before it was read"));
                }
            }
        }
    }

    /**
     * Waits before the next read.
     *
     * @return false if the thread was interrupted
     */
    private static boolean pause() {
        try {
            Thread.sleep(PAUSE_MILLIS);
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
