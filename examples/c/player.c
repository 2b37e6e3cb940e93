/* A player on standard input and output: cc -o player player.c && broadside connect HOST -- ./player */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
static int length[5] = {5, 4, 3, 3, 2}, bow[5], left[5], struck[100], result[100]; /* a cell is 10 * x + y */

static int choose(void) { /* your strategy: returns a cell with result 0, unknown; 1 is a miss, 2 a hit, 3 sunk */
    for (int cell;;) if (!result[cell = rand() % 100]) return cell;
}
static int answer(int x, int y) { /* returns the result of an attack on us; ship i is in row 2 * i */
    int i = y / 2, hit = y % 2 == 0 && x >= bow[i] && x < bow[i] + length[i];
    if (hit && !struck[10 * x + y]++) left[i]--;
    return !hit ? 1 : left[i] ? 2 : left[0] + left[1] + left[2] + left[3] + left[4] ? 3 : 4;
}
int main(void) {
    setvbuf(stdout, NULL, _IOLBF, BUFSIZ), srand((unsigned)time(NULL));
    for (int op, x, y, r = 0, first = 0, cell; scanf(" (%d,[", &op) == 1; r = scanf("]).")) {
        for (cell = 0; cell < 100 && (op == 3 || op == 4); cell++) /* a new game, in which we defend or attack first */
            first = op == 4, result[cell] = struck[cell] = 0, bow[cell % 5] = rand() % (11 - length[cell % 5]), left[cell % 5] = length[cell % 5];
        if (op == 1 && scanf("%d,%d", &x, &y) == 2) printf("(2,[%d,%d,%d]).\n", x, y, r = answer(x, y));
        if (op == 2 && scanf("%d,%d,%d", &x, &y, &r) == 3) result[10 * x + y] = r;
        if ((op == 5 && first) || (op == 1 && r < 4)) cell = choose(), result[cell] = 1, printf("(1,[%d,%d]).\n", cell / 10, cell % 10);
    }
}
