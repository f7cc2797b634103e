"""One device of several: the variable that shows a process no other."""

import os
from collections.abc import Mapping

from pytest_asrgate.errors import TranscriberError

__all__ = ["visible_device"]

# What each runtime reads before it counts its devices.
_VARIABLES = {"cuda": "CUDA_VISIBLE_DEVICES", "rocm": "HIP_VISIBLE_DEVICES", "vulkan": "GGML_VK_VISIBLE_DEVICES"}


def visible_device(device: str) -> Mapping[str, str]:
    """The environment that leaves a process `device`, such as "cuda:1", as its only one; nothing for "".

    Where the variable is set already, the number counts among the devices that it names, as it does for every other
    program here. Raises TranscriberError where it names fewer.
    """
    if not device:
        return {}
    kind, _, number = device.partition(":")
    variable = _VARIABLES[kind]
    present = os.environ.get(variable)
    if present is None:
        return {variable: number}
    names = [name.strip() for name in present.split(",") if name.strip()]
    if int(number) >= len(names):
        raise TranscriberError(
            f"executor.devices: {device} is not among the devices that {variable} = {present!r} leaves; "
            "name others, or unset the variable"
        )
    return {variable: names[int(number)]}
