% A player for any server that speaks Broadside's line protocol, in SWI-Prolog.
%
%   swipl client.pl HOST:PORT [GAMES [RULES [OPPONENT]]]
%
% plays GAMES games (default 1). Without RULES it uses only the base protocol,
% which every server supports, and reconnects for each game. With RULES (classic
% or hasbro) it plays a series on one connection, against any opponent or against
% OPPONENT, such as "bot hard". BROADSIDE_TOKEN can have the token of a registered
% program.
%
% Without arguments it plays on the server at BROADSIDE_RELAY until that server is
% gone, so that it can play in the arena:
%
%   broadside arena duel me hard --external me="swipl examples/client.pl"
%
% Each line of the protocol is a Prolog term, (Opcode,[Parameters]). and a line
% ending, so read/1 reads them directly from the socket.

:- use_module(library(socket)).
:- use_module(library(random)).
:- use_module(library(lists)).
:- use_module(library(apply)).
:- use_module(library(yall)).
:- use_module(library(readutil)).

:- dynamic may_touch/0. % whether the rules let the ships of a fleet touch

% The state of a game, cleared before the next one.
:- dynamic
    ship/2,      % ship(Name, Cells): one of our ships and its cells
    struck/1,    % struck(Cell): the opponent has attacked this cell
    tried/1,     % tried(Cell): we have attacked this cell
    water/1,     % water(Cell): not attacked, but next to a sunk ship
    chased/1.    % chased(Cell): a hit on a ship that is afloat

% Cells are X-Y, counted from 0.
size(10).

on_board(X-Y) :-
    size(N), Last is N - 1,
    between(0, Last, X),
    between(0, Last, Y).

beside(X-Y, DX, DY, X1-Y1) :-
    member(DX-DY, [-1-0, 1-0, 0-(-1), 0-1]),
    X1 is X + DX,
    Y1 is Y + DY,
    on_board(X1-Y1).

% Placement: one ship after another at random; if one does not fit, start over.

place :-
    repeat,
    retractall(ship(_, _)),
    forall(member(Name-Length, [carrier-5, battleship-4, cruiser-3, submarine-3, destroyer-2]),
           ignore(place(Name, Length))),
    aggregate_all(count, ship(_, _), 5),
    !.

place(Name, Length) :-
    size(N),
    X is random(N), Y is random(N),
    random_member(DX-DY, [1-0, 0-1]),
    Last is Length - 1,
    findall(XI-YI, (between(0, Last, I), XI is X + I * DX, YI is Y + I * DY), Cells),
    forall(member(Cell, Cells), (on_board(Cell), free(Cell))),
    assertz(ship(Name, Cells)).

free(Cell) :-
    \+ occupied(Cell),
    \+ ( beside(Cell, _, _, Next), occupied(Next) ).

occupied(Cell) :- ship(_, Cells), memberchk(Cell, Cells).

% Defence: 1 is water, 2 a hit, 3 sunk, 4 the last ship sunk.

answer(Cell, Result) :-
    ( struck(Cell) -> true ; assertz(struck(Cell)) ),
    (   ship(Name, Cells), memberchk(Cell, Cells)
    ->  (   afloat(Name) -> Result = 2
        ;   afloat(_)    -> Result = 3
        ;   Result = 4
        )
    ;   Result = 1
    ).

afloat(Name) :-
    ship(Name, Cells),
    member(Cell, Cells),
    \+ struck(Cell),
    !.

% Attack: in line with two hits, else next to a hit, else anywhere.

aim(Cell) :- findall(C, in_line(C), Cells), random_member(Cell, Cells), !.
aim(Cell) :- findall(C, next_to_hit(C), Cells), random_member(Cell, Cells), !.
aim(Cell) :- findall(C, open(C), Cells), random_member(Cell, Cells), !.
aim(Cell) :- findall(C, (on_board(C), \+ tried(C)), Cells), random_member(Cell, Cells), !.
aim(Cell) :- findall(C, on_board(C), Cells), random_member(Cell, Cells).

