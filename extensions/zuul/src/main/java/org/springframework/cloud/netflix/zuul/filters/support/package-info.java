/** Constants that filters of Spring Cloud Netflix import. */
@NullMarked
package org.springframework.cloud.netflix.zuul.filters.support;

import org.jspecify.annotations.NullMarked;
