import os

# The same questions are asked again and again: what is measured is the search, not that its result is still there.
os.environ["SEARCH_CACHE_SECONDS"] = "0"
