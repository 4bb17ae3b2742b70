/** Wrappers of servlet requests and responses. */
@NullMarked
package com.netflix.zuul.http;

import org.jspecify.annotations.NullMarked;
