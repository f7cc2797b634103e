"""One pair's figures as flat scalars, for the `<property>` elements of a JUnit file."""

from collections.abc import Sequence

from pytest_asrgate.reports.entries import PairEntry
from pytest_asrgate.reports.escape import plain
from pytest_asrgate.reports.slices import worst_slice

__all__ = ["junit_properties"]

Scalar = str | int | float | bool

# What a stamp says of the engine and the model, as far as figures depend on it.
_STAMPED = (
    "engine",
    "engine_version",
    "model",
    "model_sha256",
    "model_bytes",
    "backend",
    "device",
    "threads",
)
# Under which names the checks of a status are told that decided.
_DECIDING = {"fail": "failed", "inconclusive": "inconclusive", "error": "error"}
# More digits than a speech test set can tell apart, fewer than make a log unreadable.
_DIGITS = 4


def _figures(entry: PairEntry) -> dict[str, object]:
    """What there is only where the pair was scored; rates in %, differences in pp, times in ms."""
    return {
        "asrgate_metric": entry["metric"],
        f"asrgate_{entry['metric']}_pct": entry["rate_pct"],
        **_ends("asrgate_ci", "pct", entry["ci_pct"]),
        "asrgate_delta_pp": entry["delta_pp"],
        **_ends("asrgate_delta_ci", "pp", entry["delta_ci_pp"]),
        "asrgate_lower95_pp": entry["lower95_pp"],
        "asrgate_upper95_pp": entry["upper95_pp"],
        "asrgate_resolvable_pp": entry["resolvable_pp"],
        "asrgate_utterances": entry["n"],
        "asrgate_words": entry["words"],
        "asrgate_errors": entry["substitutions"] + entry["deletions"] + entry["insertions"],
        "asrgate_substitutions": entry["substitutions"],
        "asrgate_deletions": entry["deletions"],
        "asrgate_insertions": entry["insertions"],
        "asrgate_null_references": entry["null_references"],
        "asrgate_error_rows": entry["error_rows"],
        "asrgate_truncated": len(entry["truncated"]),
        "asrgate_repetition": len(entry["repetition"]),
        "asrgate_latency_p50_ms": entry["latency_p50_ms"],
        "asrgate_transcribed": entry["transcribed"],
        "asrgate_reused": entry["reused"],
        "asrgate_transcribed_now": entry["transcribed_now"],
        "asrgate_failed_now": entry["failed_now"],
        "asrgate_normaliser": entry["contract"].get("normaliser"),
        **{f"asrgate_{key}": entry["stamp"].get(key) for key in _STAMPED},
    }


def _ends(name: str, unit: str, interval: Sequence[float | None] | None) -> dict[str, object]:
    low, high = interval or (None, None)
    return {f"{name}_low_{unit}": low, f"{name}_high_{unit}": high}


def _checks(entry: PairEntry) -> dict[str, object]:
    """The figure of every check in its own unit, and the limits that are set; which of them decided."""
    found: dict[str, object] = {}
    for check in entry["checks"]:
        found[f"asrgate_check_{check['name']}"] = check["value"]
        found[f"asrgate_limit_{check['name']}"] = check["limit"]
    placed = [("", check) for check in entry["checks"]]
    placed += [(f"slice {part['name']} ", check) for part in entry["slices"] for check in part["checks"]]
    for status, word in _DECIDING.items():
        names = [f"{place}{check['name']}" for place, check in placed if check["status"] == status]
        found[f"asrgate_{word}_checks"] = ", ".join(names) or None
    return found


def _slices(entry: PairEntry) -> dict[str, object]:
    """How many slices there are, and the one that lost most; rates in %, differences in pp."""
    worst = worst_slice(entry)
    return {
        "asrgate_slices": len(entry["slices"]) or None,
        "asrgate_worst_slice": worst["name"] if worst else None,
        "asrgate_worst_slice_pct": worst["rate_pct"] if worst else None,
        "asrgate_worst_slice_delta_pp": worst["delta_pp"] if worst else None,
    }


def _measured(entry: PairEntry) -> dict[str, object]:
    """What the latency probe and repeated decoding measured; times in ms."""
    latency, repeats = entry["latency"], entry["repeats"]
    found: dict[str, object] = {}
    if latency is not None:
        found = {
            "asrgate_probe_p50_ms": latency["p50_ms"],
            "asrgate_probe_p99_ms": latency["p99_ms"],
            "asrgate_probe_ratio": latency["ratio"],
            "asrgate_probe_rtf": latency["rtf"],
        }
    if repeats is not None:
        found |= {"asrgate_flips": len(repeats["flips"]), "asrgate_flips_utterances": repeats["utterances"]}
    return found


