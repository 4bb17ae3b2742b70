/**
 * Settings of filters. A filter declares its settings by keys, by a record or by the {@code settings} block of a script;
 * the values that a list of filters passes are read by them.
 */
@NullMarked
package dev.lychgate.filters.settings;

import org.jspecify.annotations.NullMarked;
