"""What the load scripts share: processes, pinning, proxies, generators, reports. Standard library only."""
