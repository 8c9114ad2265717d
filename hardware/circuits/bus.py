"""The sixteen wires between controller and tiles, and what each contact of the connector carries.

Eight signals and the token's way back, three contacts of 3.3 V and four of ground. Every fast or quiet wire
lies between supplies: ANALOG between two grounds, CLK between 3.3 V and ground, LED behind a ground.
TOKEN and RETURN are neighbours so that a plain jumper on the last tile's OUT header closes the loop.
The 5 V of the LEDs and its return run on their own wires (docs/hardware/electrical.md says why).
"""

CONTACTS = (
    "3V3",
    "GND",
    "SEL0",
    "SEL1",
    "SEL2",
    "SEL3",
    "3V3",
    "GND",
    "ANALOG",
    "GND",
    "3V3",
    "CLK",
    "GND",
    "LED",
    "TOKEN",
    "RETURN",
)


def contacts(nets):
    """{contact number as text: net}; nets: {name of CONTACTS: net}."""
    return {str(i + 1): nets[name] for i, name in enumerate(CONTACTS)}
