@NullMarked
package dev.lychgate.fleet;

import org.jspecify.annotations.NullMarked;
