"""Asking language models: requests, the call log that is also the cache, limits, transports."""
