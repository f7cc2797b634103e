"""One pair's figures as flat scalars, for the `<property>` elements of a JUnit file."""

from pytest_asrgate.reports.entries import PairEntry
from pytest_asrgate.reports.escape import plain

__all__ = ["junit_properties"]

Scalar = str | int | float | bool

# More digits than a speech test set can tell apart, fewer than make a log unreadable.
_DIGITS = 4


def _figures(entry: PairEntry) -> dict[str, object]:
    """What there is only where the pair was scored; rates in %, differences in pp, times in ms."""
    return {
        f"asrgate_{entry['metric']}_pct": entry["rate_pct"],
        "asrgate_delta_pp": entry["delta_pp"],
        "asrgate_lower95_pp": entry["lower95_pp"],
        "asrgate_upper95_pp": entry["upper95_pp"],
        "asrgate_resolvable_pp": entry["resolvable_pp"],
        "asrgate_utterances": entry["n"],
        "asrgate_words": entry["words"],
        "asrgate_errors": entry["substitutions"] + entry["deletions"] + entry["insertions"],
        "asrgate_error_rows": entry["error_rows"],
        "asrgate_latency_p50_ms": entry["latency_p50_ms"],
        "asrgate_transcribed": entry["transcribed"],
        "asrgate_reused": entry["reused"],
        "asrgate_engine": entry["stamp"].get("engine"),
        "asrgate_engine_version": entry["stamp"].get("engine_version"),
        "asrgate_model_sha256": entry["stamp"].get("model_sha256"),
    }


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
        "asrgate_baseline": entry["baseline"],
        "asrgate_incomplete": entry["incomplete"],
        "asrgate_expected_to_fail": entry["expected_to_fail"],
        "asrgate_early": entry["early"] is not None,
        **_early(entry),
        **_semantic(entry),
        **_intent(entry),
        **(_figures(entry) if entry["metric"] is not None else {}),
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
