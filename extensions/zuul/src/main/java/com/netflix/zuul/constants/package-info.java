/** Names of properties and headers. */
@NullMarked
package com.netflix.zuul.constants;

import org.jspecify.annotations.NullMarked;
