@NullMarked
package dev.lychgate.filters.api;

import org.jspecify.annotations.NullMarked;
