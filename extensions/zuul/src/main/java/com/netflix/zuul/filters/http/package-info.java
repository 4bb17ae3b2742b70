/** Base classes of filters of Zuul 2. */
@NullMarked
package com.netflix.zuul.filters.http;

import org.jspecify.annotations.NullMarked;
