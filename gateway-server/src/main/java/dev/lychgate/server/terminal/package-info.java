/**
 * The state of a running gateway as text for terminals. Responses of its admin listener arrive here as JSON; lines of plain
 * ASCII leave. {@code cli} sends the requests and prints the lines. Untrusted text cannot end a line or control the
 * terminal.
 */
@NullMarked
package dev.lychgate.server.terminal;

import org.jspecify.annotations.NullMarked;
