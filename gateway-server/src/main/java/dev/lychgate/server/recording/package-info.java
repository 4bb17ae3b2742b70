/**
 * Writes and reads recordings of whole exchanges. On event loops, a tap copies the messages, call-outs and filter runs
 * of selected exchanges. A separate thread redacts the copies and appends them to a {@link
 * dev.lychgate.server.recording.RecordingWriter file}, which {@link dev.lychgate.server.recording.RecordingReader}
 * reads.
 */
@NullMarked
package dev.lychgate.server.recording;

import org.jspecify.annotations.NullMarked;
