package dev.lychgate.filters.groovy;

import java.nio.file.NoSuchFileException;
import java.util.function.Supplier;

/**
 * Reads the filter directory again if it changed while it was read. This prevents errors about entries that are missing
 * only for a moment, such as a directory that is being replaced: they are neither refused nor treated as deleted. No
 * result contains files from both before and after a change. If the directory keeps changing, the result of the last
 * read is used.
 */
final class ReadingAtRest {
    private static final int MOST_READINGS = 20;
    private static final long PAUSE_MILLIS = 25;

    interface Reading {
        /** @throws NoSuchFileException if an entry was deleted between listing and reading; names that entry */
        FilterSources read() throws FilterFaultsException, NoSuchFileException;
    }

    private ReadingAtRest() {}

    /**
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

    /** @return false if the thread was interrupted */
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
