/**
 * Renders the state of a running gateway as text for terminals. The input is JSON from the admin listener, and the
 * output is lines of plain ASCII. The package {@code cli} sends the requests and prints the lines. Untrusted text
 * cannot end a line or control the terminal.
 */
@NullMarked
package dev.lychgate.server.terminal;

import org.jspecify.annotations.NullMarked;