def _early(entry: PairEntry) -> dict[str, object]:
    """Where an early run ended, and the bounds that decided."""
    early = entry["early"]
    if early is None:
        return {}
    return {
        "asrgate_early_look": early["look"],
        "asrgate_early_utterances": early["utterances"],
        "asrgate_early_total": early["total"],
        "asrgate_early_share_pct": early["share_pct"],
        "asrgate_early_lower_pp": early["lower_pp"],
        "asrgate_early_upper_pp": early["upper_pp"],
        "asrgate_early_seed": early["seed"],
    }


def _semantic(entry: PairEntry) -> dict[str, object]:
    """The judged score, where there is one; rates in %, differences in pp, money in US dollars."""
    found = entry["semantic"]
    if found is None:
        return {}
    return {
        "asrgate_semantic_wer_pct": found["rate_pct"],
        "asrgate_semantic_upper_bound": found["upper_bound"],
        "asrgate_semantic_delta_pp": found["delta_pp"],
        "asrgate_semantic_lower95_pp": found["lower95_pp"],
        "asrgate_semantic_upper95_pp": found["upper95_pp"],
        "asrgate_judge": found["judge"],
        "asrgate_judge_errors": len(found["judge_errors"]),
        "asrgate_judge_calls": found["spending"]["calls"],
        "asrgate_judge_cost_usd": found["spending"]["cost_usd"],
        # Of this very pair's judging of the baseline, which may be no item of the run.
        "asrgate_judge_baseline_calls": found["baseline_spending"]["calls"] if found["baseline_spending"] else None,
    }


def _intent(entry: PairEntry) -> dict[str, object]:
    """Intent and entities, where they were judged; rates in %, losses in pp, money in US dollars."""
    found = entry["intent"]
    if found is None:
        return {}
    figures = found["figures"]
    properties: dict[str, object] = {
        "asrgate_intent_pct": figures["intent_pct"],
        "asrgate_entity_pct": figures["entity_pct"],
        "asrgate_intent_lower_bound": found["lower_bound"],
        "asrgate_intent_judge": found["judge"],
        "asrgate_intent_judge_errors": len(found["judge_errors"]),
        "asrgate_intent_judge_calls": found["spending"]["calls"],
        "asrgate_intent_judge_cost_usd": found["spending"]["cost_usd"],
        "asrgate_intent_judge_baseline_calls": (
            found["baseline_spending"]["calls"] if found["baseline_spending"] else None
        ),
    }
    for name, loss in (("intent", figures["intent_loss"]), ("entity", figures["entity_loss"])):
        if loss is not None:
            properties[f"asrgate_{name}_loss_pp"] = loss["loss_pp"]
            properties[f"asrgate_{name}_lower95_pp"] = loss["lower95_pp"]
            properties[f"asrgate_{name}_upper95_pp"] = loss["upper95_pp"]
    return properties


def junit_properties(entry: PairEntry) -> list[tuple[str, Scalar]]:
    """The pair's properties, floats rounded to four digits; what is unknown is left out.

    Only scalars: one value that xdist cannot send ends a whole `-n` run.
    """
    found: dict[str, object] = {
        "asrgate_variant": entry["variant"],
        "asrgate_dataset": entry["dataset"],
        "asrgate_verdict": entry["verdict"],
        "asrgate_reason": entry["reason"] or None,
        "asrgate_is_baseline": entry["is_baseline"],
        "asrgate_baseline": entry["baseline"],
        "asrgate_incomplete": entry["incomplete"],
        "asrgate_expected_to_fail": entry["expected_to_fail"],
        "asrgate_early": entry["early"] is not None,
        **_early(entry),
        **_semantic(entry),
        **_intent(entry),
        **(_figures(entry) if entry["metric"] is not None else {}),
        **_checks(entry),
        **_slices(entry),
        **_measured(entry),
        "asrgate_warnings": len(entry["warnings"]),
    }
    properties: list[tuple[str, Scalar]] = []
    for name, value in found.items():
        if isinstance(value, float):
            properties.append((name, round(value, _DIGITS)))
        elif isinstance(value, str):
            # Stamps of replayed files are anybody's words.
            properties.append((name, plain(value)))
        elif isinstance(value, int):
            properties.append((name, value))
    return properties
