// Live updates, the controls of replays, and copying. Pages work without this module.

const words = JSON.parse(document.body.dataset.words);

/** text returns one of the page's texts with its arguments. */
const text = (name, ...args) => words[name].replace(/\{(\d)\}/g, (_, i) => args[i]);

/** label describes a cell to screen readers. */
const label = (at, cell) => `${at} ${words[cell.state]}${cell.heat ? `, ${text('percent', cell.glyph)}` : ''}`;

const open = {state: 'sea', glyph: '~'};

/** Board is a board of the page. */
class Board {
  constructor(svg) {
    this.svg = svg;
    this.cells = new Map();
    this.size = Number(svg.getAttribute('aria-rowcount'));
    const all = svg.querySelectorAll('[role=gridcell]');
    all.forEach((element, i) => {
      this.cells.set(String.fromCharCode(65 + Math.floor(i / this.size)) + (i % this.size + 1), element);
    });
    this.order = [...all];
    this.order[0].tabIndex = 0;
    svg.addEventListener('keydown', (event) => this.move(event));
    svg.addEventListener('focusin', (event) => this.choose(event.target));
  }

  /** choose makes a cell the one that the tab key reaches. */
  choose(cell) {
    for (const other of this.order) other.removeAttribute('tabindex');
    cell.tabIndex = 0;
  }

  /** move moves the focus among the cells. */
  move(event) {
    const i = this.order.indexOf(document.activeElement);
    const x = i % this.size;
    const to = {
      ArrowLeft: x > 0 ? i - 1 : i, ArrowRight: x < this.size - 1 ? i + 1 : i, ArrowUp: i - this.size, ArrowDown: i + this.size,
      Home: i - x, End: i - x + this.size - 1,
    }[event.key];
    if (i < 0 || to === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    const cell = this.order[to];
    if (!cell) return;
    cell.tabIndex = 0;
    cell.focus();
  }

  /** set shows cells by their names. */
  set(cells) {
    for (const {cell: at, ...cell} of cells) this.draw(at, cell);
  }

  draw(at, cell) {
    const element = this.cells.get(at);
    if (!element) return;
    const [hull, tile, glyph] = element.children;
    element.setAttribute('class', cell.state + (cell.last ? ' last' : '') + (cell.heat ? ` heat heat${cell.heat}` : ''));
    element.setAttribute('aria-label', label(at, cell));
    for (const [path, name] of [[hull, 'hull'], [tile, 'tile']]) {
      path.setAttribute('class', name);
      path.setAttribute('d', cell[name] ?? '');
    }
    glyph.textContent = cell.glyph;
  }

  /** show shows a whole board: a map of the cells that are not open sea. */
  show(cells) {
    for (const at of this.cells.keys()) this.draw(at, cells.get(at) ?? open);
  }
}

/** Page is the part of a page with two boards. */
class Page {
  constructor(root) {
    this.root = root;
    this.boards = [...root.querySelectorAll('.board')].map((svg) => new Board(svg));
    this.names = root.querySelector('.boards').dataset.names.split('\n');
    this.status = root.querySelector('[data-status]');
  }

  /** figures shows the numbers of both players and whose turn it is. */
  figures(status) {
    this.root.querySelectorAll('.figures').forEach((element, side) => {
      element.querySelector('[data-shots]').textContent = status.shots[side];
      element.querySelector('[data-hits]').textContent = status.hits[side];
      element.querySelector('[data-afloat]').textContent = status.afloat[side];
      element.parentElement.classList.toggle('turn', status.turn === side);
    });
  }

  /** line describes the state of the match. */
  line(status) {
    if (status.winner !== null) return text('won', this.names[status.winner]);
    if (status.phase === 'over') return text('nobody-won');
    if (status.turn !== null) return text('turn', this.names[status.turn]);
    return text('placing');
  }

  /** say returns an event as a line of the log, or nothing. */
  say(event) {
    const result = {water: 'miss', hit: 'hit', sunk: 'sunk', last: 'sunk'}[event.result];
    switch (event.event) {
      case 'answered': return text('fired', this.names[1 - event.player], event.cell, words[result]);
      case 'begun': return text('begins', this.names[event.player]);
      case 'ended': return event.player === undefined ? text('nobody-won') : text('won', this.names[event.player]);
    }
  }
}

/** Live is the page of a running match. While it is hidden, it has no connection. */
class Live extends Page {
  constructor(root) {
    super(root);
    this.log = root.querySelector('[data-log]');
    [this.feed, this.last] = root.dataset.live.split('?last-event-id=');
    if (this.log) this.log.scrollTop = this.log.scrollHeight;
    document.addEventListener('visibilitychange', () => this.connect());
    this.connect();
  }

  connect() {
    this.source?.close();
    if (document.hidden || this.over) return;
    this.source = new EventSource(`${this.feed}?last-event-id=${this.last}`);
    this.source.onmessage = (message) => this.add(this.say(JSON.parse(message.data)));
    this.source.addEventListener('boards', (message) => {
      this.last = message.lastEventId;
      this.update(JSON.parse(message.data));
    });
    this.source.onerror = () => {
      this.status.textContent = words.lost;
      // The browser does not retry if the match is gone.
      if (this.source.readyState === EventSource.CLOSED) setTimeout(() => location.reload(), 6000);
    };
  }

  /** add adds a line to the log. */
  add(line) {
    if (!line || !this.log) return;
    const item = document.createElement('li');
    item.textContent = line;
    this.log.append(item);
    this.log.scrollTop = this.log.scrollHeight;
  }

