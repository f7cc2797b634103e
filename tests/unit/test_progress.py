"""Claims about the arithmetic and the text of a progress line."""

import pytest

from pytest_asrgate.plugin.workers import view_from_json, view_to_json
from pytest_asrgate.records import Progress
from pytest_asrgate.reports.progress import Pace, View, advanced, lasting, progress_line

F32, Q8 = ("f32", "prompts"), ("q8_0", "prompts")


def pace(name: str, done: int, total: int, fresh: int = 0, seconds: float = 0.0) -> Pace:
    """A pair's pace on prompts whose `fresh` utterances were finished over `seconds`."""
    return Pace(Progress(name, "prompts", done, total, fresh), 0.0, seconds)


def view(running: Pace, *others: Pace, item: tuple[str, str] | None = None) -> View:
    """A process in which `running` runs, inside its own item unless another is given."""
    paces = {(each.progress.variant, each.progress.dataset): each for each in (*others, running)}
    key = running.progress.variant, running.progress.dataset
    return View(paces, key, item or key)


def test_line_of_one_pair_and_its_gate() -> None:
    """A line names the pair, its utterances, rate and time left, and the same for the whole gate."""
    sizes = {F32: 240, Q8: 240, ("q4_0", "prompts"): 240, ("q4_0", "numbers"): 308}
    line = progress_line([view(pace("q8_0", 120, 240, 67, 10.0))], sizes, {F32, ("q4_0", "prompts")})
    assert line == "asrgate q8_0::prompts 120/240 utterances, 6.6/s, 18 s left; gate 600/1028, at most 65 s left"


def test_rate_is_unknown_before_two_utterances() -> None:
    """The first utterance includes loading the model: it alone gives no rate and no time left."""
    assert progress_line([view(pace("f32", 1, 8, 1))], {F32: 8, Q8: 8}, set()) == (
        "asrgate f32::prompts 1/8 utterances; gate 1/16"
    )


def test_reused_utterances_do_not_count_for_the_rate() -> None:
    """An engine that made 11 utterances in 10 s makes 1 a second, however many were found in the store."""
    assert pace("f32", 911, 1000, fresh=11, seconds=10.0).rate == pytest.approx(1.0)
    assert pace("f32", 911, 1000, fresh=11, seconds=10.0).left == pytest.approx(89.0)
    assert pace("f32", 900, 1000).rate is None


def test_advancing_measures_between_finished_utterances() -> None:
    """The clock of a pair starts with its first finished utterance, not with the look-up before it."""
    found = advanced(None, Progress("f32", "prompts", 4, 8, 0), 100.0)
    first = advanced(found, Progress("f32", "prompts", 5, 8, 1), 150.0)
    second = advanced(first, Progress("f32", "prompts", 6, 8, 2), 152.0)
    third = advanced(second, Progress("f32", "prompts", 7, 8, 3), 154.0)
    assert (found.rate, first.rate, second.rate, third.rate) == (None, None, 0.5, 0.5)
    assert third.left == pytest.approx(2.0)


def test_gate_falls_back_on_the_speed_of_earlier_pairs() -> None:
    """While the rate of a pair is unknown, the gate's time left rests on the pairs before it."""
    seen = view(pace("q8_0", 0, 8), pace("f32", 8, 8, 8, 3.5))
    assert progress_line([seen], {F32: 8, Q8: 8}, {F32}) == (
        "asrgate q8_0::prompts 0/8 utterances; gate 8/16, at most 4 s left"
    )


def test_baseline_inside_another_item_is_named_so() -> None:
    """A baseline that is transcribed for another variant's item says for which."""
    seen = view(pace("f32", 2, 8, 2, 1.0), pace("q8_0", 8, 8, 8, 7.0), item=Q8)
    assert progress_line([seen], {F32: 8, Q8: 8}, set()) == (
        "asrgate f32::prompts for q8_0 2/8 utterances, 1.0/s, 6 s left; gate 10/16, at most 6 s left"
    )


def test_pair_outside_any_item_names_no_item() -> None:
    """What a test with the fixture transcribes is shown, and leaves the gate's figures alone."""
    seen = View({("f32", "other"): Pace(Progress("f32", "other", 3, 4, 0))}, ("f32", "other"), None)
    assert progress_line([seen], {F32: 8}, set()) == "asrgate f32::other 3/4 utterances; gate 0/8"
    assert progress_line([seen], {}, set()) == "asrgate f32::other 3/4 utterances"


def test_done_never_exceeds_total() -> None:
    """A manifest that shrank or grew under our feet, or an id found twice, cannot push done over total."""
    seen = view(pace("f32", 9, 8, 9, 8.0))
    assert progress_line([seen], {F32: 6}, set()) == "asrgate f32::prompts 8/8 utterances, 1.0/s; gate 6/6"


