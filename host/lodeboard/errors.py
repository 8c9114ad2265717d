"""The one exception for what comes from outside: files, ports, users, the wire."""


class LodeboardError(Exception):
    """What went wrong and what to do about it, a sentence each; str() is both on one line.

    code: exit status: 1 the answer is no, 2 wrong usage or input, 3 no board or lost board.
    """

    def __init__(self, what, do="", code=2):
        self.what = what
        self.do = do
        self.code = code
        super().__init__(what + " " + do if do else what)
