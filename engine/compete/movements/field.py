"""Finite fields: the numbers in which designs without repeats are written down."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from itertools import product


class Field:
    """The field of `size` elements, numbered from 0: its zero is 0, and below a prime the numbers are themselves."""

    def __init__(self, size: int, prime: int, powers: tuple[int, ...]) -> None:
        self.size = size
        self.powers = powers
        """All elements but zero: the powers of a generator, from 1 on."""
        self._prime = prime
        self._logarithm = {element: exponent for exponent, element in enumerate(powers)}

    def plus(self, first: int, second: int) -> int:
        """The sum: as numbers to the base of the prime, without carrying."""
        total, digit = 0, 1
        while first or second:
            total += (first + second) % self._prime * digit
            first, second, digit = first // self._prime, second // self._prime, digit * self._prime
        return total

    def times(self, first: int, second: int) -> int:
        """The product."""
        if not first or not second:
            return 0
        return self.powers[(self._logarithm[first] + self._logarithm[second]) % (self.size - 1)]


@cache
def field(size: int) -> Field | None:
    """The field of so many elements; none where there is none, which is unless they are a power of a prime."""
    prime = next((divisor for divisor in range(2, size + 1) if size % divisor == 0), 0)
    degree = 0
    while prime and prime**degree < size:
        degree += 1
    if not prime or prime**degree != size:
        return None
    # Elements are polynomials, written as digits; by one of the polynomials of this degree the powers of x run through
    # them all.
    every = (_powers(prime, reduction) for reduction in product(range(prime), repeat=degree))
    return Field(size, prime, next(powers for powers in every if len(powers) == size - 1))


def _powers(prime: int, reduction: tuple[int, ...]) -> tuple[int, ...]:
    """The powers of x, from 1 to the last before one comes again; `reduction` is what x to the degree is worth."""
    element = (1, *(0 for _ in reduction[1:]))
    powers: dict[int, None] = {}
    while any(element) and (number := _number(prime, element)) not in powers:
        powers[number] = None
        carry = element[-1]
        shifted = (0, *element[:-1])
        element = tuple((low + carry * worth) % prime for low, worth in zip(shifted, reduction, strict=True))
    return tuple(powers)


def _number(prime: int, digits: Iterable[int]) -> int:
    return sum(digit * prime**place for place, digit in enumerate(digits))
