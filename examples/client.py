#!/usr/bin/env python3
"""A player for any server that speaks Broadside's line protocol, using only the
standard library.

    python3 client.py HOST:PORT [GAMES [RULES [OPPONENT]]]

plays GAMES games (default 1). Without RULES it uses only the base protocol,
which every server supports, and reconnects for each game. With RULES (classic or
hasbro) it plays a series on one connection, against any opponent or against
OPPONENT, such as "bot hard". If BROADSIDE_TOKEN has the token of a registered
program, the server places its fleets and answers for them, so that the matches are rated.

Without arguments it plays on the server at BROADSIDE_RELAY until that server is
gone, so that it can play in the arena:

    broadside arena duel me hard --external me="python3 examples/client.py"
"""

import os
import random
import re
import socket
import sys

SIZE = 10
LENGTHS = [5, 4, 3, 3, 2]
WATER, HIT, SUNK, LAST_SUNK = 1, 2, 3, 4  # the results of a shot
ATTACK, RESULT, DEFEND_FIRST, ATTACK_FIRST, START = 1, 2, 3, 4, 5  # the opcodes
BOARD = {(x, y) for x in range(SIZE) for y in range(SIZE)}
STEPS = [(1, 0), (0, 1), (-1, 0), (0, -1)]


def neighbours(cell):
    return {(cell[0] + dx, cell[1] + dy) for dx, dy in STEPS} & BOARD


def random_fleet():
    """Returns five ships that do not touch along an edge, legal under both rule sets."""
    while True:
        fleet, taken = [], set()
        for length in LENGTHS:
            x, y = random.randrange(SIZE), random.randrange(SIZE)
            dx, dy = random.choice([(1, 0), (0, 1)])
            ship = {(x + i * dx, y + i * dy) for i in range(length)}
            if not ship <= BOARD or ship & taken:
                break
            fleet.append(ship)
            taken |= ship.union(*map(neighbours, ship))
        else:
            return fleet


class Player:
    """One game: our fleet, and what we know about the opponent's."""

    def __init__(self, rules):
        self.may_touch = rules == "hasbro"
        self.ships = random_fleet()
        self.afloat = [set(ship) for ship in self.ships]
        self.open = set(BOARD)  # cells worth a shot
        self.chased = set()  # hits on ships that are afloat

    def answer(self, cell):
        """Returns the result of an attack on our fleet."""
        for ship, rest in zip(self.ships, self.afloat):
            if cell in ship:
                rest.discard(cell)
                if rest:
                    return HIT
                return SUNK if any(self.afloat) else LAST_SUNK
        return WATER

    def shoot(self):
        """Returns a cell in line with two hits, else next to a hit, else anywhere."""
        line, around = set(), set()
        for x, y in self.chased:
            for dx, dy in STEPS:
                if (x + dx, y + dy) in self.open:
                    around.add((x + dx, y + dy))
                    if (x - dx, y - dy) in self.chased:
                        line.add((x + dx, y + dy))
        return random.choice(sorted(line or around or self.open or BOARD))

    def learn(self, cell, result):
        self.open.discard(cell)
        if result == HIT:
            self.chased.add(cell)
        elif result == SUNK:
            ship = self.ship_at(cell)
            self.chased -= ship
            if not self.may_touch:  # there is no ship next to a sunk one
                self.open -= set().union(*map(neighbours, ship))

    def ship_at(self, cell):
        """Returns the sunk ship at the cell: the longer row of hits through it."""
        rows = []
        for dx, dy in STEPS[:2]:
            row = {cell}
            for sign in (1, -1):
                x, y = cell[0] + sign * dx, cell[1] + sign * dy
                while (x, y) in self.chased:
                    row.add((x, y))
                    x, y = x + sign * dx, y + sign * dy
            rows.append(row)
        return max(rows, key=len)


def lines(connection):
    """Yields the lines that arrive. They may come in pieces and end in \\n, \\r\\n or \\r."""
    rest = ""
    while data := connection.recv(4096):
        *whole, rest = re.split("[\r\n]", rest + data.decode("ascii", "replace"))
        yield from filter(None, whole)


def play(host, port, directives=(), rules="classic", answers=True):
    """Plays on one connection. Yields for each game True if it was won, False if it
    was lost, and None if it ended early."""
    player, attacks_first, begun = None, False, False
    with socket.create_connection((host, port)) as connection:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

        def send(opcode, *parameters):
            connection.sendall(f"({opcode},[{','.join(map(str, parameters))}]).\n".encode())

        def say(*directives):
            connection.sendall("".join(f"% {d}\n" for d in directives).encode())

        say(*directives)
        for line in lines(connection):
            if line.startswith("%"):  # sent only to clients that send directives
                words = line[1:].split()
                if words[0] == "error" and words[1] not in ("ignored", "unrated"):
                    print(" ".join(words[2:]), file=sys.stderr)
                    if not begun:  # the server refused the game
                        sys.exit(1)
                elif words[0] == "result":
                    yield {"won": True, "lost": False}.get(words[1])
                continue
            opcode, *numbers = map(int, re.findall(r"\d+", line))
            if opcode in (DEFEND_FIRST, ATTACK_FIRST):
                player = Player(rules)
                attacks_first, begun = opcode == ATTACK_FIRST, True
            elif opcode == START and attacks_first:
                send(ATTACK, *player.shoot())
            elif opcode == ATTACK:
                result = None
                if answers:
                    result = player.answer(tuple(numbers))
                    send(RESULT, *numbers, result)
                if result != LAST_SUNK:
                    send(ATTACK, *player.shoot())
                elif not directives:
                    yield False
                    return
            elif opcode == RESULT:
                x, y, result = numbers
                player.learn((x, y), result)
                if result == LAST_SUNK and not directives:
                    yield True
                    return
    if not directives:
        yield None


def outcomes(address, games, rules, opponent):
    """Plays the games, all on one connection if there are rules, and yields as play does."""
    host, _, port = address.rpartition(":")
    if rules:
        directives = ["hello broadside/1 name=python", f"rules {rules}", f"games {games}"]
        token = os.environ.get("BROADSIDE_TOKEN")
        if token:
            directives += ["token " + token, "layout uniform"]
        try:
            yield from play(host, int(port), directives + [f"vs {opponent or 'any'}"], rules, not token)
        except ConnectionRefusedError as error:
            sys.exit(f"no relay at {address}: {error}")
        return
    played = 0
    while games is None or played < games:
        try:
            yield from play(host, int(port))
        except ConnectionRefusedError as error:
            if games is None:
                return
            sys.exit(f"no relay at {address}: {error}")
        except OSError:
            yield None  # disconnected during the game
        played += 1


def main():
    args = sys.argv[1:]
    address = args[0] if args else os.environ.get("BROADSIDE_RELAY")
    if not address:
        sys.exit("usage: client.py HOST:PORT [GAMES [RULES [OPPONENT]]]")
    if args[2:] and args[2] not in ("classic", "hasbro"):
        sys.exit(f"this client cannot play {args[2]}: choose classic or hasbro")
    games = int(args[1]) if len(args) > 1 else 1 if args else None
    args += [""] * 4
    all_games = list(outcomes(address, games, args[2], args[3]))
    print(f"End of game. Python won {all_games.count(True)} times and lost {all_games.count(False)} times.")


if __name__ == "__main__":
    main()
