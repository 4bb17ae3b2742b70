package dev.lychgate.filters.groovy;

import java.nio.file.NoSuchFileException;
import java.util.function.Supplier;

/**
 * Reads the filter directory once more if it has changed while it was read: what was gone for a moment, as a directory is
 * that another takes the place of, is then neither taken for deleted nor refused, and nothing is read half before a change
 * and half after it. A directory that never comes to rest is taken as it was read last.
 */
final class ReadingAtRest {
    private static final int MOST_READINGS = 20;
    private static final long PAUSE_MILLIS = 25;

    interface Reading {
        /** @throws NoSuchFileException naming what has gone between being listed and being read */
        FilterSources read() throws FilterFaultsException, NoSuchFileException;
    }

    private ReadingAtRest() {}

    /**
     * @param look what can be told of the directory without reading its files; asked before and after
     * @throws FilterFaultsException if the directory can't be read, and is not about to change
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
                            FilterFault.of(String.valueOf(e.getFile()), "was gone before it was read"));
                }
            }
        }
    }

    /** @return whether there is still somebody who waits */
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
