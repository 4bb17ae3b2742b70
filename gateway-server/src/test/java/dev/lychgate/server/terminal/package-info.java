@NullMarked
package dev.lychgate.server.terminal;

import org.jspecify.annotations.NullMarked;
