/** The base class of filters of Zuul 1, and the classes that find and run filters. */
@NullMarked
package com.netflix.zuul;

import org.jspecify.annotations.NullMarked;
