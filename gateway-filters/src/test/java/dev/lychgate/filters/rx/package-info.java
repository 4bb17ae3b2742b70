@NullMarked
package dev.lychgate.filters.rx;

import org.jspecify.annotations.NullMarked;
