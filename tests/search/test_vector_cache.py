"""The cache of embedding spaces: threads that load, versions, and spaces that are removed meanwhile."""

import threading

import numpy

from app.knowledge.index.vector_cache import IDLE_SECONDS, VectorCache
from app.knowledge.index.vector_snapshot import VectorSnapshot

PATIENCE = 60.0
MEGABYTES = 1_000_000


def make_snapshot(version: int) -> VectorSnapshot:
    nothing, ids = numpy.empty(0, numpy.int64), numpy.arange(3)
    return VectorSnapshot.empty(8, 3).update(
        version, nothing, ids, [numpy.eye(3, 8, dtype=numpy.float32)], is_complete=True
    )


def load_first(_: VectorSnapshot | None, __: int) -> VectorSnapshot:
    return make_snapshot(1)


def test_loading_holds_nobody_up() -> None:
    cache, began, go_on = VectorCache(MEGABYTES), threading.Event(), threading.Event()

    def load(_: VectorSnapshot | None, __: int) -> VectorSnapshot:
        began.set()
        assert go_on.wait(PATIENCE)
        return make_snapshot(1)

    loading = threading.Thread(target=lambda: cache.open_space("space", 1, load))
    loading.start()
    assert began.wait(PATIENCE)
    assert cache.open_space("space", 1, load) is None
    assert cache.open_space("another", 1, load_first) is not None
    go_on.set()
    loading.join(PATIENCE)
    assert cache.open_space("space", 1, load) is not None


def test_a_space_forgotten_while_it_is_updated_stays_forgotten() -> None:
    cache = VectorCache(MEGABYTES)

    def load(_: VectorSnapshot | None, __: int) -> VectorSnapshot:
        cache.forget_spaces(["space"])
        return make_snapshot(1)

    assert cache.open_space("space", 1, load) is None
    assert cache.space_ids == []
    assert cache.bytes == 0


def test_of_two_spaces_loaded_at_once_that_do_not_fit_together_the_first_to_finish_stays() -> None:
    cache = VectorCache(make_snapshot(1).bytes + 1)

    def load(_: VectorSnapshot | None, __: int) -> VectorSnapshot:
        assert cache.open_space("another", 1, load_first) is not None
        return make_snapshot(1)

    assert cache.open_space("space", 1, load) is None
    assert cache.space_ids == ["space", "another"]
    assert cache.is_loaded("another")


def test_a_transaction_that_began_earlier_does_not_see_a_later_version() -> None:
    cache, versions = VectorCache(MEGABYTES), iter([2])

    def load(_: VectorSnapshot | None, __: int) -> VectorSnapshot:
        return make_snapshot(next(versions))

    assert cache.open_space("space", 2, load) is not None
    assert cache.open_space("space", 1, load) is None
    assert cache.open_space("space", 2, load) is not None


def test_an_update_takes_no_longer_the_more_idle_spaces_are_in_memory() -> None:
    looks, moment = list[float](), 0.0

    def clock() -> float:
        looks.append(moment)
        return moment

    cache = VectorCache(MEGABYTES, clock)
    for number in range(500):
        assert cache.open_space(str(number), 1, load_first) is not None
    assert cache.bytes == 500 * make_snapshot(1).bytes
    assert len(cache.choose_spaces(100)) == 100
    moment = 2 * IDLE_SECONDS
    looks.clear()
    assert cache.open_space("7", 2, lambda _, __: make_snapshot(2)) is not None
    assert len(looks) < 10
    cache.forget_spaces(["7", "8", "none"])
    assert cache.bytes == 498 * make_snapshot(1).bytes


def test_idle_spaces_make_room_those_searched_longest_ago_first() -> None:
    moment, each = 0.0, make_snapshot(1).bytes
    cache = VectorCache(3 * each, lambda: moment)
    for name in ("one", "two", "three"):
        assert cache.open_space(name, 1, load_first) is not None
    assert cache.open_space("four", 1, load_first) is None, "the others were searched lately"
    moment = 2 * IDLE_SECONDS
    assert cache.open_space("two", 1, load_first) is not None
    assert cache.open_space("four", 1, load_first) is not None
    assert [name for name in ("one", "two", "three", "four") if cache.is_loaded(name)] == ["two", "three", "four"]
    assert cache.bytes == 3 * each
