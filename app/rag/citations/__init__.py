"""Citations, checked while the answer streams: markers, quotes and their support."""
