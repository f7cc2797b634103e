"""What an item raises when its verdict is not PASS.

::

    GateStop               a verdict other than PASS, with the whole message as its text
    ├── GateFailed         FAIL: the only one that `expect = "fail"` accepts
    ├── GateInconclusive   INCONCLUSIVE
    └── GateError          ERROR: nothing was decided
"""

from pytest_asrgate.errors import AsrGateError

__all__ = ["GateError", "GateFailed", "GateInconclusive", "GateStop", "GateWarning"]


class GateStop(AsrGateError):
    """A verdict that does not let the item pass."""


class GateFailed(GateStop):
    """FAIL."""


class GateInconclusive(GateStop):
    """INCONCLUSIVE."""


class GateError(GateStop):
    """ERROR."""


class GateWarning(UserWarning):
    """An undecided item that the gate file lets pass."""
