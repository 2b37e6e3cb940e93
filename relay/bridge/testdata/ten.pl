% A player in ten lines: its ships are in rows 0, 2, 4, 6 and 8, and it attacks one cell after another.
:- dynamic struck/2.
main :- prompt(_, ''), repeat, read(T), ( T == end_of_file -> ! ; once(play(T)), flush_output, fail ).
play((Role, [])) :- Role < 5, retractall(struck(_, _)), nb_setval(next, 0), nb_setval(role, Role).
play((5, [])) :- ( nb_getval(role, 4) -> attack ; true ).
play((1, [X, Y])) :- assertz(struck(X, Y)), result(X, Y, R), format("(2,[~w,~w,~w]).~n", [X, Y, R]), ( R =:= 4 -> true ; attack ).
play((2, _)).
attack :- nb_getval(next, N), M is N + 1, nb_setval(next, M), X is N mod 10, Y is N // 10, format("(1,[~w,~w]).~n", [X, Y]).
result(X, Y, R) :- ( \+ ship(X, Y) -> R = 1 ; ship(A, Y), \+ struck(A, Y) -> R = 2 ; ship(A, B), \+ struck(A, B) -> R = 3 ; R = 4 ).
ship(X, Y) :- member(Y-N, [0-5, 2-4, 4-3, 6-3, 8-2]), M is N - 1, between(0, M, X).
