"""Downloading a file from the web."""

from __future__ import annotations

import hashlib
from pathlib import Path

from polyseme.errors import InputError

TIMEOUT_SECONDS = 60.0
"""How long to wait for an answer."""

MAX_DOWNLOAD_BYTES = 2_000_000_000

_CHUNK_BYTES = 1 << 16


def download(url: str, path: Path, *, sha256: str = "", timeout: float = TIMEOUT_SECONDS) -> Path:
    """Download an address to a file.

    Args:
        url: The address.
        path: The file to write.
        sha256: The expected SHA-256 digest; empty if it is unknown.
        timeout: The number of seconds to wait for an answer.

    Raises:
        polyseme.errors.InputError: The address cannot be read, or the content has another digest.
    """
    import http.client
    import urllib.error
    import urllib.request  # slow to import, and seldom needed

    try:
        request = urllib.request.Request(url, headers={"User-Agent": "polyseme"})
        with urllib.request.urlopen(request, timeout=timeout) as answer, path.open("wb") as file:
            while chunk := answer.read(_CHUNK_BYTES):
                file.write(chunk)
                if file.tell() > MAX_DOWNLOAD_BYTES:
                    raise InputError(f"more than {MAX_DOWNLOAD_BYTES:,} bytes; this is not a data set", path=url)
    except urllib.error.HTTPError as error:
        error.close()
        raise InputError(f"the server answers {error.code} ({error.reason})", path=url) from None
    except (http.client.HTTPException, OSError, ValueError) as error:  # urllib's own errors are of these kinds
        why = getattr(error, "reason", None) or error
        raise InputError(f"cannot be fetched: {why}; fetch it by other means and name the file", path=url) from None
    return verify_digest(path, sha256, url) if sha256 else path


def verify_digest(path: Path, sha256: str, source: object) -> Path:
    """Return the file if it has the expected SHA-256 digest.

    Raises:
        polyseme.errors.InputError: It has another; the message names ``source``.
    """
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    if digest != sha256:
        raise InputError(f"its SHA-256 is {digest}, not {sha256}: it is damaged or another file", path=source)
    return path
