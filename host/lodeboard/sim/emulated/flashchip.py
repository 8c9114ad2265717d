"""The flash chip beside the RP2040: its unique id, and the moment at which the power goes while it writes.

    flash = FlashChip(seed=7)        a simulated board's id begins with "sim": its firmware says so in hello
    flash.cut_at(3)                  the third write or erase from now is done by half, then the power is gone
    flash.writes                     writes and erases so far
"""

READ_UNIQUE_ID = 0x4B  # then four bytes of nothing, then eight of the id (W25Q data sheets)
PAGE_PROGRAM = 0x02
SECTOR_ERASE = 0x20
BLOCK_ERASE = 0xD8
SECTOR = 4096


class PowerCut(Exception):
    """The power went, as asked for."""


class FlashChip:
    def __init__(self, seed=0):
        self.unique_id = b"sim\0" + (seed & 0xFFFFFFFF).to_bytes(4, "big")
        self.writes = 0
        self._cut_at = None

    def cut_at(self, number):
        """number: 1 is the next write or erase; None calls it off."""
        self._cut_at = None if number is None else self.writes + number

    def attach(self, chip):
        self._ssi = ssi = chip.mcu.ssi
        self._chip = chip
        self._shift_byte, self._apply = ssi._shift_byte, ssi._apply_command
        ssi._shift_byte = self._on_byte
        ssi._apply_command = self._on_command

    def _on_byte(self, byte):
        value = self._shift_byte(byte)
        sent = self._ssi._tx_buffer
        if sent[0] == READ_UNIQUE_ID and 5 <= len(sent) - 1 < 13:
            return self.unique_id[len(sent) - 6]
        return value

    def _on_command(self):
        sent = self._ssi._tx_buffer
        if not sent or sent[0] not in (PAGE_PROGRAM, SECTOR_ERASE, BLOCK_ERASE):
            self._apply()
            return
        self.writes += 1
        if self._cut_at is None or self.writes < self._cut_at:
            self._apply()
            return
        self._cut_at = None
        if sent[0] == PAGE_PROGRAM:
            del sent[4 + (len(sent) - 4) // 2 :]
            self._apply()
        else:
            at = self._ssi._address_from_buffer() & ~(SECTOR - 1)
            self._chip.mcu.flash[at : at + SECTOR // 2] = b"\xff" * (SECTOR // 2)
        self._chip.power_off()
