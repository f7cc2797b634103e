"""Runs a program so that it cannot outlive us: `supervisor.py LIFELINE FDS NICE CORES -- PROGRAM ARGUMENT…`.

The parent starts this file in a session of its own and holds the other end of the LIFELINE pipe. When the parent
dies, however it dies, the pipe closes and the whole process group is killed, also a program that hangs in native
code and would never notice a closed pipe. Where this process is killed alone the program goes with it (Linux). It
ends as the program ended. Standard library only: it starts before anything else and must cost next to nothing.
"""

import contextlib
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


def _take_place(nice: int, cores: str) -> None:
    """Set what the program and all its threads inherit; what the system refuses is left as it is."""
    with contextlib.suppress(OSError):
        if nice > os.getpriority(os.PRIO_PROCESS, 0):
            os.setpriority(os.PRIO_PROCESS, 0, nice)
    if cores:
        with contextlib.suppress(OSError):
            os.sched_setaffinity(0, [int(core) for core in cores.split(",")])


def _die_with_supervisor() -> None:
    """Have the program killed when this process is, since nobody else would end it when our parent dies."""
    import ctypes  # noqa: PLC0415 - some milliseconds that only Linux has a use for

    _PR_SET_PDEATHSIG = 1  # noqa: N806 - its name in prctl(2)
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


def main() -> None:
    """Start the program and wait for it.

    FDS is a comma-separated list, which may be empty: `7` is passed on as it is, `0=7` and `1=8` become the
    program's standard input and output. NICE is its niceness, 0 for ours; CORES are numbers, none for all cores.
    """
    lifeline, descriptors, nice, cores, _, *program = sys.argv[1:]
    given = [item.rpartition("=") for item in descriptors.split(",") if item]
    standard = {place: int(number) for place, _, number in given if place}
    passed = [int(number) for place, _, number in given if not place]
    os.set_inheritable(int(lifeline), False)
    _take_place(int(nice), cores)
    try:
        child = subprocess.Popen(
            program,
            pass_fds=passed,
            stdin=standard.get("0"),
            stdout=standard.get("1"),
            # There is one thread yet, which lives as long as this process.
            preexec_fn=_die_with_supervisor if sys.platform == "linux" else None,  # noqa: PLW1509 - as above
        )
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
