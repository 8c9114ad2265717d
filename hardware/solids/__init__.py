"""Things to print and cut: pieces, frame, plates, racks and a jig, parametric, from the board files."""
