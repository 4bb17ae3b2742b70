@NullMarked
package dev.lychgate.filters.coding;

import org.jspecify.annotations.NullMarked;
