"""Runs a program so that it cannot outlive us: `supervisor.py LIFELINE FDS -- PROGRAM ARGUMENT…`.

The parent starts this file in a session of its own and holds the other end of the LIFELINE pipe. When the parent
dies, however it dies, the pipe closes and the whole process group is killed, also a program that hangs in native
code and would never notice a closed pipe. It ends as the program ended. Standard library only: it starts before
anything else and must cost next to nothing.
"""

import os
import resource
import signal
import subprocess
import sys
import threading


def _kill_group_when_closed(lifeline: int) -> None:
    while os.read(lifeline, 1):
        continue
    os.killpg(0, signal.SIGKILL)


def _end_as(code: int) -> None:
    """Exit with the program's code, or die of the signal that it died of."""
    if code >= 0:
        os._exit(code)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    signal.signal(-code, signal.SIG_DFL) if -code not in {signal.SIGKILL, signal.SIGSTOP} else None
    os.kill(os.getpid(), -code)


def main() -> None:
    """Start the program and wait for it.

    FDS is a comma-separated list, which may be empty: `7` is passed on as it is, `0=7` and `1=8` become the
    program's standard input and output.
    """
    lifeline, descriptors, _, *program = sys.argv[1:]
    given = [item.rpartition("=") for item in descriptors.split(",") if item]
    standard = {place: int(number) for place, _, number in given if place}
    passed = [int(number) for place, _, number in given if not place]
    os.set_inheritable(int(lifeline), False)
    try:
        child = subprocess.Popen(program, pass_fds=passed, stdin=standard.get("0"), stdout=standard.get("1"))
    except OSError as error:
        sys.stderr.write(f"cannot start {program[0]}: {error.strerror}\n")
        os._exit(127)
    for number in [*passed, *standard.values()]:
        # The program alone holds them now, so that its death is seen at once at the other end.
        os.close(number)
    threading.Thread(target=_kill_group_when_closed, args=(int(lifeline),), daemon=True).start()
    _end_as(child.wait())


if __name__ == "__main__":
    main()
