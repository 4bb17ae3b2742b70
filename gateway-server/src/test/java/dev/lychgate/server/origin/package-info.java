@NullMarked
package dev.lychgate.server.origin;

import org.jspecify.annotations.NullMarked;
