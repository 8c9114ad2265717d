"""All of `lodeboard flash`: which board, MicroPython where it is missing, the deployment, the greeting."""

from .. import boards, ports
from ..errors import LodeboardError
from . import bootsel, build, cache, deploy, greet
from . import uf2 as uf2_file
from .device import Device


def install(
    port=None, drive=None, uf2=None, board=None, erase=False, dry_run=False, progress=lambda *what: None
):
    """Flash a board; a dict that tells what was done. The arguments are the command's options."""
    config = boards.firmware_config(boards.load(board)) if board else None
    built = build.build()
    outcome = {"hash": built.hash, "version": built.manifest["version"], "dry_run": dry_run}
    image = cache.find(uf2) if uf2 else None
    if port is None and drive is None and not ports.candidates():
        drive = bootsel.find()  # says what to do when there is none either
    if drive is not None or image is not None:
        image = image or cache.find()
        outcome["uf2"] = str(image)
        outcome["drive"] = str(drive) if drive else "the board's own, after BOOTSEL"
        if dry_run and drive is None:
            return outcome
        port = _micropython(port, drive, image, dry_run, progress)
        if dry_run and port is None:
            return outcome
    port = port or ports.choose()
    serial = greet.usb_serial(port)
    with Device(port) as device:
        _check_chip(device)
        try:
            report = deploy.deploy(device, built, config, erase, dry_run, progress)
        except OSError as error:
            raise _board_error(error) from None
        outcome.update(report.as_json(), port=port)
        device.reset()
    if dry_run:
        return outcome
    progress("starting", 0, None)
    hello, port, said = greet.greet(greet.returned(port, serial), serial, progress)
    outcome["hello"] = hello
    if hello.get("hash") != built.hash:
        with Device(port) as device:
            why = greet.complaint(device)
            device.reset()
        raise LodeboardError(
            f"The board did not keep the new firmware and runs {hello.get('hash')} as before: {why}.",
            "Nothing is lost. Report this with the sentence above.",
            1,
        )
    return outcome


def summary(outcome):
    """The outcome for a person."""
    lines = []
    if "uf2" in outcome:
        verb = "would go" if outcome["dry_run"] else "went"
        lines.append(f"MicroPython {verb} on from {outcome['uf2']}.")
    if "steps" in outcome:
        what = (
            f"{outcome['sent_bytes']} bytes sent, {outcome['copied']} files copied on the board, "
            f"{outcome['kept']} kept, slot {outcome['slot']}"
        )
        if not outcome["changed"]:
            lines.append(f"{outcome['port']} has firmware {outcome['hash']} already.")
        elif outcome["dry_run"]:
            lines += [f"Would be done on {outcome['port']}: {what}.", *outcome["steps"]]
        else:
            lines.append(f"{outcome['port']} runs firmware {outcome['hash']}: {what}.")
    return "\n".join(lines)


def _micropython(port, drive, image, dry_run, progress):
    """Put MicroPython on; the port of the board afterwards (None: to be found)."""
    uf2_file.read(image)
    known = {found.name for found in ports.candidates()}
    if drive is None:
        port = port or ports.choose()
        with Device(port) as device:
            device.bootloader()
        known.discard(port)
        drive = bootsel.wait()
        given = None
    else:
        drive = bootsel.find(drive)
        given = port
    if dry_run:
        return None
    bootsel.copy(image, drive, lambda done, total: progress("MicroPython", done, total))
    return given or _new_port(known)


def _new_port(known, timeout_s=30):
    """Name of the port of a board that has just got MicroPython."""
    import time

    end = time.monotonic() + timeout_s
    while time.monotonic() < end:
        fresh = [found.name for found in ports.candidates() if found.name not in known]
        if fresh:
            return fresh[0]
        time.sleep(0.3)
    raise LodeboardError(
        "The Pico took MicroPython and did not come back as a port.",
        "Unplug it and plug it in again, then repeat without --uf2.",
        3,
    )


def _check_chip(device):
    machine, version, mpy = device.about()
    if "RP2040" not in machine:
        raise LodeboardError(f"Behind {device.port} is {machine}, no RP2040.", "Lodeboard needs a Pico.")
    if mpy & 0xFF != 6:
        raise LodeboardError(
            f"MicroPython {version} on {device.port} cannot load this firmware.",
            f"Put version {cache.PINNED} on: lodeboard flash --port {device.port} --uf2 FILE",
        )


def _board_error(error):
    if error.errno == 28:
        return LodeboardError(
            "The board's flash is full.",
            "Remove files of your own with `mpremote fs rm`, or give --erase.",
            1,
        )
    return LodeboardError(
        f"The board's file system refuses: {error.strerror}.", "The board keeps what it had; repeat.", 3
    )
