/**
 * Settings of filters. A filter declares its settings with keys, with a record, or in the {@code settings} block of a
 * script. The declarations determine how the values in the configuration are read.
 */
@NullMarked
package dev.lychgate.filters.settings;

import org.jspecify.annotations.NullMarked;
