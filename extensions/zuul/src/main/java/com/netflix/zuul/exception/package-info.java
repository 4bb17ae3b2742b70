/** The exception of filters of Zuul. */
@NullMarked
package com.netflix.zuul.exception;

import org.jspecify.annotations.NullMarked;
