"""Common parts of the load scripts: processes, pinning, proxies, generators, reports. Standard library only."""
