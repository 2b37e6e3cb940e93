% A whole player in Prolog. It reads terms straight from the socket with
% read/1, defends a fixed fleet, and shoots at one cell after the other.
%
%   swipl client.pl HOST PORT

:- use_module(library(socket)).
:- dynamic hit/2, next/1.

next(0).

ship(carrier,    [0-0, 1-0, 2-0, 3-0, 4-0]).
ship(battleship, [0-2, 1-2, 2-2, 3-2]).
ship(cruiser,    [0-4, 1-4, 2-4]).
ship(submarine,  [0-6, 1-6, 2-6]).
ship(destroyer,  [0-8, 1-8]).

main :-
    current_prolog_flag(argv, [Host, PortAtom]),
    atom_number(PortAtom, Port),
    tcp_connect(Host:Port, Stream, []),
    set_input(Stream),
    set_output(Stream),
    read((Role, [])),
    read((5, [])),
    ( Role =:= 4 -> attack ; true ),
    play,
    close(Stream, [force(true)]),
    halt.

play :-
    read(Term),
    handle(Term).

handle((1, [X, Y])) :-
    assertz(hit(X, Y)),
    result(X, Y, R),
    format("(2,[~w,~w,~w]).~n", [X, Y, R]),
    flush_output,
    ( R =:= 4 -> format(user_error, "lost~n", [])
    ; attack, play
    ).
handle((2, [_, _, 4])) :-
    format(user_error, "won~n", []).
handle((2, [_, _, _])) :-
    play.
handle(end_of_file) :-
    format(user_error, "cut short~n", []),
    halt(1).

attack :-
    retract(next(N)),
    M is N + 1,
    assertz(next(M)),
    X is N mod 10,
    Y is N // 10,
    format("(1,[~w,~w]).~n", [X, Y]),
    flush_output.

result(X, Y, R) :-
    ship(Name, Cells),
    memberchk(X-Y, Cells), !,
    ( afloat(Name) -> R = 2
    ; afloat(_) -> R = 3
    ; R = 4
    ).
result(_, _, 1).

afloat(Name) :-
    ship(Name, Cells),
    member(X-Y, Cells),
    \+ hit(X, Y), !.

:- initialization(main, main).
