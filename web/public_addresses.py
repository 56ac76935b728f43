"""Addresses on the web that people name for us to send something to: they must not lead into our own network."""

import ipaddress
from collections.abc import Collection
from urllib.parse import SplitResult, urlsplit

from django.conf import settings

LONGEST = 500
PORTS = frozenset({443, 8443, 8448})
"""Ports that chat servers use for https; 8448 is that of Matrix."""
_PRIVATE_NAMES = (".local", ".localhost", ".internal", ".intranet", ".lan", ".home", ".corp", ".home.arpa", ".test")
_NAT64 = ipaddress.ip_network("64:ff9b::/96")

Address = ipaddress.IPv4Address | ipaddress.IPv6Address


def parts_of(url: str, ports: Collection[int] = PORTS) -> SplitResult | None:
    """The parts of an address at a public host by https; `None` for any other."""
    try:
        parts = urlsplit(url)
        is_plain = (
            parts.scheme == "https" and (parts.port or 443) in ports and not parts.username and not parts.password
        )
    except ValueError:
        return None
    if is_test_receiver(parts):
        return parts
    is_printable = url.isascii() and url.isprintable() and " " not in url
    return parts if is_plain and is_printable and len(url) <= LONGEST and is_public_name(parts.hostname or "") else None


def is_test_receiver(parts: SplitResult) -> bool:
    """Whether an address is that of a receiver that tests started (`settings.TEST_RECEIVERS`, which is never set)."""
    return parts.scheme == "http" and parts.netloc in settings.TEST_RECEIVERS


def is_public_name(host: str) -> bool:
    """Whether a host is a public address, or a name that is not one of a private network. It can still resolve to one:
    what is connected to is checked again (`is_public`)."""
    try:
        return is_public(ipaddress.ip_address(host))
    except ValueError:
        name = host.rstrip(".").lower()
    last = name.rpartition(".")[2]
    # A last part that begins with a digit is an address in one of the spellings that only resolvers understand.
    return "." in name and not last[:1].isdigit() and not name.endswith(_PRIVATE_NAMES)


def is_public(address: Address) -> bool:
    """Whether an IP address is one of the public internet, also the IPv4 address that an IPv6 address stands for."""
    if isinstance(address, ipaddress.IPv6Address) and (inner := _inner(address)) is not None:
        return is_public(inner)
    if isinstance(address, ipaddress.IPv6Address) and address.is_site_local:
        return False
    return address.is_global and not (address.is_multicast or address.is_reserved or address.is_unspecified)


def _inner(address: ipaddress.IPv6Address) -> ipaddress.IPv4Address | None:
    """The IPv4 address within a mapped, 6to4, Teredo or NAT64 address."""
    if address in _NAT64:
        return ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
    teredo = address.teredo
    return address.ipv4_mapped or address.sixtofour or (teredo[1] if teredo else None)
