package dev.lychgate.server.history;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Checks the chain of a history. The lines are numbered consecutively, and each line contains its number and the digest
 * of the previous line. An edited, removed, inserted or moved line breaks the chain.
 *
 * <p>Lines that are missing at the beginning or at the end do not break the chain. To detect such a loss, a caller can
 * give the digest of a line that must exist.
 */
public final class Verification {
    private static final int MOST_FAULTS = 100;
    private static final int TRIES = 3;

    private final List<String> faults = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();
    private final @Nullable String wanted;
    private boolean found;
    private long entries;
    private long first;
    private long last;
    private String head = Digest.NONE;

    private Verification(@Nullable String wanted) {
        this.wanted = wanted;
    }

    /**
     * Reads and checks a history.
     *
     * @param file the newest file; the rolled files in the same directory are read before it
     * @param wanted the digest of a line that must exist; null if lines may be missing at the end
     * @throws IOException if the history cannot be read
     */
    public static Verification of(Path file, @Nullable String wanted) throws IOException {
        for (int tries = 1; ; tries++) {
            List<Path> files = Lines.all(file);
            if (files.isEmpty()) {
                throw new NoSuchFileException(file.toString());
            }
            try {
                Verification result = of(files, wanted);
                // A running gateway may have rolled a file meanwhile, so that the lines of the file seem to be missing.
                if (tries == TRIES || files.equals(Lines.all(file))) {
                    return result;
                }
            } catch (NoSuchFileException e) {
                if (tries == TRIES) {
                    throw e;
                }
            }
        }
    }

    private static Verification of(List<Path> files, @Nullable String wanted) throws IOException {
        Verification result = new Verification(wanted == null ? null : wanted.toLowerCase(Locale.ROOT));
        for (int i = 0; i < files.size(); i++) {
            result.read(files.get(i), i == files.size() - 1);
        }
        if (wanted != null && !result.found) {
            result.fault("no line has the digest " + wanted + ": the line was removed or changed");
        }
        return result;
    }

    private void read(Path file, boolean newest) throws IOException {
        String name = String.valueOf(file.getFileName());
        long[] number = {0};
        Lines.visit(file, (line, whole) -> {
            number[0]++;
            String place = name + ":" + number[0] + ": ";
            if (whole) {
                check(place, line);
            } else if (newest) {
                notes.add(place
                        + "the last line is incomplete, probably because of a crash; the next start of the gateway"
                        + " removes the line");
            } else {
                fault(place + "the last line is incomplete");
            }
        });
    }

    private void check(String place, byte[] line) {
        String digest = Digest.of(line);
        if (digest.equals(wanted)) {
            found = true;
        }
        try {
            Entry entry = Entry.parse(line);
            connect(place, entry);
            first = entries == 0 ? entry.number() : first;
            last = entry.number();
        } catch (IOException e) {
            fault(place + "not an entry of a history");
            last++;
        }
        entries++;
        head = digest;
    }

    private void connect(String place, Entry entry) {
        if (entries == 0) {
            if (entry.number() > 1) {
                notes.add("the entries before " + entry.number()
                        + " are missing: their files were deleted by rolling, or were removed");
            } else if (!entry.previous().equals(Digest.NONE)) {
                fault(place + "entry 1 follows another line");
            }
            return;
        }
        if (entry.number() != last + 1) {
            fault(place + "entry " + entry.number() + " follows entry " + last
                    + ": lines were removed, inserted or moved");
        }
        if (!entry.previous().equals(head)) {
            fault(place + "entry " + entry.number()
                    + " does not contain the digest of the line before: one of these two lines was changed, or lines"
                    + " between them were removed");
        }
    }

    private void fault(String text) {
        if (faults.size() < MOST_FAULTS) {
            faults.add(text);
        }
    }

    /** Returns where and how the chain is broken, the oldest place first; an empty list if the chain is whole. */
    public List<String> faults() {
        return List.copyOf(faults);
    }

    /** Returns remarks about entries that the chain does not prove, and about a line that a crash left incomplete. */
    public List<String> notes() {
        return List.copyOf(notes);
    }

    public long entries() {
        return entries;
    }

    /** Returns the number of the oldest entry; 0 without entries. */
    public long first() {
        return first;
    }

    /** Returns the number of the newest entry; 0 without entries. */
    public long last() {
        return last;
    }

    /**
     * Returns the digest of the last line. If this digest is also stored at another place, it can prove later that
     * neither the last line nor any earlier line was changed or removed.
     */
    public String head() {
        return head;
    }
}
