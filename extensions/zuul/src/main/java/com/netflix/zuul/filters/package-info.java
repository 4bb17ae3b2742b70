/** Base classes of particular filters of Zuul 1. */
@NullMarked
package com.netflix.zuul.filters;

import org.jspecify.annotations.NullMarked;
