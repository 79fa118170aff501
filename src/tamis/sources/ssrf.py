"""Which addresses may be connected to. What is checked is the address of the socket, never a spelling of it.

A name, ``0177.0.0.1``, ``2130706433``, ``0x7f.1`` or full-width digits all end at an address, and a socket is made
for that address: `Policy.socket` is called there, on every hop, with exactly what will be connected to. So no
spelling has to be understood here, and a name cannot be bound to something else in between.
"""

import socket
from collections.abc import Sequence
from contextvars import ContextVar
from dataclasses import dataclass
from enum import IntEnum
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Any, Final

from tamis.errors import BlockedURLError, InvalidURLError

Network = IPv4Network | IPv6Network
AddressInfo = tuple[int, int, int, str, tuple[Any, ...]]

#: Refused although Python calls some of them global, because they lead into other networks or because Python
#: versions disagree: IANA's special-purpose registries and the RFC of each.
REFUSED: Final[tuple[Network, ...]] = tuple(
    map(
        ip_network,
        (
            "192.0.0.0/24",  # protocol assignments, RFC 6890
            "192.88.99.0/24",  # relays of 6to4, RFC 7526
            "::/96",  # IPv4-compatible ::a.b.c.d, RFC 4291
            "::ffff:0:0/96",  # IPv4-mapped: the kernel connects to the IPv4 address inside
            "64:ff9b::/96",  # NAT64, RFC 6052: an IPv4 address inside
            "64:ff9b:1::/48",  # NAT64 of one's own network, RFC 8215
            "2001::/32",  # Teredo, RFC 4380: an IPv4 address inside
            "2002::/16",  # 6to4, RFC 3056: an IPv4 address inside
            "3fff::/20",  # documentation, RFC 9637
            "5f00::/16",  # segment routing, RFC 9602
            "fec0::/10",  # site-local, RFC 3879
        ),
    )
)
#: One's own network. Link-local addresses are not among them: clouds keep their secrets at 169.254.169.254.
PRIVATE: Final[tuple[Network, ...]] = tuple(
    map(
        ip_network,
        ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "127.0.0.0/8", "100.64.0.0/10", "::1/128", "fc00::/7"),
    )
)
#: Addresses that were refused while a page was fetched; the connector hides the errors of single addresses.
refusals: ContextVar[list[str] | None] = ContextVar("refusals", default=None)


class NetworkScope(IntEnum):
    """How far connections may go."""

    PUBLIC = 0
    PRIVATE = 1  #: one's own network too
    ANY = 2  #: whatever the machine can reach: for a person at a command line


@dataclass(frozen=True, slots=True)
class Policy:
    """What may be connected to.

    Attributes:
        scope: the public network, one's own too, or anything.
        networks: allowed besides.
        ports: allowed; None allows all.

    >>> policy = Policy()
    >>> [policy.allows(address) for address in ("93.184.216.34", "127.0.0.1", "::ffff:10.0.0.1", "64:ff9b::7f00:1")]
    [True, False, False, False]
    >>> Policy(scope=NetworkScope.PRIVATE).allows("127.0.0.1")
    True
    """

    scope: NetworkScope = NetworkScope.PUBLIC
    networks: tuple[Network, ...] = ()
    ports: frozenset[int] | None = frozenset({80, 443})

    def allows(self, address: str) -> bool:
        """Whether a socket may connect to an address."""
        if self.scope is NetworkScope.ANY:
            return True
        try:
            found = ip_address(address)
        except ValueError:  # not an address at all
            return False
        if _within(found, self.networks) or (self.scope is NetworkScope.PRIVATE and _within(found, PRIVATE)):
            return True
        return found.is_global and not found.is_multicast and not found.is_reserved and not _within(found, REFUSED)

    def check(self, scheme: str, port: int | None) -> None:
        """Raise an error where the scheme or port of an address is not allowed."""
        if scheme not in {"http", "https"}:
            raise InvalidURLError(f"only http and https addresses are read, not {scheme or 'one without a scheme'}")
        if self.ports is not None and port not in self.ports:
            raise InvalidURLError(f"port {port} is none of {', '.join(map(str, sorted(self.ports)))}")

    def socket(self, info: AddressInfo) -> socket.socket:
        """Return a socket for an address that is allowed: what the HTTP client calls before it connects."""
        family, kind, protocol, _, where = info
        address, port = str(where[0]), int(where[1])
        if not self.allows(address) or (self.ports is not None and port not in self.ports):
            seen = refusals.get()
            if seen is not None:
                seen.append(address)
            raise BlockedURLError("the address leads into a network that is not read from")
        return socket.socket(family, kind, protocol)


def _within(address: IPv4Address | IPv6Address, networks: Sequence[Network]) -> bool:
    return any(address in network for network in networks)
