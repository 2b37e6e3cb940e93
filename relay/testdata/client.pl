% A client that plays one whole game: it connects, reads terms with read/1
% straight from the socket, answers for its fleet and shoots at every cell in
% turn, from the first row on or, given "backwards", from the last.
%
%     swipl client.pl HOST PORT forwards|backwards
%
% Its last line is "won" or "lost".

:- use_module(library(socket)).
:- initialization(main, main).

% ship(Name, X, Y, Length): all lie from west to east.
ship(carrier, 0, 0, 5).
ship(battleship, 0, 2, 4).
ship(cruiser, 0, 4, 3).
ship(submarine, 0, 6, 3).
ship(destroyer, 0, 8, 2).

:- dynamic shot/2.

main([Host, PortAtom, Order]) :-
    atom_number(PortAtom, Port),
    tcp_connect(Host:Port, Stream, [nodelay(true)]),
    set_stream(Stream, encoding(ascii)),
    read(Stream, (Role, [])),
    read(Stream, (5, [])),
    order(Order, Cells),
    play(Role, Stream, Cells, Outcome),
    close(Stream, [force(true)]),
    writeln(Outcome).

order(forwards, Cells) :-
    findall(X-Y, (between(0, 9, Y), between(0, 9, X)), Cells).
order(backwards, Cells) :-
    order(forwards, Forwards),
    reverse(Forwards, Cells).

% play(+Role, +Stream, +Cells, -Outcome): 3 defends, 4 attacks.
play(4, Stream, [X-Y|Cells], Outcome) :-
    send(Stream, (1, [X, Y])),
    read(Stream, (2, [X, Y, R])),
    (   R == 4
    ->  Outcome = won
    ;   play(3, Stream, Cells, Outcome)
    ).
play(3, Stream, Cells, Outcome) :-
    read(Stream, (1, [X, Y])),
    answer(X, Y, R),
    send(Stream, (2, [X, Y, R])),
    (   R == 4
    ->  read(Stream, end_of_file),
        Outcome = lost
    ;   play(4, Stream, Cells, Outcome)
    ).

send(Stream, (Op, Parameters)) :-
    format(Stream, "(~w,~w).~n", [Op, Parameters]),
    flush_output(Stream).

% answer(+X, +Y, -R): what a shot at the cell does.
answer(X, Y, R) :-
    assertz(shot(X, Y)),
    (   ship(Name, SX, Y, Length), X >= SX, X < SX + Length
    ->  (   afloat(Name)
        ->  R = 2
        ;   afloat(_)
        ->  R = 3
        ;   R = 4
        )
    ;   R = 1
    ).

afloat(Name) :-
    ship(Name, SX, Y, Length),
    End is SX + Length - 1,
    between(SX, End, X),
    \+ shot(X, Y), !.
