"""One device of several for one process."""

import pytest

from pytest_asrgate.errors import TranscriberError
from pytest_asrgate.transcribers.devices import visible_device


@pytest.mark.parametrize(
    ("device", "variable"),
    [
        ("cuda:1", "CUDA_VISIBLE_DEVICES"),
        ("rocm:1", "HIP_VISIBLE_DEVICES"),
        ("vulkan:1", "GGML_VK_VISIBLE_DEVICES"),
    ],
)
def test_a_device_is_the_only_one_that_shows(device: str, variable: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each runtime has its variable, and a number counts among the devices that it leaves already."""
    monkeypatch.delenv(variable, raising=False)
    assert visible_device(device) == {variable: "1"}
    monkeypatch.setenv(variable, "GPU-a, GPU-b")
    assert visible_device(device) == {variable: "GPU-b"}


def test_a_device_that_is_hidden_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody is given another device than asked for."""
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "3")
    with pytest.raises(
        TranscriberError, match=r"executor\.devices: cuda:1 is not among .* CUDA_VISIBLE_DEVICES = '3'"
    ):
        visible_device("cuda:1")


def test_no_device_changes_nothing() -> None:
    """Without a device the environment stays as it is."""
    assert visible_device("") == {}
