"""The labelling page: a local server, server-rendered, driven by the keyboard."""

DEFAULT_PORT = 8377
