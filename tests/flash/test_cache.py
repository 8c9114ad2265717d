"""MicroPython's image: found, downloaded, checked; the network is played by a function."""

import hashlib
import io
import urllib.error

import pytest
from lodeboard.errors import LodeboardError
from lodeboard.flash import cache

from .test_uf2 import block

IMAGE = b"".join(block(n, 4) for n in range(4))
NAME = "RPI_PICO-20240602-v1.23.0.uf2"


class Answer(io.BytesIO):
    def __init__(self, data):
        super().__init__(data)
        self.headers = {"Content-Length": str(len(data))}


@pytest.fixture(autouse=True)
def folder(monkeypatch, tmp_path):
    monkeypatch.delenv(cache.VARIABLE, raising=False)
    monkeypatch.setattr(cache, "folder", lambda: tmp_path / "firmware")
    monkeypatch.setattr(cache, "KNOWN", {"1.23.0": (NAME, hashlib.sha256(IMAGE).hexdigest())})
    return tmp_path / "firmware"


def offline(url, timeout):
    raise urllib.error.URLError("Name or service not known")


def test_the_pinned_image_is_downloaded_once(folder):
    asked, seen = [], []

    def web(url, timeout):
        asked.append(url)
        return Answer(IMAGE)

    path = cache.get(progress=lambda done, total: seen.append((done, total)), opener=web)
    assert path == folder / NAME and path.read_bytes() == IMAGE
    assert asked == [cache.SITE + NAME] and seen[-1] == (len(IMAGE), len(IMAGE))
    assert cache.get(opener=offline) == path == cache.find()


@pytest.mark.parametrize("data, words", [(IMAGE[:-512] + block(3, 4, payload=b"\1" * 256), "SHA-256"),
                                         (IMAGE[:-100], "whole number"), (b"", "whole number")])  # fmt: skip
def test_what_is_not_the_pinned_image_is_not_kept(folder, data, words):
    with pytest.raises(LodeboardError, match=words):
        cache.get(opener=lambda url, timeout: Answer(data))
    assert not list(folder.iterdir())


def test_offline_the_way_by_hand_is_told():
    with pytest.raises(LodeboardError) as error:
        cache.get(opener=offline)
    assert "--uf2 FILE" in error.value.do and cache.VARIABLE in error.value.do and error.value.code == 1
    with pytest.raises(LodeboardError, match="firmware get"):
        cache.find()


def test_an_image_may_be_handed_over(monkeypatch, tmp_path):
    mine = tmp_path / "mine.uf2"
    mine.write_bytes(IMAGE)
    assert cache.find(str(mine)) == mine
    monkeypatch.setenv(cache.VARIABLE, str(mine))
    assert cache.find() == mine
    monkeypatch.setenv(cache.VARIABLE, str(tmp_path / "none"))
    with pytest.raises(LodeboardError, match="LODEBOARD_UF2"):
        cache.find()


def test_another_version_is_looked_up_in_the_list():
    page = b'<a href="/resources/firmware/RPI_PICO-20250415-v1.25.0.uf2">v1.25.0</a>'

    def web(url, timeout):
        return Answer(page if url == cache.INDEX else IMAGE)

    assert cache.get("1.25.0", opener=web).name == "RPI_PICO-20250415-v1.25.0.uf2"
    with pytest.raises(LodeboardError, match="no image of MicroPython 1.26.0"):
        cache.get("1.26.0", opener=web)
    with pytest.raises(LodeboardError, match="no version"):
        cache.get("latest", opener=web)


def test_a_spoilt_cache_is_noticed(folder):
    folder.mkdir()
    (folder / NAME).write_bytes(IMAGE[:512])
    with pytest.raises(LodeboardError):
        cache.find()
