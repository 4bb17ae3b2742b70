/** Helpers of filters of Zuul 1. */
@NullMarked
package com.netflix.zuul.util;

import org.jspecify.annotations.NullMarked;
