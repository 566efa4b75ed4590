"""`make bench`: see parts.py, which nothing imports but this.

Every process that reads a document imports the module that its parent was started from; so there is nothing in it.
"""

if __name__ == "__main__":
    import asyncio

    from tests.bench.parts import main

    asyncio.run(main())
