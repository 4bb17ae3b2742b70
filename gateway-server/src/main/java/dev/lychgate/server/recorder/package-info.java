/**
 * What single exchanges have to tell. Of those that were slow, that failed, or that are part of a trace that is recorded, the
 * whole story is copied when they end; a thread of its own keeps the latest, writes slow ones into the log, and hands on those
 * that are sent elsewhere. All other exchanges cost nothing here.
 */
@NullMarked
package dev.lychgate.server.recorder;

import org.jspecify.annotations.NullMarked;
