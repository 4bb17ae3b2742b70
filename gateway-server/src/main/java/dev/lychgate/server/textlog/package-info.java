/**
 * How the application log is written as text: what is told is put into lines that nobody can end, and in which nothing steers
 * a terminal, wherever the text came from.
 */
@NullMarked
package dev.lychgate.server.textlog;

import org.jspecify.annotations.NullMarked;
