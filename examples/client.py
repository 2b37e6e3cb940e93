#!/usr/bin/env python3
"""A player for any Broadside relay, with nothing but Python's own library.

    python3 client.py HOST:PORT [GAMES]

plays so many games, one if it is not said, and connects anew for each. Without
arguments it plays on the relay that BROADSIDE_RELAY names until that is gone,
which makes it a program for the arena:

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


def neighbours(cell):
    x, y = cell
    return {(x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)} & BOARD


def random_fleet():
    """Five ships that do not touch along an edge, as lists of cells."""
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
    """One game: a fleet of its own, and what it knows of the other one."""

    def __init__(self):
        self.afloat = [set(ship) for ship in random_fleet()]
        self.ships = [set(ship) for ship in self.afloat]
        self.open = set(BOARD)  # cells worth a shot
        self.tried = set()
        self.chased = set()  # hits on a ship that floats

    def answer(self, cell):
        """What a shot of the other side does."""
        for ship, rest in zip(self.ships, self.afloat):
            if cell in ship:
                rest.discard(cell)
                if rest:
                    return HIT
                return SUNK if any(self.afloat) else LAST_SUNK
        return WATER

    def shoot(self):
        """Beside the hits, along their line if there is one, or anywhere."""
        around = set().union(*map(neighbours, self.chased)) & self.open
        if len(self.chased) > 1:
            columns, rows = {x for x, _ in self.chased}, {y for _, y in self.chased}
            line = {(x, y) for x, y in around if {x} == columns or {y} == rows}
            around = line or around
        return random.choice(sorted(around or self.open or BOARD - self.tried or BOARD))

    def learn(self, cell, result):
        self.tried.add(cell)
        self.open.discard(cell)
        if result == HIT:
            self.chased.add(cell)
        elif result == SUNK:  # no ship lies beside a sunk one
            self.chased.add(cell)
            self.open -= set().union(*map(neighbours, self.chased))
            self.chased.clear()


def play(host, port):
    """Plays one game. Returns True if it was won, False if it was lost, and
    None if it was cut short."""
    player, attacks_first = Player(), False
    with socket.create_connection((host, port)) as connection:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        wire = connection.makefile("rw", newline="\n")

        def send(opcode, *parameters):
            wire.write(f"({opcode},[{','.join(map(str, parameters))}]).\n")
            wire.flush()

        for line in wire:
            opcode, *numbers = map(int, re.findall(r"\d+", line))
            if opcode == ATTACK_FIRST:
                attacks_first = True
            elif opcode == START and attacks_first:
                send(ATTACK, *player.shoot())
            elif opcode == ATTACK:
                result = player.answer(tuple(numbers))
                send(RESULT, *numbers, result)
                if result == LAST_SUNK:
                    return False
                send(ATTACK, *player.shoot())
            elif opcode == RESULT:
                x, y, result = numbers
                if result == LAST_SUNK:
                    return True
                player.learn((x, y), result)
    return None


def main():
    address = sys.argv[1] if len(sys.argv) > 1 else os.environ.get("BROADSIDE_RELAY")
    if not address:
        sys.exit("usage: client.py HOST:PORT [GAMES]")
    host, _, port = address.rpartition(":")
    left = int(sys.argv[2]) if len(sys.argv) > 2 else 1 if len(sys.argv) > 1 else None
    won = lost = 0
    while left is None or left > 0:
        try:
            outcome = play(host, int(port))
        except ConnectionRefusedError as error:
            if left is None:
                break
            sys.exit(f"no relay at {address}: {error}")
        except OSError:
            outcome = None  # cut off in the middle of the game
        won, lost = won + (outcome is True), lost + (outcome is False)
        if left is not None:
            left -= 1
    print(f"End of game. Python won {won} times and lost {lost} times.")


main()
