"""What a set of times says."""


def percentiles(times_ms):
    """Their median, 99th and 99.9th percentile, under the names that `payonce bench --json` has for them."""
    times = sorted(times_ms)
    share = lambda it: times[int(it * (len(times) - 1))]
    return {"p50_ms": share(0.5), "p99_ms": share(0.99), "p999_ms": share(0.999)}
