% A player on standard input and output: broadside connect HOST -- swipl -g main -t halt player.pl
:- dynamic ship/3, struck/2, attacked/3.

% Your strategy: a cell that has not been attacked. attacked(X, Y, Result) has the others: 1 miss, 2 hit, 3 sunk.
choose(X, Y) :-
    findall(A-B, ( between(0, 9, A), between(0, 9, B), \+ attacked(A, B, _) ), Open), random_member(X-Y, Open).

main :- prompt(_, ''), repeat, read(Term), ( Term == end_of_file -> ! ; once(handle(Term)), flush_output, fail ).

handle((Role, [])) :- Role < 5, nb_setval(role, Role), maplist(retractall, [ship(_, _, _), struck(_, _), attacked(_, _, _)]),
    forall(member(Row-Length, [0-5, 2-4, 4-3, 6-3, 8-2]),
           ( random_between(Length, 10, End), Bow is End - Length, assertz(ship(Row, Bow, End)) )).
handle((5, [])) :- ( nb_getval(role, 4) -> attack ; true ).
handle((1, [X, Y])) :- assertz(struck(X, Y)), answer(X, Y, Result), format("(2,[~w,~w,~w]).~n", [X, Y, Result]),
    ( Result =:= 4 -> true ; attack ).
handle((2, [X, Y, Result])) :- retract(attacked(X, Y, _)), assertz(attacked(X, Y, Result)).

attack :- choose(X, Y), assertz(attacked(X, Y, 0)), format("(1,[~w,~w]).~n", [X, Y]).

answer(X, Y, Result) :- ship(Y, Bow, End), X >= Bow, X < End, !, ( afloat(Y) -> Result = 2 ; afloat(_) -> Result = 3 ; Result = 4 ).
answer(_, _, 1).
afloat(Row) :- ship(Row, Bow, End), Last is End - 1, between(Bow, Last, X), \+ struck(X, Row), !.
