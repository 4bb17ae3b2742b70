/** Requests and responses of Zuul 2. */
@NullMarked
package com.netflix.zuul.message.http;

import org.jspecify.annotations.NullMarked;
