@NullMarked
package dev.lychgate.filters.builtin;

import org.jspecify.annotations.NullMarked;
