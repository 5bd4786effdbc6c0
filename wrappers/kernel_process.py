"""The process of a notebook kernel. A script: `python -P kernel_process.py -f CONNECTION_FILE ...`

As `ipykernel_launcher`, but a cell's output that holds broken characters (lone surrogates, which
UTF-8 has no bytes for) arrives with question marks instead, where ipykernel would lose all of it.
"""

from __future__ import annotations

import json
import sys
from typing import Any

from ipykernel.kernelapp import IPKernelApp
from jupyter_client.jsonutil import json_clean, json_default


def main() -> None:
    app: Any = IPKernelApp.instance()
    app.initialize()
    sys.path.insert(0, "")  # the modules of the code's own folder, not of this script's
    pack = app.session.pack

    def packed(message: Any) -> bytes:
        try:
            data: bytes = pack(message)
        except UnicodeEncodeError:
            data = with_question_marks(message)
        return data

    app.session.pack = packed
    app.start()


def with_question_marks(message: Any) -> bytes:
    """A message as JSON, with question marks for its broken characters."""
    text = json.dumps(json_clean(message), default=json_default, ensure_ascii=False)
    return text.encode(errors="replace")


if __name__ == "__main__":
    main()
