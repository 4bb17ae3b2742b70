/** Base classes of filters of Zuul. */
@NullMarked
package com.netflix.zuul.filters;

import org.jspecify.annotations.NullMarked;
