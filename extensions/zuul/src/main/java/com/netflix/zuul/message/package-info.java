/** Messages of Zuul 2, and their headers. */
@NullMarked
package com.netflix.zuul.message;

import org.jspecify.annotations.NullMarked;
