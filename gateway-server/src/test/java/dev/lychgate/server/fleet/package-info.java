@NullMarked
package dev.lychgate.server.fleet;

import org.jspecify.annotations.NullMarked;
