@NullMarked
package dev.lychgate.filters.testing;

import org.jspecify.annotations.NullMarked;
