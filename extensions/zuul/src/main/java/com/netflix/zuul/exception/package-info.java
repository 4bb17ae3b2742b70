/** The exception of filters of Zuul 1. */
@NullMarked
package com.netflix.zuul.exception;

import org.jspecify.annotations.NullMarked;
