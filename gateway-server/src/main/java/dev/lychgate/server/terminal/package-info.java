/**
 * What a running gateway tells of itself, drawn for people in front of a terminal. Answers of its admin listener arrive
 * here as JSON, lines of plain ASCII leave; {@code cli} asks the gateway, and prints them. Nothing that came over a wire can
 * end a line or steer the terminal.
 */
@NullMarked
package dev.lychgate.server.terminal;

import org.jspecify.annotations.NullMarked;
