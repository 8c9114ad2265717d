"""Tau and its open form Calypso: two seats, seven sticks each, 21 holes, three in a row of one colour.

    game = shared_rules.load("tau", open=True, repetition=3)
    game.play(game.parse("y/o@C3"))

Options: open (both colours of a stick stay known: Calypso), repetition (a draw at the N-th same position,
0: never; the rulebook prints no draw), starter (seat from 1).

Holes are numbered 0..20 in the order of HOLES, pieces 0..6 in the order of PIECES; an end is 0 when the
first colour of the piece's name is up, 1 when the second is. A move is an int:

    place  (piece * 2 + end) * 21 + hole        0..293
    turn   294 + hole                         294..314
    move   315 + 21 * from + to               315..755

so text and take-back need no position. A hole holds 0 or 1 + 14 * seat + 2 * piece + end.
"""

from .game import IllegalMove, check_seats, check_starter, is_count, settle_options

HOLES = tuple(
    "ABCDE"[x] + "12345"[y] for y in range(5) for x in range(5) if not (x in (0, 4) and y in (0, 4))
)
PIECES = ("yo", "or", "rp", "pb", "bg", "gy", "wk")
OPTIONS = {"players": 2, "open": False, "repetition": 0, "starter": 1}

TURN = len(PIECES) * 2 * len(HOLES)
MOVE = TURN + len(HOLES)
END = MOVE + len(HOLES) * len(HOLES)
WILD = 6


def _lines():
    """The 36 lines of three adjacent holes, as triples of hole numbers."""
    found = []
    for name in HOLES:
        x, y = ord(name[0]) - 65, ord(name[1]) - 49
        for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1)):
            line = []
            for step in range(3):
                column, row = x + step * dx, y + step * dy
                at = "ABCDE"[column : column + 1] + "12345"[row : row + 1] if row >= 0 else ""
                if at in HOLES:
                    line.append(HOLES.index(at))
            if len(line) == 3:
                found.append(tuple(line))
    return tuple(found)


LINES = _lines()
# For each hole the two others of every line through it, one after the other.
THROUGH = tuple(
    bytes([at for line in LINES if hole in line for at in line if at != hole]) for hole in range(len(HOLES))
)
# What a hole's content shows, one bit a colour: white has every bit and black none, so three holes
# win exactly when their masks have a bit in common (there are two whites, so one hole names the colour).
_BIT = {"y": 1, "o": 2, "r": 4, "p": 8, "b": 16, "g": 32, "w": 63, "k": 0}
SHOWS = bytes([0] + [_BIT[piece[end]] for _ in range(2) for piece in PIECES for end in range(2)])
# The same content for people: (seat, piece, colour up, colour down).
STICKS = (None,) + tuple(
    (seat, piece, piece[end], piece[1 - end]) for seat in range(2) for piece in PIECES for end in range(2)
)


def place(piece, end, hole):
    """The move that puts a stick from the rack into a hole."""
    return (piece * 2 + end) * 21 + hole


def turn_over(hole):
    """The move that turns the stick in a hole."""
    return TURN + hole


def shift(start, goal):
    """The move that carries a stick from one hole to another."""
    return MOVE + 21 * start + goal


def parts(move):
    """A move taken apart: ("place", piece, end, hole), ("turn", hole) or ("move", from, to)."""
    if move < TURN:
        return "place", move // 42, move // 21 % 2, move % 21
    if move < MOVE:
        return "turn", move - TURN
    return "move", (move - MOVE) // 21, (move - MOVE) % 21


