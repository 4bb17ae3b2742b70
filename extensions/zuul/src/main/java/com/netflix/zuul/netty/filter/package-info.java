/** A constant that filters of Zuul 2 use. */
@NullMarked
package com.netflix.zuul.netty.filter;

import org.jspecify.annotations.NullMarked;
