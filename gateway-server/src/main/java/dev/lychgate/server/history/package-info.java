/**
 * The history of changes: an append-only file of JSON lines, each of which carries the digest of the line before it. Changes
 * enter from the admin listener and from reloads; a thread of its own writes them, so that no caller waits for a disk. The file
 * is the source of the page {@code /history}, of the command {@code lychgate history}, and of rollbacks to an entry.
 */
@NullMarked
package dev.lychgate.server.history;

import org.jspecify.annotations.NullMarked;
