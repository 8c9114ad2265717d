"""The board around an emulated RP2040, pin by pin: tiles, LEDs, display, buttons, buzzer, supply."""
