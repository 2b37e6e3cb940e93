// A player on standard input and output: broadside connect HOST -- node player.js

// Your strategy: returns an open cell, such as "3,4". Results has the cells attacked so far: 1 miss, 2 hit, 3 sunk.
const choose = (open, results) => open[Math.floor(Math.random() * open.length)];

let first, ships, struck, results, open;
function handle([op, x, y, result]) {
  let answer = 0;
  if (op === 3 || op === 4) { // a new game, in which we defend or attack first
    [first, struck, results] = [op === 4, new Set(), new Map()];
    open = Array.from({ length: 100 }, (_, n) => `${n % 10},${Math.floor(n / 10)}`);
    const bows = [5, 4, 3, 3, 2].map((n) => Math.floor(Math.random() * (11 - n)));
    ships = [5, 4, 3, 3, 2].map((n, row) => Array.from({ length: n }, (_, i) => `${bows[row] + i},${2 * row}`));
  }
  if (op === 1) { // an attack: answer it
    struck.add(`${x},${y}`);
    const ship = ships.find((cells) => cells.includes(`${x},${y}`)), afloat = (cells) => cells.some((cell) => !struck.has(cell));
    answer = !ship ? 1 : afloat(ship) ? 2 : ships.some(afloat) ? 3 : 4;
    console.log(`(2,[${x},${y},${answer}]).`);
  }
  if (op === 2) results.set(`${x},${y}`, result);
  if ((op === 5 && first) || (op === 1 && answer < 4)) console.log(`(1,[${open.splice(open.indexOf(choose(open, results)), 1)}]).`);
}
if (require.main === module) require('readline').createInterface({ input: process.stdin }).on('line', (line) => handle(line.match(/\d+/g).map(Number)));
