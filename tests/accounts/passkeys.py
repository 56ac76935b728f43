"""A passkey in software: what a phone or a security key does, with every step in the open."""

from __future__ import annotations

import json
import os
from hashlib import sha256

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from fido2.cose import ES256
from fido2.utils import websafe_encode
from fido2.webauthn import (
    Aaguid,
    AttestationObject,
    AttestedCredentialData,
    AuthenticatorData,
    CollectedClientData,
)

FLAG = AuthenticatorData.FLAG


class Passkey:
    """One key pair; `make` and `use` answer the options of a page as a browser does, in JSON."""

    def __init__(self, *, origin="https://testserver", is_verified=True):
        self.origin, self.is_verified = origin, is_verified
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.id, self.handle, self.uses = os.urandom(32), "", 0

    def make(self, options):
        """The answer to the options for a new passkey."""
        asked = options["publicKey"]
        self.handle, self.site = asked["user"]["id"], asked["rp"]["id"]
        attested = AttestedCredentialData.create(
            Aaguid.NONE, self.id, ES256.from_cryptography_key(self.key.public_key())
        )
        seen = AuthenticatorData.create(self._site(), self._flags(FLAG.AT), 0, attested)
        said = self._said(CollectedClientData.TYPE.CREATE, asked)
        answer = {
            "clientDataJSON": websafe_encode(said),
            "attestationObject": websafe_encode(AttestationObject.create("none", seen, {})),
        }
        return self._answer(answer, {"credProps": {"rk": True}})

    def use(self, options):
        """The answer to the options for signing in."""
        asked, self.uses = options["publicKey"], self.uses + 1
        seen = AuthenticatorData.create(self._site(), self._flags(), self.uses)
        said = self._said(CollectedClientData.TYPE.GET, asked)
        signed = self.key.sign(seen + sha256(said).digest(), ec.ECDSA(hashes.SHA256()))
        answer = {
            "clientDataJSON": websafe_encode(said),
            "authenticatorData": websafe_encode(seen),
            "signature": websafe_encode(signed),
            "userHandle": self.handle,
        }
        return self._answer(answer, {})

    def _site(self):
        return sha256(self.site.encode()).digest()

    def _flags(self, more=0):
        return FLAG.UP | more | (FLAG.UV if self.is_verified else 0)

    def _said(self, kind, asked):
        return CollectedClientData.create(kind, asked["challenge"], self.origin)

    def _answer(self, response, extensions):
        name = websafe_encode(self.id)
        return json.dumps(
            {
                "id": name,
                "rawId": name,
                "type": "public-key",
                "response": response,
                "clientExtensionResults": extensions,
            }
        )