class Game:
    """A game of Tau. See game.py for what every game has; beyond that:

    holes, lines, pieces     the tables above
    ended_by                 "win", "draw" or None
    """

    name = "tau"
    holes = HOLES
    lines = LINES
    pieces = PIECES

    def __init__(self, **options):
        self._start(options)

    def _start(self, options):
        self.options = options = settle_options(self.name, OPTIONS, options)
        check_seats(self.name, options["players"], 2, 2)
        check_starter(options)
        if options["open"] not in (True, False):
            raise ValueError("open is true or false, not %s" % (options["open"],))
        options["open"] = bool(options["open"])
        repetition = options["repetition"]
        if not is_count(repetition) or repetition == 1:
            raise ValueError("repetition is 0 for no draw, or 2 and more, not %s" % (repetition,))
        self.players = 2
        self.turn = options["starter"] - 1
        self.ended_by = None
        self.history = []
        self._winner = None
        self._board = bytearray(21)
        self._shows = bytearray(21)
        self._racks = bytearray([127, 127])  # bit p: piece p is still off the board

    # What is where

    def stick_at(self, hole):
        """(seat, piece name, colour up, colour down) of the stick in a hole (a number), or None."""
        return STICKS[self._board[hole]]

    def off_board(self, seat):
        """Names of this seat's sticks that are still in its rack."""
        return [piece for at, piece in enumerate(PIECES) if self._racks[seat] >> at & 1]

    def line(self):
        """Numbers of the holes of every line that is won, each once; [] when none is."""
        shows = self._shows
        won = [line for line in LINES if shows[line[0]] & shows[line[1]] & shows[line[2]]]
        return sorted({hole for line in won for hole in line})

    # Moves

    def legal(self):
        if self.turn is None:
            return []
        board, rack = self._board, self._racks[self.turn]
        empty = [hole for hole in range(21) if not board[hole]]
        moves = []
        for piece in range(7):
            if rack >> piece & 1 and (piece != WILD or rack == 1 << WILD):
                for first in (piece * 42, piece * 42 + 21):
                    for hole in empty:
                        moves.append(first + hole)
        low = 1 + 14 * self.turn
        for start in range(21):
            if low <= board[start] < low + 14:
                moves.append(TURN + start)
                first = MOVE + 21 * start
                for hole in empty:
                    moves.append(first + hole)
        return moves

    def census(self):
        """(number of legal moves, how many of them win), counted without playing them."""
        if self.turn is None:
            return 0, 0
        board, shows, rack = self._board, self._shows, self._racks[self.turn]
        low = 1 + 14 * self.turn
        hand = [low + 2 * p + end for p in range(7) for end in (0, 1) if rack >> p & 1]
        if rack != 1 << WILD:
            hand = [content for content in hand if content < low + 2 * WILD]
        own = [hole for hole in range(21) if low <= board[hole] < low + 14]
        free = wins = 0
        for hole in range(21):
            wanted = 0  # colours that would win in this hole
            through = THROUGH[hole]
            for at in range(0, len(through), 2):
                wanted |= shows[through[at]] & shows[through[at + 1]]
            if not board[hole]:
                free += 1
            if not wanted:
                continue
            if board[hole]:
                if hole in own and SHOWS[((board[hole] - 1) ^ 1) + 1] & wanted:
                    wins += 1
                continue
            for content in hand:
                if SHOWS[content] & wanted:
                    wins += 1
            for start in own:
                if shows[start] & wanted and self._wins(shows[start], hole, start):
                    wins += 1
        return free * (len(hand) + len(own)) + len(own), wins

    def is_legal(self, move):
        return self.why_not(move) is None

    def why_not(self, move):
        if self.turn is None:
            return "the game is over"
        if not isinstance(move, int) or not 0 <= move < END:
            return "there is no such move"
        board, rack = self._board, self._racks[self.turn]
        if move < TURN:
            piece, hole = move // 42, move % 21
            if not rack >> piece & 1:
                return "this stick is already on the board"
            if piece == WILD and rack != 1 << WILD:
                return "the white and black stick waits for the other six"
            return "there is a stick in %s" % HOLES[hole] if board[hole] else None
        start = move - TURN if move < MOVE else (move - MOVE) // 21
        if not board[start]:
            return "there is no stick in %s" % HOLES[start]
        if STICKS[board[start]][0] != self.turn:
            return "the stick in %s is the opponent's" % HOLES[start]
        if move >= MOVE:
            goal = (move - MOVE) % 21
            if goal == start:
                return "a stick put back as it was is no move"
            if board[goal]:
                return "there is a stick in %s" % HOLES[goal]
        return None

    def play(self, move):
        why = self.why_not(move)
        if why:
            raise IllegalMove(why)
        seat = self.turn
        self.history.append((seat, move))
        hole = self._do(seat, move)
        if self._wins(self._shows[hole], hole, hole):
            self._winner, self.turn, self.ended_by = seat, None, "win"
            return
        self.turn = 1 - seat
        if self.options["repetition"] and self._times_seen() >= self.options["repetition"]:
            self.turn, self.ended_by = None, "draw"

    def undo(self):
        seat, move = self.history.pop()
        if move < TURN:
            self._put(move % 21, 0)
            self._racks[seat] |= 1 << move // 42
        elif move < MOVE:
            self._do(seat, move)
        else:
            start, goal = (move - MOVE) // 21, (move - MOVE) % 21
            self._do(seat, MOVE + 21 * goal + start)
        self.turn, self._winner, self.ended_by = seat, None, None
        return move

    def _put(self, hole, content):
        self._board[hole] = content
        self._shows[hole] = SHOWS[content]

    def _do(self, seat, move):
        """Plays without asking; the hole that now shows something new."""
        if move < TURN:
            hole = move % 21
            self._put(hole, 1 + 14 * seat + move // 21)
            self._racks[seat] &= ~(1 << move // 42)
            return hole
        if move < MOVE:
            hole = move - TURN
            self._put(hole, ((self._board[hole] - 1) ^ 1) + 1)
            return hole
        start, hole = (move - MOVE) // 21, (move - MOVE) % 21
        self._put(hole, self._board[start])
        self._put(start, 0)
        return hole

    def _wins(self, shown, hole, start):
        """Whether a stick that shows this mask wins in a hole; start is where it came from."""
        shows, through = self._shows, THROUGH[hole]
        for at in range(0, len(through), 2):
            one, other = through[at], through[at + 1]
            if shown & shows[one] & shows[other] and one != start and other != start:
                return True
        return False

    def _times_seen(self):
        """How often the position before the seat in turn has been there, this time included.

        Walks back over moves and turns (before a placement there was another position for good) and counts
        the holes that differ from now: nothing is stored for it.
        """
        then = bytearray(self._board)
        times = 1
        differ = 0
        for ply in range(len(self.history) - 1, -1, -1):
            move = self.history[ply][1]
            if move < TURN:
                break
            if move < MOVE:
                start = goal = move - TURN
                before = ((then[goal] - 1) ^ 1) + 1
            else:
                start, goal = (move - MOVE) // 21, (move - MOVE) % 21
                before = then[goal]
            for hole, content in ((goal, 0), (start, before)):
                differ -= then[hole] != self._board[hole]
                then[hole] = content
                differ += content != self._board[hole]
            if not differ and self.history[ply][0] == self.turn:
                times += 1
        return times

    # Text

    def text(self, move):
        kind = parts(move)
        if kind[0] == "place":
            piece = PIECES[kind[1]]
            return "%s/%s@%s" % (piece[kind[2]], piece[1 - kind[2]], HOLES[kind[3]])
        if kind[0] == "turn":
            return "~" + HOLES[kind[1]]
        return HOLES[kind[1]] + "-" + HOLES[kind[2]]

    def parse(self, text):
        if not isinstance(text, str):
            raise IllegalMove("a move is a text such as y/o@C3, ~C3 or C3-D4")
        if text[:1] == "~":
            return turn_over(_hole(text[1:]))
        if text[1:2] == "/" and text[3:4] == "@":
            up, down = text[0], text[2]
            for piece, name in enumerate(PIECES):
                if name in (up + down, down + up):
                    return place(piece, 0 if name[0] == up else 1, _hole(text[4:]))
            raise IllegalMove("no stick has the colours %s and %s" % (up, down))
        if text[2:3] == "-":
            return shift(_hole(text[:2]), _hole(text[3:]))
        raise IllegalMove("%s is no move of Tau; write y/o@C3, ~C3 or C3-D4" % (text[:20] or "nothing"))

    # Results and copies

    def scores(self):
        return None

    def ranking(self):
        if self.turn is not None:
            return None
        if self._winner is None:
            return [[0, 1]]
        return [self._winner, 1 - self._winner]

    def snapshot(self):
        return {
            "game": self.name,
            "options": dict(self.options),
            "moves": [self.text(move) for _, move in self.history],
        }

    def restore(self, snapshot):
        self._start(snapshot["options"])
        for text in snapshot["moves"]:
            self.play(self.parse(text))

    def seen_by(self, seat):
        """What a seat may know; None is a spectator, who may know all.

        Keys: game, options, turn, moves, holes {name: [seat, piece, up, down]}, racks (piece names a seat).
        Unless the game is open, a player's copy has "?" for every colour that is covered now, and in place
        of the names of pieces on the board.
        """
        told = self.options["open"] or seat is None
        moves = []
        for ply, (_, move) in enumerate(self.history):
            text = self.text(move)
            if not told and move < TURN:
                if self._turned_since(ply):
                    text = "?" + text[1:]
                else:
                    text = text[:2] + "?" + text[3:]
            moves.append(text)
        holes = {}
        for hole in range(21):
            stick = self.stick_at(hole)
            if stick:
                holes[HOLES[hole]] = list(stick) if told else [stick[0], "?", stick[2], "?"]
        return {
            "game": self.name,
            "options": dict(self.options),
            "turn": self.turn,
            "moves": moves,
            "holes": holes,
            "racks": [self.off_board(0), self.off_board(1)],
        }

    def _turned_since(self, ply):
        """Whether the stick placed at this ply now shows its other end."""
        hole, turned = self.history[ply][1] % 21, False
        for _, move in self.history[ply + 1 :]:
            if move == TURN + hole:
                turned = not turned
            elif move >= MOVE and (move - MOVE) // 21 == hole:
                hole = (move - MOVE) % 21
        return turned


def _hole(name):
    if name not in HOLES:
        name = name[:20] or "nothing"
        raise IllegalMove("%s is no hole; files are A to E, ranks 1 to 5, without the corners" % name)
    return HOLES.index(name)
