"""HTTP/1.1 conformance of a reverse proxy, in raw bytes."""
