"""Where shards of one pair are decoded: model processes on this machine, or workers of a Dask cluster."""
