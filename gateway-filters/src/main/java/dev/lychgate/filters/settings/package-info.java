/**
 * Settings of filters. A filter declares its settings by keys, by a record or by the {@code settings} block of a
 * script. These declarations determine how the values in a list of filters are read.
 */
@NullMarked
package dev.lychgate.filters.settings;

import org.jspecify.annotations.NullMarked;
