/** Filters that come with the gateway: small, synchronous, checked when they are made. */
@NullMarked
package dev.lychgate.filters.builtin;

import org.jspecify.annotations.NullMarked;