def test_finished_items_count_whole() -> None:
    """An item that ended without an utterance (its model is missing) is behind us, not still to come."""
    seen = view(pace("q8_0", 2, 8, 2, 1.0))
    line = progress_line([seen], {F32: 8, Q8: 8}, {F32})
    assert line.endswith("gate 10/16, at most 6 s left")


def test_workers_are_combined_in_one_line() -> None:
    """Two workers' pairs stand side by side; the gate goes as fast as both, and each pair counts once."""
    one = view(pace("f32", 4, 8, 3, 2.0))
    two = view(pace("q8_0", 2, 8, 2, 1.0), pace("f32", 1, 8))
    assert progress_line([one, two], {F32: 8, Q8: 8}, set()) == (
        "asrgate f32::prompts 4/8 utterances, 1.0/s, 4 s left; q8_0::prompts 2/8 utterances, 1.0/s, 6 s left; "
        "gate 6/16, at most 6 s left"
    )


def test_view_whose_item_ended_is_left_out() -> None:
    """A worker that is between items, or dead after its item was reported, is not shown as running."""
    one = view(pace("f32", 4, 8, 3, 2.0))
    two = view(pace("q8_0", 2, 8, 2, 1.0))
    assert progress_line([one, two], {F32: 8, Q8: 8}, {Q8}).startswith("asrgate f32::prompts 4/8 utterances, 1.0/s")
    assert progress_line([two], {F32: 8, Q8: 8}, {Q8}) == ""
    assert progress_line([View({}, None, None)], {F32: 8}, set()) == ""


def test_line_is_cut_to_the_width() -> None:
    """Where not everything fits, the gate's figures outlive the pairs', and nothing is wider than the terminal."""
    views = [view(pace(name, 2, 8, 2, 1.0)) for name in ("f32", "q8_0", "q5_0", "q4_0")]
    sizes = {(name, "prompts"): 8 for name in ("f32", "q8_0", "q5_0", "q4_0")}
    assert progress_line(views, sizes, set(), width=120) == (
        "asrgate f32::prompts 2/8 utterances, 1.0/s, 6 s left; 3 more; gate 8/32, at most 6 s left"
    )
    for width in range(1, 130):
        assert len(progress_line(views, sizes, set(), width=width)) <= width
    assert progress_line(views[:1], sizes, set(), width=20) == "asrgate f32::prompts"


def test_names_cannot_move_the_cursor() -> None:
    """A name with control characters is shown with escapes."""
    seen = View({("a\x1b[2J", "b\r"): Pace(Progress("a\x1b[2J", "b\r", 1, 2, 0))}, ("a\x1b[2J", "b\r"), None)
    assert progress_line([seen], {}, set()) == r"asrgate a\x1b[2J::b\r 1/2 utterances"


@pytest.mark.parametrize(
    ("rate", "shown"), [(6.61, "6.6/s"), (140.2, "140/s"), (0.5, "30.0/min"), (0.01, "0.6/min")]
)
def test_slow_rates_are_per_minute(rate: float, shown: str) -> None:
    """Rates under one a second are given per minute."""
    seen = view(pace("f32", 2, 2, 2, 1 / rate))
    assert progress_line([seen], {}, set()) == f"asrgate f32::prompts 2/2 utterances, {shown}"


@pytest.mark.parametrize(
    ("seconds", "shown"),
    [(0.2, "1 s"), (17.8, "18 s"), (119, "119 s"), (121, "2 min"), (3700, "62 min"), (9000, "2 h 30 min")],
)
def test_times_are_read_at_a_glance(seconds: float, shown: str) -> None:
    """Seconds up to two minutes, minutes up to two hours, then hours; what is left is never 0."""
    assert lasting(seconds) == shown


def test_snapshot_carries_the_view_across() -> None:
    """What the controller reads gives the line that the worker would have printed."""
    seen = view(pace("f32", 4, 8, 3, 2.0), pace("q8_0", 8, 8, 8, 7.0), item=Q8)
    read = view_from_json(view_to_json(seen))
    assert read is not None
    assert progress_line([read], {F32: 8, Q8: 8}, set()) == progress_line([seen], {F32: 8, Q8: 8}, set())
    assert view_from_json(view_to_json(View({}))) == View({})


@pytest.mark.parametrize("text", ["", "no json", "[]", "{}", '{"pairs": [[1]]}', '{"pairs": 3, "running": 1}'])
def test_damaged_snapshot_is_nothing(text: str) -> None:
    """A snapshot that cannot be read is no error."""
    assert view_from_json(text) is None
