/** Helpers of filters of Zuul. */
@NullMarked
package com.netflix.zuul.util;

import org.jspecify.annotations.NullMarked;
