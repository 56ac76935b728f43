"""Keys of previews: an action can only be done with the key that its preview gave, for the same arguments.

A key is good as long as this server runs. It contains what the preview had read, so that the site can refuse it later.
"""

import hashlib
import hmac
import json
import secrets
from dataclasses import dataclass, field
from typing import Any

from assistants.site_api import SiteError


@dataclass(frozen=True)
class PreviewKeys:
    """Signs arguments of actions. Nobody else has the secret, so no key can be invented."""

    secret: bytes = field(default_factory=lambda: secrets.token_bytes(32), repr=False)

    def sign(self, action: str, arguments: Any, *, read: int) -> str:
        """The key for an action with these arguments, at the version or result (`read`) that was seen."""
        text = json.dumps([action, arguments, read], sort_keys=True)
        return f"{action}-{read}-{hmac.new(self.secret, text.encode(), hashlib.sha256).hexdigest()[:32]}"

    def check(self, actions: tuple[str, ...], arguments: Any, key: str) -> tuple[str, int]:
        """The action that a key is for, and what was seen. Raises `SiteError` unless a preview gave it."""
        action, _, rest = key.partition("-")
        read = rest.partition("-")[0]
        if action in actions and read.isdecimal() and len(read) <= 16:
            right = self.sign(action, arguments, read=int(read))
            if hmac.compare_digest(right.encode(), key.encode()):
                return action, int(read)
        raise SiteError("This key does not belong to these arguments. Preview the action, show it, then use its key.")
