"""How often something may still happen that was seen in so many of so many utterances."""

__all__ = ["binomial_upper"]


def binomial_upper(count: int, total: int, *, alpha: float = 0.05) -> float | None:
    """One-sided upper bound at level `alpha`, in percent, of the rate behind `count` of `total`.

    The exact bound of Clopper and Pearson (1934): 100 % where all of them show it, None where there are none.
    ValueError for a count that is not between 0 and the total.
    """
    if not 0 <= count <= total:
        raise ValueError(f"{count} of {total} is no share")
    if not total:
        return None
    if count == total:
        return 100.0
    from scipy.special import betaincinv  # noqa: PLC0415 - heavy: only where something is computed

    return 100.0 * float(betaincinv(count + 1, total - count, 1.0 - alpha))
