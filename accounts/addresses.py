"""Network addresses of requests."""

from ipaddress import IPv6Address, ip_address

from allauth.account.adapter import get_adapter
from django.core.exceptions import ImproperlyConfigured, PermissionDenied
from django.http import HttpRequest
from rest_framework.request import Request


def address_of(request: HttpRequest | Request) -> str:
    """The network address of a request, behind proxies the one they report; empty if nobody knows it."""
    try:
        address: str = get_adapter().get_client_ip(request)
    except (PermissionDenied, ImproperlyConfigured):
        # ImproperlyConfigured: it came past a proxy.
        return str(request.META.get("REMOTE_ADDR", ""))
    return address


def network_of(address: str) -> str:
    """The part of an address that one household or one attacker has: all of IPv4, the first half of IPv6."""
    try:
        parsed = ip_address(address)
    except ValueError:
        return ""
    if not isinstance(parsed, IPv6Address):
        return str(parsed)
    mapped = parsed.ipv4_mapped
    return str(IPv6Address(int(parsed) >> 64 << 64)) if mapped is None else str(mapped)
