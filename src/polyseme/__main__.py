"""``python -m polyseme`` is the command ``polyseme``."""

from polyseme.cli import main

if __name__ == "__main__":
    main()
