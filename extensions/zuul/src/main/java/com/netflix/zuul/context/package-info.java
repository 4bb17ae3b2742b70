/** The state of a request, as filters of Zuul read and change it. */
@NullMarked
package com.netflix.zuul.context;

import org.jspecify.annotations.NullMarked;
