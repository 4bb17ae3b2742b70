/** Categories of responses of Zuul 2. */
@NullMarked
package com.netflix.zuul.stats.status;

import org.jspecify.annotations.NullMarked;
