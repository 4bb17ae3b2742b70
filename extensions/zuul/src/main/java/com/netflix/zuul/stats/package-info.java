/** Counts of failures. */
@NullMarked
package com.netflix.zuul.stats;

import org.jspecify.annotations.NullMarked;