  update(now) {
    this.boards.forEach((board, side) => {
      if (now.full) board.show(new Map(now.boards[side].map((cell) => [cell.cell, cell])));
      else board.set(now.boards[side]);
    });
    this.figures(now);
    this.status.textContent = this.line(now);
    this.root.dataset.phase = now.phase;
    if (now.phase !== 'over' || this.over) return;
    this.over = true;
    this.source.close();
    setTimeout(() => location.assign(this.root.dataset.again), 6000); // the replay, or the next match
  }
}

/** Replay is the page of a finished match. */
class Replay extends Page {
  constructor(root, frames) {
    super(root);
    this.frames = frames;
    this.states = [];
    const now = [new Map(), new Map()];
    for (const frame of frames) {
      frame.boards.forEach((cells, side) => cells.forEach((cell) => now[side].set(cell.cell, cell)));
      this.states.push(now.map((board) => new Map(board)));
    }
    this.at = Number(root.dataset.frame);
    this.hot = root.dataset.hot === '1';
    this.range = root.querySelector('[data-scrub]');
    this.play = root.querySelector('[data-play]');
    this.pace = root.querySelector('[data-pace]');
    this.heat = root.querySelector('[data-heat]');
    this.shots = [...root.querySelectorAll('[data-shots] a')];
    for (const element of [this.range, this.play, this.pace, root.querySelector('[data-keys]')]) element.hidden = false;
    this.listen();
    this.show(this.at);
  }

  listen() {
    const last = this.frames.length - 1;
    const go = {first: () => 0, back: () => this.at - 1, next: () => this.at + 1, last: () => last};
    this.range.addEventListener('input', () => { this.stop(); this.show(this.range.valueAsNumber); });
    this.root.querySelectorAll('[data-go]').forEach((link) => link.addEventListener('click', (event) => {
      event.preventDefault();
      this.stop();
      this.show(go[link.dataset.go]());
    }));
    this.shots.forEach((link, n) => link.addEventListener('click', (event) => { event.preventDefault(); this.stop(); this.show(n); }));
    this.play.addEventListener('click', () => this.toggle());
    this.pace.querySelector('select').addEventListener('change', () => { if (this.timer) { this.stop(); this.run(); } });
    this.heat.addEventListener('click', (event) => { event.preventDefault(); this.warm(); });
    document.addEventListener('keydown', (event) => this.key(event, go));
  }

  key(event, go) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches('input, select, button, [role=gridcell]')) return;
    const to = {ArrowLeft: go.back, ArrowRight: go.next, ArrowUp: () => this.at - 10, ArrowDown: () => this.at + 10, Home: go.first, End: go.last}[event.key];
    if (to) { this.stop(); this.show(to()); } else if (event.key === ' ') this.toggle(); else if (event.key === 'a') this.warm(); else return;
    event.preventDefault();
  }

  toggle() { if (this.timer) this.stop(); else this.run(); }

  run() {
    if (this.at === this.frames.length - 1) this.show(0);
    this.play.textContent = words.pause;
    this.timer = setInterval(() => {
      this.show(this.at + 1);
      if (this.at === this.frames.length - 1) this.stop();
    }, Number(this.pace.querySelector('select').value));
  }

  stop() {
    clearInterval(this.timer);
    this.timer = undefined;
    this.play.textContent = words.play;
  }

  warm() {
    this.hot = !this.hot;
    this.heat.setAttribute('aria-pressed', this.hot);
    this.show(this.at);
  }

  /** show shows a frame. */
  async show(n) {
    n = Math.min(Math.max(n, 0), this.frames.length - 1);
    this.at = n;
    const frame = this.frames[n];
    this.boards.forEach((board, side) => board.show(this.states[n][side]));
    this.figures(frame.status);
    this.range.value = n;
    this.range.setAttribute('aria-valuetext', this.shots[n].textContent);
    this.root.querySelector('[data-count]').textContent = text('shot-of', n, this.frames.length - 1);
    this.status.textContent = this.shots[n].textContent;
    this.shots.forEach((link, i) => { if (i === n) link.setAttribute('aria-current', 'true'); else link.removeAttribute('aria-current'); });
    const list = this.shots[n].closest('ol');
    list.scrollTop = this.shots[n].parentElement.offsetTop - list.offsetTop - list.clientHeight / 2;
    history.replaceState(null, '', this.shots[n].getAttribute('href') + (this.hot ? '&heat=1' : ''));
    if (!this.hot) return;
    const answer = await fetch(`${this.root.dataset.replay}/odds?frame=${n}`);
    if (!answer.ok || n !== this.at || !this.hot) return;
    const odds = await answer.json();
    if (n === this.at && odds.board !== null) this.boards[odds.board].set(odds.cells);
  }
}

async function replay(root) {
  const answer = await fetch(root.dataset.replay + '/frames');
  if (answer.ok) new Replay(root, (await answer.json()).frames);
}

/** copyable makes the button beside a command copy it. */
function copyable(root) {
  const button = root.querySelector('button');
  button.hidden = false;
  button.addEventListener('click', async () => {
    const code = root.querySelector('code');
    try {
      await navigator.clipboard.writeText(code.textContent);
    } catch { // without HTTPS or permission
      const range = document.createRange();
      range.selectNodeContents(code);
      getSelection().removeAllRanges();
      getSelection().addRange(range);
      document.execCommand('copy');
      getSelection().removeAllRanges();
    }
    button.textContent = words.copied;
    setTimeout(() => { button.textContent = words.copy; }, 2000);
  });
}

document.querySelectorAll('[data-copy]').forEach(copyable);
document.querySelectorAll('[data-live]').forEach((root) => new Live(root));
document.querySelectorAll('[data-replay]').forEach(replay);
