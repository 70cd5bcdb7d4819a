"""GNU Backgammon as others ask it: the socket of its command `external`, and its programs for bear-off databases."""

from __future__ import annotations

import re
import shutil
import socket
import subprocess
import tempfile
import time
from base64 import b64encode
from pathlib import Path

from tables import Men

# Debian installs games apart.
PATHS = "/usr/games:/usr/local/games:/usr/bin:/usr/local/bin"
DATABASE = Path("/usr/share/gnubg/gnubg_os0.bd")


def program(name: str) -> str:
    """Where a program of gnubg lies."""
    found = shutil.which(name, path=PATHS)
    if found is None:
        raise FileNotFoundError(f"{name} is not installed: apt install gnubg")
    return found


def version() -> str:
    """The version of gnubg."""
    said = subprocess.run([program("gnubg"), "--version"], capture_output=True, text=True, check=True).stdout
    return re.findall(r"GNU Backgammon (\S+)", said)[0]


class Gnubg:
    """A running gnubg that answers one question after another."""

    def __init__(self) -> None:
        self.folder = tempfile.TemporaryDirectory()
        path = str(Path(self.folder.name) / "socket")
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        self.process = subprocess.Popen([program("gnubg"), "-t", "-q"], stdin=subprocess.PIPE, text=True, **quiet)
        self.process.stdin.write(f"external {path}\n")
        self.process.stdin.flush()
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(60)
        for _ in range(200):
            if Path(path).exists():
                break
            time.sleep(0.05)
        self.socket.connect(path)

    def close(self) -> None:
        """Ends the program."""
        self.socket.close()
        self.process.kill()
        self.process.wait()
        self.folder.cleanup()

    def ask(self, men: Men, side: int, *, dice=(0, 0), stake=1, owner=0, offered=False, match=0, score=(0, 0), crawford=False) -> str:
        """What a side should do: a move such as `8/5 6/5` with these dice; `roll` or `double` without; `take`, `drop` or `beaver` if
        the other side has doubled. `owner` is who may double: 0 both, 1 this side, 2 the other.
        """
        board = [0] * 26
        other = 1 - side
        for point in range(24):
            # gnubg counts a side's points from its home.
            number = 24 - point if side == 0 else point + 1
            board[number] = men[side][point] - men[other][point]
        board[25], board[0] = men[2][side], -men[2][other]
        fields = [
            "board", "us", "them", match, score[side], score[other], *board, -1 if offered else 1,
            *dice, *dice, stake, int(owner != 2), int(owner != 1), int(offered), 1, -1, 0, 25,
            men[3][side], men[3][other], men[2][side], men[2][other], 0, 0, int(crawford), 1,
        ]
        self.socket.sendall((":".join(map(str, fields)) + "\n").encode())
        return self.socket.recv(4096).decode().strip()


def bear_off(points: tuple[int, ...]) -> list[float]:
    """The chances that a side bears off its men, so many on each point of its home from the first, with its first roll, with its
    second, and so on, if it wants to be done soon.
    """
    bits = "".join("1" * number + "0" for number in (*points, *[0] * (25 - len(points))))
    both = (bits * 2).ljust(80, "0")
    identity = b64encode(bytes(int(both[at : at + 8][::-1], 2) for at in range(0, 80, 8))).decode()[:14]
    said = subprocess.run([program("bearoffdump"), "-p", identity, str(DATABASE)], capture_output=True, text=True, check=True).stdout
    rows = re.findall(r"^ +(\d+)\s+([\d.]+)\s+([\d.]+)", said.split("Bearing off", 1)[1].split("Average", 1)[0], re.MULTILINE)
    return [float(player) / 100 for rolls, player, _ in rows if int(rolls) > 0]