open(Cell) :- on_board(Cell), \+ tried(Cell), \+ water(Cell).

next_to_hit(Cell) :- chased(Hit), beside(Hit, _, _, Cell), open(Cell).

in_line(Cell) :-
    chased(Hit),
    beside(Hit, DX, DY, Cell),
    open(Cell),
    Hit = X-Y,
    BX is X - DX, BY is Y - DY,
    chased(BX-BY).

learn(Cell, Result) :-
    ( tried(Cell) -> true ; assertz(tried(Cell)) ),
    ( Result >= 2, \+ chased(Cell) -> assertz(chased(Cell)) ; true ),
    ( Result =:= 3 -> sunk(Cell) ; true ).

% The sunk ship is the longer row of hits through the cell.
sunk(Cell) :-
    row(Cell, 1-0, Across), length(Across, N),
    row(Cell, 0-1, Down), length(Down, M),
    ( N >= M -> Ship = Across ; Ship = Down ),
    forall(member(Part, Ship), retractall(chased(Part))),
    ( may_touch -> true ; around(Ship) ).

% There is no ship next to a sunk one.
around(Ship) :-
    forall(( member(Part, Ship), beside(Part, _, _, Next) ), assertz(water(Next))).

row(X-Y, DX-DY, [X-Y | Row]) :-
    BackX is -DX, BackY is -DY,
    on(X-Y, DX-DY, Ahead),
    on(X-Y, BackX-BackY, Behind),
    append(Ahead, Behind, Row).

on(X-Y, DX-DY, [X1-Y1 | Rest]) :-
    X1 is X + DX, Y1 is Y + DY,
    chased(X1-Y1),
    !,
    on(X1-Y1, DX-DY, Rest).
on(_, _, []).

begin :-
    retractall(struck(_)), retractall(tried(_)), retractall(water(_)), retractall(chased(_)),
    place.

% One game. Its outcome is won, lost or cut (it ended early).

game(Address, Outcome) :-
    begin,
    tcp_connect(Address, Stream, [nodelay(true)]),
    call_cleanup(catch(play(Stream, Outcome), error(_, _), Outcome = cut),
                 close(Stream, [force(true)])).

play(Stream, Outcome) :-
    read(Stream, (Role, [])),
    read(Stream, (5, [])),
    ( Role =:= 4 -> attack(Stream) ; true ),
    rounds(Stream, Outcome),
    !.
play(_, cut).

rounds(Stream, Outcome) :-
    read(Stream, Term),
    handle(Term, Stream, Outcome).

handle((1, [X, Y]), Stream, Outcome) :-
    answer(X-Y, Result),
    send(Stream, (2, [X, Y, Result])),
    (   Result =:= 4
    ->  Outcome = lost
    ;   attack(Stream),
        rounds(Stream, Outcome)
    ).
handle((2, [_, _, 4]), _, won) :- !.
handle((2, [X, Y, Result]), Stream, Outcome) :-
    learn(X-Y, Result),
    rounds(Stream, Outcome).
handle(end_of_file, _, cut).

attack(Stream) :-
    aim(X-Y),
    send(Stream, (1, [X, Y])).

send(Stream, (Op, Parameters)) :-
    atomic_list_concat(Parameters, ',', List),
    format(Stream, "(~w,[~w]).~n", [Op, List]),
    flush_output(Stream).

% A series on one connection. read/1 skips directives as comments, so this part
% reads lines, and counts the games from their results.

play_series(Address, Directives, Won, Lost) :-
    tcp_connect(Address, Stream, [nodelay(true)]),
    call_cleanup(
        (   forall(member(D, Directives), format(Stream, "% ~w~n", [D])),
            flush_output(Stream),
            lines(Stream, waiting, 0-0, Won-Lost)
        ),
        close(Stream, [force(true)])).

