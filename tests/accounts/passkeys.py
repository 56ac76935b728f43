"""A passkey in software: the same as a phone or a security key, with every step in the open."""

import json
import os
from hashlib import sha256

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from fido2.cose import ES256
from fido2.utils import websafe_encode
from fido2.webauthn import Aaguid, AttestationObject, AttestedCredentialData, AuthenticatorData, CollectedClientData

FLAG = AuthenticatorData.FLAG


class Passkey:
    """A key pair; `make` and `use` answer the options of a page as a browser does, in JSON."""

    def __init__(self, *, origin="https://testserver", is_verified=True):
        self.origin, self.is_verified = origin, is_verified
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.id, self.handle, self.uses = os.urandom(32), "", 0

    def make(self, options):
        """The answer to the options for a new passkey."""
        request = options["publicKey"]
        self.handle, self.site = request["user"]["id"], request["rp"]["id"]
        attested = AttestedCredentialData.create(
            Aaguid.NONE, self.id, ES256.from_cryptography_key(self.key.public_key())
        )
        auth_data = AuthenticatorData.create(self._site(), self._flags(FLAG.AT), 0, attested)
        client_data = self._client_data(CollectedClientData.TYPE.CREATE, request)
        answer = {
            "clientDataJSON": websafe_encode(client_data),
            "attestationObject": websafe_encode(AttestationObject.create("none", auth_data, {})),
        }
        return self._answer(answer, {"credProps": {"rk": True}})

    def use(self, options):
        """The answer to the options for signing in."""
        request, self.uses = options["publicKey"], self.uses + 1
        auth_data = AuthenticatorData.create(self._site(), self._flags(), self.uses)
        client_data = self._client_data(CollectedClientData.TYPE.GET, request)
        signed = self.key.sign(auth_data + sha256(client_data).digest(), ec.ECDSA(hashes.SHA256()))
        answer = {
            "clientDataJSON": websafe_encode(client_data),
            "authenticatorData": websafe_encode(auth_data),
            "signature": websafe_encode(signed),
            "userHandle": self.handle,
        }
        return self._answer(answer, {})

    def _site(self):
        return sha256(self.site.encode()).digest()

    def _flags(self, more=0):
        return FLAG.UP | more | (FLAG.UV if self.is_verified else 0)

    def _client_data(self, kind, request):
        return CollectedClientData.create(kind, request["challenge"], self.origin)

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
