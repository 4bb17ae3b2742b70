/** The endpoint of Zuul 2 that sends requests to origins. */
@NullMarked
package com.netflix.zuul.filters.endpoint;

import org.jspecify.annotations.NullMarked;
