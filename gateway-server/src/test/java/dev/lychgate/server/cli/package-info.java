@NullMarked
package dev.lychgate.server.cli;

import org.jspecify.annotations.NullMarked;
