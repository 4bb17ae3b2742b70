/**
 * A client of etcd over its JSON gateway: requests with deadlines and failover between members, authentication, and a
 * watch of a range of keys. The package does not interpret the keys.
 */
@NullMarked
package dev.lychgate.server.etcd;

import org.jspecify.annotations.NullMarked;
