#!/usr/bin/env python
# Copyright: nobody in particular.

"""Sessions and their tokens.

The second paragraph.
"""

from __future__ import annotations

import typing
from functools import cached_property

__all__ = ["Session", "refresh"]

# How long a session lives, in seconds.
LIFETIME: int = 3_600
NAMES = [
    "alpha",
    "beta",
]
logger = get_logger(__name__)
WIDTH, HEIGHT = 80, 24

type Owner = str
type Pairs[K, V] = dict[K, list[V]]

if typing.TYPE_CHECKING:
    from .store import Store

    Handler = typing.Callable[[int], None]
else:
    def shim() -> None: ...

try:
    import ssl
except ImportError:
    HAS_SSL = False


@typing.overload
def refresh(session: int) -> int: ...
@typing.overload
def refresh(session: str) -> str: ...
def refresh(
    session,  # an id or a name
    *,
    deep: bool = False,
) -> int | str:  # the same again
    """Refreshes a session."""

    def local():
        return 1

    return session


async def wait[T: int](seconds: float, /, *rest: T) -> None:
    # Not documentation.
    "Waits."
    await sleep(seconds)


def short(): return 1


@dataclass(
    frozen=True,
)
# Between decorators.
@final
class Session(Base, metaclass=Meta):  # kept small
    """A session.

    It has a token.
    """

    owner: str
    #: When it ends.
    ends: int = 0
    _secret = {
        "key": 1,
    }

    class Meta:
        ordering = ["owner"]

    def __init__(self, owner: str) -> None:
        self.owner = owner

    @property
    def token(self) -> str:
        """The token."""
        return self._token

    @token.setter
    def token(self, value): self._token = value

    @cached_property  # once
    def digest(self):
        return 0

    @classmethod
    async def of(cls, *args: typing.Any, **kwargs: typing.Any) -> Session:
        r"""Makes one: \o/."""

    def _hidden(self): pass

    def __private(self): pass


class Empty(Exception): pass


class State(Enum):
    ALIVE = "alive"
    DEAD = "dead"


# Documented from above.
# On two lines.
def survivor():
    pass


def broken(x: int -> None:
    pass