lines(Stream, State, Count, Final) :-
    read_line_to_string(Stream, Line),
    (   Line == end_of_file
    ->  Final = Count
    ;   string_concat("%", Said, Line)
    ->  split_string(Said, " ", " ", Words),
        said(Words, State, Count, Count1),
        lines(Stream, State, Count1, Final)
    ;   term_string(Term, Line),
        told(Term, Stream, State, State1),
        lines(Stream, State1, Count, Final)
    ).

said(["result", "won" | _], _, Won-Lost, Won1-Lost) :- !, Won1 is Won + 1.
said(["result", "lost" | _], _, Won-Lost, Won-Lost1) :- !, Lost1 is Lost + 1.
said(["error", Code | Words], State, Count, Count) :-
    Code \== "ignored", Code \== "unrated",
    !,
    atomic_list_concat(Words, ' ', Text),
    format(user_error, "~w~n", [Text]),
    ( State == waiting -> halt(1) ; true ). % the server refused the game
said(_, _, Count, Count).

told((3, []), _, _, defending) :- begin.
told((4, []), _, _, attacking) :- begin.
told((5, []), Stream, State, State) :- ( State == attacking -> attack(Stream) ; true ).
told((1, [X, Y]), Stream, State, State) :-
    answer(X-Y, Result),
    send(Stream, (2, [X, Y, Result])),
    ( Result =:= 4 -> true ; attack(Stream) ).
told((2, [X, Y, Result]), _, State, State) :- learn(X-Y, Result).

% Command line.

main :-
    current_prolog_flag(argv, Args),
    (   Args = [Where, Number, Rules | Opponent]
    ->  on_one_connection(Where, Number, Rules, Opponent), halt
    ;   Args = [Where, Number]         -> atom_number(Number, Games)
    ;   Args = [Where]                 -> Games = 1
    ;   getenv('BROADSIDE_RELAY', Where) -> Games = forever
    ;   format(user_error, "usage: swipl client.pl HOST:PORT [GAMES [RULES [OPPONENT]]]~n", []), halt(1)
    ),
    address(Where, Address),
    series(Games, Address, 0, 0).

address(Where, Host:Port) :-
    atomic_list_concat([Host, PortText], ':', Where),
    atom_number(PortText, Port).

on_one_connection(_, _, Rules, _) :-
    \+ memberchk(Rules, [classic, hasbro]), !,
    format(user_error, "this client cannot play ~w: choose classic or hasbro~n", [Rules]), halt(1).
on_one_connection(Where, Number, Rules, Opponent) :-
    ( Rules == hasbro -> assertz(may_touch) ; true ),
    ( Opponent = [Name] -> true ; Name = any ),
    ( getenv('BROADSIDE_TOKEN', T) -> atom_concat('token ', T, Token), Known = [Token] ; Known = [] ),
    maplist([Word, Value, D]>>atom_concat(Word, Value, D), ['rules ', 'games '], [Rules, Number], Wishes),
    atom_concat('vs ', Name, Versus), % last, because it starts the game
    append([['hello broadside/1 name=prolog-client'], Wishes, Known, [Versus]], Directives),
    address(Where, Address),
    (   catch(play_series(Address, Directives, Won, Lost), error(socket_error(_, _), _), fail)
    ->  report(Won, Lost)
    ;   format(user_error, "no relay at ~w~n", [Where]), halt(1)
    ).

series(0, _, Won, Lost) :- !, report(Won, Lost).
series(Games, Address, Won, Lost) :-
    (   catch(game(Address, Outcome), error(socket_error(_, _), _), fail)
    ->  ( Outcome == won  -> Won1 is Won + 1   ; Won1 = Won ),
        ( Outcome == lost -> Lost1 is Lost + 1 ; Lost1 = Lost ),
        ( Games == forever -> Left = Games ; Left is Games - 1 ),
        series(Left, Address, Won1, Lost1)
    ;   Games == forever
    ->  report(Won, Lost)
    ;   format(user_error, "no relay at ~w~n", [Address]), halt(1)
    ).

report(Won, Lost) :-
    format("End of game. Prolog won ~w times and lost ~w times.~n", [Won, Lost]).

:- initialization(main, main).
