"""The labelling page as an HTTP client sees it, for tests."""

from __future__ import annotations

import re
from dataclasses import dataclass

from starlette.testclient import TestClient

from annotate.session import Session
from annotate.web.security import Keys

PORT = 8377
BASE = f"http://127.0.0.1:{PORT}"


@dataclass
class Page:
    client: TestClient
    keys: Keys
    session: Session

    def fields(self, address: str, form_id: str = "label") -> dict[str, str]:
        """The hidden fields of a form on a page."""
        text = self.client.get(address).text
        form = text[text.index(f'id="{form_id}"') :].partition("</form>")[0]
        return dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', form))

    def label(self, address: str, verdict: str, **changes: str) -> int:
        data = {**self.fields(address), "verdict": verdict, **changes}
        headers = {"accept": "application/json"}
        return self.client.post("/label", data=data, headers=headers).status_code
