/** The state of a request, as filters of Zuul 1 read and change it. */
@NullMarked
package com.netflix.zuul.context;

import org.jspecify.annotations.NullMarked;
