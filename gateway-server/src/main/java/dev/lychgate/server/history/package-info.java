/**
 * The history of changes: an append-only file of JSON lines, each of which contains the digest of the previous line.
 * Changes come from the admin listener and from reloads. A separate thread writes them, so that no caller waits for a
 * disk. The page {@code /history}, the command {@code lychgate history} and rollbacks to an entry read the file.
 */
@NullMarked
package dev.lychgate.server.history;

import org.jspecify.annotations.NullMarked;
